import type { IPollFunctions } from 'n8n-workflow';

import { machineClock, type PollClock } from '../source/pollClock';
import { isFirstPoll, memoryOf } from './nodeMemory';
import { OnePoll, type Items } from './onePoll';
import { isTransient, toPollError } from './pollErrors';
import { isAtStake, startPollTime } from './pollTime';

/**
 * One poll of the trigger node, or what a manual run shows. Returns `null` if nothing changed.
 * @throws NodeApiError or NodeOperationError, with `failure`.
 */
export async function runPoll(context: IPollFunctions, clock: PollClock = machineClock): Promise<Items> {
  const memory = memoryOf(context);
  if (context.getMode() === 'manual') {
    try {
      return await new OnePoll(context, memory, startPollTime(context, false, clock)).show();
    } catch (error) {
      throw toPollError(context.getNode(), error);
    }
  }
  // n8n starts a poll even if the last one is still running. Two would read and emit the same.
  if (memory.running) return null;
  memory.running = true;
  const atStake = isFirstPoll(context) && isAtStake(context);
  try {
    const items = await new OnePoll(context, memory, startPollTime(context, atStake, clock)).run();
    memory.postponed = false;
    return items;
  } catch (error) {
    const putOff = atStake && !memory.postponed && isTransient(error);
    memory.postponed = putOff;
    if (!putOff) throw toPollError(context.getNode(), error);
    // If this threw, n8n would never poll again. If the failure persists, the next poll throws.
    context.logger.warn(`The first poll is postponed: ${(error as Error).message}`, {
      node: context.getNode().name,
      workflowId: context.getWorkflow().id,
    });
    return null;
  } finally {
    memory.running = false;
  }
}
