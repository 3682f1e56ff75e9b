import type { PartOfPoll, PollContext } from './context';
import { give } from './give';
import type { Budget } from './settings';
import { waitingCandidates } from './waiting';

/** Tries the records that wait once more, those that were tried least first. Never throws. */
export async function retryWaiting<R, T>(
  room: number,
  budget: Budget,
  context: PollContext<R, T>,
): Promise<PartOfPoll<T>> {
  const { given, failure } = await give(waitingCandidates(context), room, budget, context);
  return { given, ...(failure !== undefined && { failure }) };
}
