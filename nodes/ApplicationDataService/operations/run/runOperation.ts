import * as workflow from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Settings, Values } from '../../common/setting';
import { inOneText, toNodeError, withHeading } from '../../common/errors';
import { CALLS_AT_ONCE, ServiceSession } from '../../service/application/session';
import { connect } from '../../service/http/connect';
import { isIndeterminate, isRefusal, ServiceError } from '../../service/http/errors';
import { ConflictError } from '../../service/write/conflict';
import { concurrently, type Flow, settle, type Settled } from '../../util/concurrently';
import { messageOf, UserError } from '../../util/userError';
import { Hints } from './hints';
import { COUNTED_FROM_ZERO, Item, Parameters, type Run } from './item';
import { isAgentRun, WriteMemory } from './memory';
import { wordRefusals } from './wordRefusals';
import type { GroupOperation, Operation, Outcome, OutputItem } from './types';
import { isNameGiven } from '../../parts/model/errors';
import { groupBy, groupNeighbours, type NonEmpty } from '../../util/groupBy';

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
  const outcomes = await wordRefusals(items, ran.outcomes);
  const isGood = [...outcomes, ...ran.rest].every((outcome) => outcome !== undefined && 'value' in outcome);
  run.memory.endTry(isGood);
  const output = collect(run, items, { ...ran, outcomes }, !('execute' in operation));
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

/**
 * Whether n8n sends an item with `details` to the error output. Before 2.36 it took such an item for a success; nothing
 * else that a node can see came with that version.
 */
const ROUTES_DETAILS = 'redactedHeaders' in workflow;

/**
 * The outcomes as n8n's items, in input order. Results that belong to no item follow, paired with the first.
 * @throws NodeApiError or NodeOperationError of the item that failed, unless the node continues on failure: of the
 * first whose write is in doubt, else of the first. Where the run was refused as a whole, in any case.
 */
