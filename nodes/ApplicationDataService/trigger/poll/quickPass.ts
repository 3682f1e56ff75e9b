import type { Version } from '../source/version';
import { compareIds } from '../state/ids';
import { judge, remembered } from './compare';
import type { PollContext } from './context';
import { type Candidate, emit } from './emit';

/** Length of the first page: most polls find little. */
const FIRST_PAGE = 100;
/** After so many records, a scan is cheaper. */
const MAX_LISTED = 10_000;
/**
 * By how much the service's clock can be set back without hiding changes, in milliseconds; plus a minute, the service's
 * resolution.
 */
const LOOK_BACK_MS = 61 * 60_000;
/** No clock on earth is further ahead of UTC. A later date is a mistake, and does not show what was changed last. */
const MAX_AHEAD_MS = 15 * 3_600_000;

const NEWEST = { order: 'newest', whole: false } as const;

/** What a quick pass found: whether no newer record was left out, and the newest date/time. */
export interface QuickPass {
  readonly isComplete: boolean;
  readonly newest: string;
}

/**
 * Lists the last changed records, newest first, until a page is older than what was known an hour before: minutes are
 * coarse, and clocks are set back. Outputs what is new or changed, the oldest change first.
 * @throws the failure that ended it early.
 */
export async function quickPass<T>(context: PollContext<T>): Promise<QuickPass> {
  const { state, settings, emitted, time } = context;
  const { quick } = state;
  if (quick === null || quick.boundary === '') return { isComplete: false, newest: await newestNow(context) };
  const { found, newest, isComplete } = await list(quick.boundary, context);
  const oldestFirst = inOrder(found);
  const room = Math.max(0, settings.maxRecords - emitted.length);
  const { left, failure } = await emit(oldestFirst.slice(0, room), 'newest', time, context);
  const first = left ?? oldestFirst[room];
  // To the newest value found, or to the first record that is not output yet.
  const boundary = [first?.version?.updated ?? newest, newest].sort()[0]!;
  if (isComplete && boundary !== '') state.quick = { ...quick, boundary };
  if (failure !== undefined) throw failure;
  return { isComplete, newest };
}

async function list<T>(
  boundary: string,
  context: PollContext<T>,
): Promise<QuickPass & { readonly found: readonly Candidate[] }> {
  const { source, time, memory } = context;
  const found: Candidate[] = [];
  const reach = lookBack(boundary);
  const half = time.share(0.5);
  let newest = '';
  let offset = 0;
  const first = memory.isBusy ? Infinity : FIRST_PAGE;
  memory.isBusy = false;
  for await (const versions of source.list(NEWEST, { first })) {
    newest ||= newestOf(versions, time.clock.now());
    for (const version of versions) {
      if (isNews(version, context)) found.push({ id: version.id, version, offset });
      offset++;
      if (offset === FIRST_PAGE) memory.isBusy = version.updated >= reach;
    }
    if ((versions.at(-1)?.updated ?? '') < reach) break;
    if (offset >= MAX_LISTED || half.left() <= 0) return { found, newest, isComplete: false };
  }
  return { found, newest, isComplete: true };
}

/** The newest plausible date/time; empty if there is none, or quick polls are not made. */
export async function newestNow<T>({ source, state, time, memory }: PollContext<T>): Promise<string> {
  if (state.quick === null) return '';
  const versions = await source.listLast('newest', { offset: 0, limit: FIRST_PAGE });
  const newest = newestOf(versions, time.clock.now());
  memory.isBusy = (versions[FIRST_PAGE - 1]?.updated ?? '') >= lookBack(newest) && newest !== '';
  return newest;
}

/** Whether a record is to be output; remembers one that is not. */
function isNews<T>(version: Version, { state, settings, tried }: PollContext<T>): boolean {
  const { id } = version;
  const { records } = state;
  if (id === '' || tried.has(id)) return false;
  if (version.meets !== 'yes') {
    records.markOutside(id);
    return false;
  }
  const known = records.get(id);
  const verdict = judge(version, known, false, settings, records.isFull);
  if (verdict === 'remember') records.set(id, remembered(version, known));
  return verdict === 'emit';
}

/** The oldest change first. */
function inOrder(found: readonly Candidate[]): Candidate[] {
  const updated = ({ version }: Candidate): string => version?.updated ?? '';
  return [...found]
    .sort((one, other) => compareIds(one.id, other.id))
    .sort((one, other) => Number(updated(one) > updated(other)) - Number(updated(one) < updated(other)));
}

function newestOf(listed: readonly Version[], now: number): string {
  const latest = textOf(now + MAX_AHEAD_MS);
  return listed.find(({ updated }) => updated !== '' && updated <= latest)?.updated ?? '';
}

/** A date/time as the service writes it, in UTC. */
function textOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 16);
}

/** The value an hour before another one; empty if it is not a date/time. */
function lookBack(value: string): string {
  const milliseconds = Date.parse(`${value}Z`);
  return Number.isNaN(milliseconds) ? '' : textOf(milliseconds - LOOK_BACK_MS);
}
