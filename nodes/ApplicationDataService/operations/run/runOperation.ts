import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { connect } from '../../service/http/connect';
import { ServiceSession } from '../../service/application/session';
import { findOperation } from '../registry';
import type { ItemOutcome, Operation, OutputItem } from './types';
import { isAgentRun } from './agent';
import { checkFirst } from './checkFirst';
import { concurrently, settle, type Flow } from '../../util/concurrently';
import { inOneText, toNodeError } from '../../common/errors';
import { endingFailure, failuresOf } from './failures';
import { Hints } from './hints';
import { ItemRun, type Run } from './itemRun';
import { Parameters } from './parameters';
import { WriteMemory } from './writeMemory';

/** Requests in flight: the service works them off one by one and refuses more than ten waiting ones. */
const DEFAULT_CONCURRENCY = 4;
const MAX_CONCURRENCY = 10;

/**
 * The one loop over the input items, whatever the operation: paired items, Continue On Fail, errors with the item's
 * index, order of output, concurrency and cancellation.
 */
export async function runOperation(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
  const operation = chosenOperation(context);
  const run = await startRun(context);
  const items = context
    .getInputData()
    .map(({ json, binary = {} }, index) => new ItemRun(run, index, json, binary));

  const outcomes = await runAll(operation, items, run);
  const output = collect(run, outcomes);
  run.memory.endTry(outcomes.every((outcome) => outcome !== undefined && 'output' in outcome));
  if (run.byAgent) return [...output, ...messages(run, output.length)];
  run.hints.show(context);
  return output;
}

function chosenOperation(context: IExecuteFunctions): Operation {
  const resource = String(context.getNodeParameter('resource', 0));
  const value = String(context.getNodeParameter('operation', 0));
  const operation = findOperation(resource, value);
  if (operation !== undefined) return operation;
  throw new NodeOperationError(
    context.getNode(),
    `This version of the node does not have the operation "${value}" for "${resource}"`,
    {
      description: 'Choose an operation from the list, or update the community package.',
    },
  );
}

async function startRun(context: IExecuteFunctions): Promise<Run> {
  const byAgent = isAgentRun(context);
  try {
    return {
      context,
      session: new ServiceSession(await connect(context)),
      parameters: new Parameters(context, byAgent),
      memory: new WriteMemory(context),
      hints: new Hints(),
      byAgent,
    };
  } catch (error) {
    throw toNodeError(context.getNode(), byAgent ? inOneText(error) : error);
  }
}

async function runAll(
  operation: Operation,
  items: readonly ItemRun[],
  { context }: Run,
): Promise<(ItemOutcome | undefined)[]> {
  const flow: Flow = {
    limit: concurrency(items[0]),
    stopOnError: !context.continueOnFail(),
    signal: context.getExecutionCancelSignal(),
  };
  if ('executeAll' in operation) {
    const all = await settle(async () => await operation.executeAll(items, flow));
    return 'value' in all ? all.value : items.map(() => all);
  }
  const settled =
    'prepare' in operation
      ? await checkFirst(operation, items, flow)
      : await concurrently(
          items.map((item) => async () => await operation.execute(item)),
          flow,
        );
  return settled.map((outcome) =>
    outcome === undefined || 'error' in outcome ? outcome : { output: outcome.value },
  );
}

function concurrency(item: ItemRun | undefined): number {
  const asked = askedConcurrency(item);
  return Number.isFinite(asked)
    ? Math.min(Math.max(Math.trunc(asked), 1), MAX_CONCURRENCY)
    : DEFAULT_CONCURRENCY;
}

/** Options that cannot be read are for each item to tell, where it reads them. */
function askedConcurrency(item: ItemRun | undefined): number {
  try {
    return Number(item?.options().concurrency ?? DEFAULT_CONCURRENCY);
  } catch {
    return DEFAULT_CONCURRENCY;
  }
}

/**
 * The outcomes as n8n's items, in order of the input.
 * @throws NodeApiError or NodeOperationError of the item that failed, unless the node continues on failure: of the first
 * whose write is in doubt, else of the first.
 */
function collect(
  { context, byAgent, memory }: Run,
  outcomes: readonly (ItemOutcome | undefined)[],
): INodeExecutionData[] {
  const failures = failuresOf(memory, outcomes);
  const told = (failure: unknown, item: number) =>
    toNodeError(context.getNode(), byAgent ? inOneText(failure) : failure, item);
  const ending = context.continueOnFail() ? null : endingFailure(failures);
  if (ending !== null) throw told(ending.error, ending.item);
  return outcomes.flatMap((outcome, item) => {
    if (outcome === undefined) return [];
    if ('output' in outcome) return outcome.output.map((output) => withPairedItem(output, item));
    return [withPairedItem({ json: { error: told(failures[item], item).message } }, item)];
  });
}

/** An agent sees the output only: what a person reads above it comes as its last items, and so does that there is none. */
function messages({ hints }: Run, results: number): INodeExecutionData[] {
  const texts = hints.texts();
  if (results === 0 && texts.length === 0) texts.push('Nothing was found');
  return texts.map((message) => ({ json: { message }, pairedItem: { item: 0 } }));
}

function withPairedItem(output: OutputItem, item: number): INodeExecutionData {
  return { ...output, pairedItem: { item } };
}