function collect(
  { context, byAgent, memory }: Run,
  items: readonly Item[],
  ran: Ran,
  isWrite: boolean,
): INodeExecutionData[] {
  const { outcomes, rest, isRefused } = ran;
  const failures = [
    ...outcomes.map((outcome, item) =>
      outcome !== undefined && 'value' in outcome ? undefined : memory.failureOf(item, errorOf(outcome)),
    ),
    ...rest.map(errorOf),
  ];
  const itemOf = (index: number): number => (index < outcomes.length ? index : 0);
  const told = (failure: unknown, index: number) =>
    toNodeError(context.getNode(), byAgent ? inOneText(failure) : failure, itemOf(index));
  const ending = context.continueOnFail() && !isRefused ? null : endingFailure(failures);
  if (ending !== null) {
    const error = isWrite ? withAccount(ending, memory, ran, failures) : ending.error;
    throw told(byAgent ? error : withHeading(error), ending.item);
  }
  const takesDetails = !byAgent && (context.getNode().onError !== 'continueErrorOutput' || ROUTES_DETAILS);
  return [...outcomes, ...rest].flatMap((outcome, index) => {
    if (outcome === undefined) return [];
    const item = itemOf(index);
    if ('value' in outcome) return outcome.value.map((output) => withPairedItem(output, item));
    const { message } = told(failures[index], index);
    const named = items[index]?.recordIds ?? [];
    const details = detailsOf(failures[index], memory.writtenBy(index), named, isWrite);
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

function isFailure(outcome: Outcome): outcome is { readonly error: unknown } {
  return outcome !== undefined && 'error' in outcome;
}

function errorOf(outcome: Outcome): unknown {
  return isFailure(outcome) ? outcome.error : undefined;
}

/**
 * The failure that ends a run. A write in doubt comes before all others, because somebody must look at it before
 * running anything again. `null` if nothing failed.
 */
function endingFailure(failures: readonly unknown[]): { item: number; error: unknown } | null {
  const doubtful = failures.findIndex(isIndeterminate);
  const item = doubtful === -1 ? failures.findIndex((failure) => failure !== undefined) : doubtful;
  return item === -1 ? null : { item, error: failures[item] };
}

/** How many items or ranges of items an account names. */
const MAX_NAMED = 20;

/**
 * The failure that ends a run of writes, with what became of the other items.
 * @param failures of the items, and of what belongs to none
 */
function withAccount(
  { item: ending, error }: { readonly item: number; readonly error: unknown },
  memory: WriteMemory,
  ran: Ran,
  failures: readonly unknown[],
): unknown {
  const { written, unknown, failed, notSent } = becameOf(memory, ran, failures);
  const named = [
    written.length > 0 ? `Written, with their IDs: items ${listed(written)}.` : '',
    unknown.length > 1 ? `Unknown whether written: items ${listed(ranges(unknown))}.` : '',
    failed.some((item) => item !== ending) ? `Failed: items ${listed(ranges(failed))}.` : '',
    notSent.length > 0 ? `Not sent: items ${listed(ranges(notSent))}.` : '',
  ].filter((each) => each !== '');
  // Where an earlier try left a write in doubt, nothing more is known.
  if (named.length === 0 && (!ran.isRefused || failures.some(isIndeterminate))) return error;
  const account = named.length === 0 ? 'Nothing was written.' : [...named, COUNTED_FROM_ZERO].join(' ');
  if (!(error instanceof UserError))
    return new UserError(messageOf(error), account, error instanceof Error ? error : undefined);
  const { message, description } = error;
  return error.reworded(message, description === '' ? account : `${description}\n${account}`);
}

/** The items by what became of them. Where all were refused together, only those that an earlier try has written. */
function becameOf(memory: WriteMemory, { outcomes, isRefused }: Ran, failures: readonly unknown[]) {
  const written: string[] = [];
  const unknown: number[] = [];
  const failed: number[] = [];
  const notSent: number[] = [];
  for (const [item, outcome] of outcomes.entries()) {
    const ids = memory.writtenBy(item);
    if (isRefused && ids === null) continue;
    if (isIndeterminate(failures[item]) && !isRefused) unknown.push(item);
    else if (ids !== null) written.push(`${item} (${ids.join(', ')})`);
    else if (failures[item] !== undefined) failed.push(item);
    else if (outcome === undefined) notSent.push(item);
  }
  return { written, unknown, failed, notSent };
}

function listed(all: readonly string[]): string {
  const rest = all.length - MAX_NAMED;
  return `${all.slice(0, MAX_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** `2, 3, 4, 9` as `2 to 4` and `9`. */
function ranges(items: readonly number[]): string[] {
  const starts = items.filter((item, index) => items[index - 1] !== item - 1);
  const ends = items.filter((item, index) => items[index + 1] !== item + 1);
  return starts.map((start, index) => (start === ends[index] ? `${start}` : `${start} to ${ends[index]}`));
}

/**
 * What a workflow can branch on: how an item ended that failed, which records and which part that is about, as far as
 * they are known. Nothing is said of the outcome where the item was written, and something failed after that.
 * @param written the IDs of what the item has written; `null` if it has written nothing.
 * @param named the records that the item names.
 */
function detailsOf(
  error: unknown,
  written: readonly string[] | null,
  named: readonly string[],
  isWrite: boolean,
): IDataObject {
  const about = error instanceof ConflictError ? error : error instanceof ServiceError ? error.details : {};
  const ids = about.ids ?? written ?? named;
  const partKey = error instanceof ServiceError ? error.details.partKey : undefined;
  const part = error instanceof UserError ? (error.part ?? partKey) : undefined;
  const isWritten = written !== null && ids.every((id) => written.includes(id));
  const outcome = outcomeOf(error, isWritten, isWrite);
  return {
    ...(outcome !== null && { outcome }),
    ...(ids.length > 0 && { ids: [...ids] }),
    ...(part !== undefined && { part }),
  };
}

function outcomeOf(error: unknown, isWritten: boolean, isWrite: boolean): string | null {
  if (isIndeterminate(error)) return 'unknown';
  if (error instanceof ConflictError) return 'conflict';
  if (isWritten) return null;
  if (isRefusal(error)) return 'refused';
  const isOurs =
    error instanceof UserError && !(error instanceof ServiceError && error.kind === 'unexpected');
  return isWrite && isOurs ? 'notDone' : null;
}

interface Ready {
  readonly index: number;
  readonly work: unknown;
}

type Group = NonEmpty<Ready>;

export interface Ran {
  readonly outcomes: readonly Outcome[];
  /** Results that belong to no item. */
  readonly rest: readonly Outcome[];
  /** Whether all items were refused together, so that no failure belongs to one item. */
  readonly isRefused: boolean;
}

/**
 * Reads and checks all items, then writes what they ask for: works of one serial key in the order of the input, several
 * keys at once. Where a failure ends the run, nothing is written unless all items passed, and nothing more is begun
 * after it.
 */
export async function runWrites(operation: GroupOperation, items: readonly Item[], flow: Flow): Promise<Ran> {
  const outcomes: Outcome[] = items.map(() => undefined);
  const failed = (): number => outcomes.filter(isFailure).length;
  const isOver = (): boolean => (flow.stopOnError && failed() > 0) || flow.signal?.aborted === true;
  const ended = { outcomes, rest: [], isRefused: false };

  const all = await readAll(operation, items, outcomes, flow);
  if (isOver()) return ended;
  let ready = all;
  const { prepare } = operation;
  if (prepare !== undefined) {
    const unread = items.filter((_, index) => outcomes[index] !== undefined);
    for (const group of groupBy(ready, ({ work }) => prepare.keyOf?.(work) ?? '')) {
      const found = await settle(async () => await prepare.find(worksOf(group), unread));
      for (const [each, { index }] of group.entries())
        outcomes[index] = 'error' in found ? found : found.value[each];
      // What is wrong with single items is not why the run ends.
      if ('error' in found && prepare.endsRun === true)
        return { ...ended, outcomes: items.map(() => found), isRefused: true };
      if (isOver()) return ended;
    }
    ready = ready.filter(({ index }) => outcomes[index] === undefined);
  }
  // This is asked for each key. With many items, it must not require looking at all of them.
  let over = false;
  const series = seriesOf(operation, ready).map((groups) => async () => {
    for (const group of groups) {
      if (over || flow.signal?.aborted === true) return;
      const done = await runGroup(operation, group);
      for (const [each, { index }] of group.entries()) outcomes[index] = done[each];
      over ||= flow.stopOnError && done.some(isFailure);
    }
  });
  await concurrently(series, flow);
  const [first, ...others] = all;
  if (first === undefined || isOver()) return ended;
  const rest = await settle(async () => await operation.finalize?.(worksOf([first, ...others]), failed()));
  return { ...ended, rest: 'error' in rest ? [rest] : (rest.value ?? []) };
}

/** Reads the items one by one, and records which cannot be read. */
async function readAll(
  operation: GroupOperation,
  items: readonly Item[],
  outcomes: Outcome[],
  { stopOnError, signal }: Flow,
): Promise<Ready[]> {
  const ready: Ready[] = [];
  for (const item of items) {
    if (signal?.aborted === true) break;
    const { index } = item;
    try {
      ready.push({ index, work: await operation.read(item, optionsOf(operation, item)) });
    } catch (error) {
      const again = await readWithPeople(operation, item, error);
      if ('value' in again) ready.push({ index, work: again.value });
      else outcomes[index] = again;
      if (stopOnError && 'error' in again) break;
    }
  }
  return ready;
}

function optionsOf(operation: GroupOperation, item: Item): Values<Settings> {
  const options = item.options(operation.options);
  if (options.dryRun === true) item.run.hints.once('Dry run: nothing was written');
  return options;
}

/** Reads an item again, with the names of people, if it could not be read because it gives one instead of an ID. */
async function readWithPeople(
  operation: GroupOperation,
  item: Item,
  error: unknown,
): Promise<Settled<unknown>> {
  if (!isNameGiven(error)) return { error };
  return await settle(async () => {
    const options = optionsOf(operation, item);
    if (options.peopleByName !== true) throw error;
    await item.learnPeople();
    return await operation.read(item, options);
  });
}

/** Groups that are run one after the other; several such series are run at once. */
function seriesOf(operation: GroupOperation, ready: readonly Ready[]): Group[][] {
  if (operation.serialKeyOf === undefined) return ready.map((each) => [[each]]);
  return groupBy(ready, ({ work }) => operation.serialKeyOf!(work)).map((works) =>
    groupNeighbours(works, ({ index, work }) => operation.groupOf?.(work) ?? String(index)),
  );
}

/** What happened to each work of a group. */
async function runGroup(operation: GroupOperation, group: Group): Promise<readonly Outcome[]> {
  try {
    return await operation.runGroup(worksOf(group));
  } catch (error) {
    return group.map(() => ({ error }));
  }
}

function worksOf([first, ...others]: Group): NonEmpty<unknown> {
  return others.length === 0 ? [first.work] : [first.work, ...others.map(({ work }) => work)];
}
