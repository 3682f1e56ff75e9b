import type { Version } from '../source/watch';
import { settle } from '../../util/concurrently';
import { compareIds } from '../../util/ids';
import { learnListed } from './compare';
import { pageLength, type PollContext } from './context';
import { type Candidate, emit } from './emit';

/** Length of the first page: most polls find little. */
const FIRST_PAGE = 100;

/**
 * Lists the last changed records, newest first, until a page ends before the minute up to which everything is known:
 * that minute itself is coarse. Outputs what is new or changed, the oldest change first. A scan is due if it does not
 * come to its end.
 * @throws the failure that ended it early.
 */
export async function quickPass<T>(context: PollContext<T>): Promise<void> {
  const { state, time } = context;
  const { quick } = state;
  // While records are learned, it cannot tell which of them are new.
  if (quick === null || quick.watermark === '' || state.learnsUpTo !== null) return;
  const candidates: Candidate[] = [];
  const listed = await settle(async () => await list(quick.watermark, candidates, context));
  const { left, failure } = await emit(candidates.sort(byChange), time, context);
  const newest = 'value' in listed ? listed.value : null;
  // To the newest value found, or to the first record that is not output yet.
  const watermark = newest === null ? '' : [left?.version?.updated ?? newest, newest].sort()[0]!;
  if (watermark !== '') state.quick = { ...quick, watermark };
  if (newest === null) state.quick = { ...quick, scanned: 0 };
  if ('error' in listed) throw listed.error;
  if (failure !== undefined) throw failure;
}

/**
 * Lists what may be new, and adds what is.
 * @returns the newest date/time, empty if there is none; `null` if there was no time to come to the end.
 */
async function list<T>(
  watermark: string,
  candidates: Candidate[],
  context: PollContext<T>,
): Promise<string | null> {
  const { source, time } = context;
  const half = time.share(0.5);
  let newest = '';
  for await (const versions of source.list('newest', { first: FIRST_PAGE, ...pageLength(context) })) {
    newest ||= newestOf(versions);
    for (const version of versions)
      if (learnListed(version, context)) candidates.push({ id: version.id, version });
    const last = versions.at(-1);
    // One date that is wrong, in the future, must not hide the others.
    if ((last?.updated ?? '') < watermark && candidates.at(-1)?.version !== last) break;
    if (half.left() <= 0) return null;
  }
  return newest;
}

/** The newest date/time; empty if there is none. */
export async function fetchNewest<T>({ source }: PollContext<T>): Promise<string> {
  return newestOf(await source.listLast('newest', 1));
}

function newestOf(listed: readonly Version[]): string {
  return listed.find(({ updated }) => updated !== '')?.updated ?? '';
}

function byChange({ id, version }: Candidate, other: Candidate): number {
  const [one, two] = [version?.updated ?? '', other.version?.updated ?? ''];
  return Number(one > two) - Number(one < two) || compareIds(id, other.id);
}
