import { compareIds } from '../state/idOrder';
import type { TriggerState } from '../state/triggerState';
import { begin } from './begin';
import type { PollContext } from './context';
import { Schedule } from './schedule';
import type { Given } from './settings';

/** The result of one poll. */
export interface PollOutcome<T> {
  readonly state: TriggerState;
  readonly given: readonly Given<T>[];
  /** Something was done that need not be done again. */
  readonly hasProgressed: boolean;
  /** The failure that ended the poll early. State and items contain the earlier progress. */
  readonly failure?: unknown;
}

/**
 * One poll: continues from the state, or begins a new one, and returns what changed. A record that is not returned keeps its old
 * revision in the state, so a poll that is cut short loses nothing.
 * @throws the source's failure if nothing can be begun.
 */
export async function poll<R, T>(
  previous: TriggerState | null,
  base: Omit<PollContext<R, T>, 'state'>,
): Promise<PollOutcome<T>> {
  const state = previous ?? (await begin(base));
  const context = { ...base, state };
  const schedule = new Schedule<R, T>(context);
  const failure = await schedule.run();
  const { settings } = context;
  const given = settings.quick === undefined ? [...schedule.given].sort(inOrder) : schedule.given;
  const hasProgressed = previous === null || schedule.hasProgressed();
  return { state, given, hasProgressed, ...(failure !== undefined && { failure }) };
}

/** In order of IDs, deletions last. */
function inOrder<T>(one: Given<T>, other: Given<T>): number {
  const last = Number(one.event === 'deleted') - Number(other.event === 'deleted');
  return last !== 0 ? last : compareIds(one.id, other.id);
}
