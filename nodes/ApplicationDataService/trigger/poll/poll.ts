import { compareIds } from '../state/idOrder';
import type { TriggerState } from '../state/triggerState';
import { begin } from './begin';
import type { PollContext } from './context';
import { Schedule } from './schedule';
import type { Given } from './settings';

/** What one poll came to. */
export interface PollOutcome<T> {
  readonly state: TriggerState;
  readonly given: readonly Given<T>[];
  /** Something was done that need not be done again. */
  readonly hasProgressed: boolean;
  /** What ended the poll early; state and items hold what was done before. */
  readonly failure?: unknown;
}

/**
 * One poll: goes on from the state, or begins one, and returns what changed. A record that is not returned keeps its old
 * revision in the state, so whatever is cut short is found again.
 * @throws what the source throws where nothing can be begun at all.
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

/** In order of ids, deletions after the others. */
function inOrder<T>(one: Given<T>, other: Given<T>): number {
  const last = Number(one.event === 'deleted') - Number(other.event === 'deleted');
  return last !== 0 ? last : compareIds(one.id, other.id);
}
