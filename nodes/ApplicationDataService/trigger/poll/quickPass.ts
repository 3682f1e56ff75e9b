import type { Version } from '../source/watch';
import { compareIds } from '../../util/ids';
import { isNews } from './compare';
import type { PollContext } from './context';
import { type Candidate, emit } from './emit';

/** Length of the first page: most polls find little. */
const FIRST_PAGE = 100;
/** After so many records, a scan is cheaper. */
const MAX_LISTED = 10_000;

/** What a quick pass found: whether no newer record was left out, and the newest date/time. */
export interface QuickPass {
  readonly isComplete: boolean;
  readonly newest: string;
}

/**
 * Lists the last changed records, newest first, until a page ends before the minute up to which everything is known:
 * that minute itself is coarse. Outputs what is new or changed, the oldest change first.
 * @throws the failure that ended it early.
 */
export async function quickPass<T>(context: PollContext<T>): Promise<QuickPass> {
  const { state, time } = context;
  const { quick } = state;
  if (quick === null || quick.watermark === '')
    return { isComplete: false, newest: await fetchNewest(context) };
  const { found, newest, isComplete } = await list(quick.watermark, context);
  const { left, failure } = await emit(found.sort(byChange), time, context);
  // To the newest value found, or to the first record that is not output yet.
  const watermark = [left?.version?.updated ?? newest, newest].sort()[0]!;
  if (isComplete && watermark !== '') state.quick = { ...quick, watermark };
  if (failure !== undefined) throw failure;
  return { isComplete, newest };
}

async function list<T>(
  watermark: string,
  context: PollContext<T>,
): Promise<QuickPass & { readonly found: Candidate[] }> {
  const { source, time } = context;
  const found: Candidate[] = [];
  const half = time.share(0.5);
  let newest = '';
  let offset = 0;
  for await (const versions of source.list({ order: 'newest', whole: false }, { first: FIRST_PAGE })) {
    newest ||= newestOf(versions);
    for (const version of versions) {
      if (isNews(version, context)) found.push({ id: version.id, version });
      offset++;
    }
    const last = versions.at(-1);
    // One date that is wrong, in the future, must not hide the others.
    if ((last?.updated ?? '') < watermark && found.at(-1)?.version !== last) break;
    if (offset >= MAX_LISTED || half.left() <= 0) return { found, newest, isComplete: false };
  }
  return { found, newest, isComplete: true };
}

/** The newest date/time; empty if there is none, or quick polls are not made. */
export async function fetchNewest<T>({ source, state }: PollContext<T>): Promise<string> {
  return state.quick === null ? '' : newestOf(await source.listLast('newest', 1));
}

function newestOf(listed: readonly Version[]): string {
  return listed.find(({ updated }) => updated !== '')?.updated ?? '';
}

function byChange({ id, version }: Candidate, other: Candidate): number {
  const [one, two] = [version?.updated ?? '', other.version?.updated ?? ''];
  return Number(one > two) - Number(one < two) || compareIds(id, other.id);
}
