import * as workflow from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { inOneText, toNodeError } from '../../common/errors';
import { CALLS_AT_ONCE, ServiceSession } from '../../service/application/session';
import { connect } from '../../service/http/connect';
import { isRefusal } from '../../service/http/errors';
import { explainRefusal } from '../../service/read/refusedRecord';
import { concurrently, settle, type Flow } from '../../util/concurrently';
import { isAgentRun } from './agent';
import { detailsOf, endingFailure, errorOf, failuresOf, withAccount } from './endingFailure';
import { Hints } from './hints';
import { Item, type Run } from './item';
import { WriteMemory } from './memory';
import { Parameters } from './parameters';
import { runWrites, type Ran } from './runWrites';
import type { Operation, Outcome, OutputItem } from './types';

/**
 * The one loop over the input items, whatever the operation: paired items, Continue On Fail, errors with the item's
 * index, order of output, calls at once and cancellation.
 */
export async function runOperation(
  context: IExecuteFunctions,
  operation: Operation,
): Promise<INodeExecutionData[]> {
  const run = await startRun(context);
  const items = context
    .getInputData()
    .map(({ json, binary = {} }, index) => new Item(run, index, json, binary));

  const ran = await runAll(operation, items, run);
  const outcomes = await explained(items, ran.outcomes);
  const output = collect(run, { ...ran, outcomes }, !('execute' in operation));
  run.memory.endTry(
    [...outcomes, ...ran.rest].every((outcome) => outcome !== undefined && 'value' in outcome),
  );
  if (run.byAgent) return [...output, ...messages(run, output.length)];
  run.hints.show(context);
  return output;
}

async function startRun(context: IExecuteFunctions): Promise<Run> {
  const byAgent = isAgentRun(context);
  try {
    return {
      context,
      session: new ServiceSession(await connect(context)),
      parameters: new Parameters(context),
      memory: new WriteMemory(context),
      hints: new Hints(),
      byAgent,
    };
  } catch (error) {
    throw toNodeError(context.getNode(), byAgent ? inOneText(error) : error);
  }
}

async function runAll(operation: Operation, items: readonly Item[], { context }: Run): Promise<Ran> {
  const flow: Flow = {
    limit: CALLS_AT_ONCE,
    stopOnError: !context.continueOnFail(),
    signal: context.getExecutionCancelSignal(),
  };
  if (!('execute' in operation)) return await runWrites(operation, items, flow);
  const outcomes = await concurrently(
    items.map((item) => async () => await operation.execute(item, item.options(operation.options))),
    flow,
  );
  return { outcomes, rest: [], isRefused: false };
}

/** The outcomes with refusals in words for a person. */
async function explained(items: readonly Item[], outcomes: readonly Outcome[]): Promise<Outcome[]> {
  const told = [...outcomes];
  // Several items may share one refusal.
  const known = new Map<unknown, unknown>();
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome === undefined || 'value' in outcome || !isRefusal(outcome.error)) continue;
    const { error } = outcome;
    const app = await settle(async () => await items[index]!.application());
    if ('error' in app) {
      // An operation that needs no parts has not read the application before.
      if (isRefusal(app.error)) told[index] = app;
      continue;
    }
    if (!known.has(error)) known.set(error, await explainRefusal(app.value, error));
    told[index] = { error: known.get(error) };
  }
  return told;
}

/**
 * Whether n8n sends an item with `details` to the error output. Before 2.36 it took such an item for a success; nothing else
 * that a node can see came with that version.
 */
const ROUTES_DETAILS = 'redactedHeaders' in workflow;

/**
 * The outcomes as n8n's items, in input order. Results that belong to no item follow, paired with the first.
 * @throws NodeApiError or NodeOperationError of the item that failed, unless the node continues on failure: of the first
 * whose write is in doubt, else of the first. Where the run was refused as a whole, in any case.
 */
function collect({ context, byAgent, memory }: Run, ran: Ran, isWrite: boolean): INodeExecutionData[] {
  const { outcomes, rest, isRefused } = ran;
  const failures = [...failuresOf(memory, outcomes), ...rest.map(errorOf)];
  const itemOf = (index: number): number => (index < outcomes.length ? index : 0);
  const told = (failure: unknown, index: number) =>
    toNodeError(context.getNode(), byAgent ? inOneText(failure) : failure, itemOf(index));
  const ending = context.continueOnFail() && !isRefused ? null : endingFailure(failures);
  if (ending !== null) {
    const error = isWrite ? withAccount(ending, memory, ran, failures) : ending.error;
    throw told(error, ending.item);
  }
  const takesDetails = !byAgent && (context.getNode().onError !== 'continueErrorOutput' || ROUTES_DETAILS);
  return [...outcomes, ...rest].flatMap((outcome, index) => {
    if (outcome === undefined) return [];
    const item = itemOf(index);
    if ('value' in outcome) return outcome.value.map((output) => withPairedItem(output, item));
    const { message } = told(failures[index], index);
    const details = detailsOf(failures[index], memory.writtenBy(index), isWrite);
    const isKnown = takesDetails && Object.keys(details).length > 0;
    return [withPairedItem({ json: isKnown ? { error: message, details } : { error: message } }, item)];
  });
}

/** An agent sees only the output, so hints become its last items, and so does a note that the output is empty. */
function messages({ hints }: Run, results: number): INodeExecutionData[] {
  const texts = hints.texts();
  if (results === 0 && texts.length === 0) texts.push('Nothing was found');
  return texts.map((message) => ({ json: { message }, pairedItem: { item: 0 } }));
}

/** Named, not spread: an object made by spreading has no room for one more key, and gets a second one for it. */
function withPairedItem({ json, binary }: OutputItem, item: number): INodeExecutionData {
  return binary === undefined ? { json, pairedItem: { item } } : { json, binary, pairedItem: { item } };
}
