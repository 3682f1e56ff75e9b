import type { Candidate } from './candidates';
import type { PartOfPoll, PollContext } from './context';
import { give } from './give';
import type { Budget } from './settings';

/** Tries the records that wait once more, those that were tried least first. Never throws. */
export async function retryWaiting<R, T>(
  room: number,
  budget: Budget,
  context: PollContext<R, T>,
): Promise<PartOfPoll<T>> {
  const { waiting, records } = context.state;
  const candidates = [...waiting]
    .sort(([, one], [, other]) => one.tries - other.tries)
    .map(([id, { tries, revision }]): Candidate => {
      return { id, head: null, revision, known: records.get(id), offset: null, before: null, tries };
    });
  const { given, failure } = await give(candidates, room, budget, context);
  return { given, ...(failure !== undefined && { failure }) };
}
