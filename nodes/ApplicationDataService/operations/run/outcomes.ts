import * as workflow from 'n8n-workflow';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { inOneText, toNodeError, withHeading } from '../../common/errors';
import type { ApplicationSession } from '../../service/application/session';
import { isIndeterminate, isRefusal, ServiceError } from '../../service/http/errors';
import { mask } from '../../service/http/secrets';
import { askWhyRefused, namingPart } from '../../service/read/notThere';
import { ConflictError } from '../../service/write/update';
import { settle } from '../../util/concurrently';
import { pause } from '../../util/pause';
import { messageOf, UserError } from '../../util/userError';
import type { Hints } from './hints';
import { COUNTED_FROM_ZERO, type Item, type Run } from './item';
import { NO_ITEM } from './memory';
import type { Outcome, OutputItem } from './types';

/** What became of a run. */
export interface Ran {
  readonly outcomes: readonly Outcome[];
  /** Results that belong to no item. */
  readonly rest: readonly Outcome[];
  /** Whether all items were refused together, so that no failure belongs to one item. */
  readonly isRefused: boolean;
}

/** What is known of a run before its first request. */
type AboutRun = Pick<Run, 'context' | 'byAgent' | 'memory' | 'hints'>;

interface Failure {
  readonly error: unknown;
}

export function isFailure(outcome: Outcome): outcome is Failure {
  return outcome !== undefined && 'error' in outcome;
}

/**
 * What stops a run before its first item is each item's failure: of a node that throws, n8n passes the input on as if
 * it had succeeded.
 * @throws NodeApiError or NodeOperationError, unless the node continues on failure.
 */
export async function outputFailureOfRun(
  run: AboutRun,
  failure: Failure,
  isWrite: boolean,
): Promise<INodeExecutionData[]> {
  const { context, byAgent } = run;
  if (!context.continueOnFail())
    throw toNodeError(context.getNode(), byAgent ? inOneText(failure.error) : failure.error);
  const outcomes = context.getInputData().map(() => failure);
  return await outputOf(run, [], { outcomes, rest: [], isRefused: false }, isWrite);
}

/**
 * The outcomes as n8n's items, in input order. Results that belong to no item follow, paired with the first.
 * @throws NodeApiError or NodeOperationError of the item that failed, unless the node continues on failure: of the
 * first whose write is in doubt, else of the first. Where the run was refused as a whole, in any case.
 */
export async function outputOf(
  run: AboutRun,
  items: readonly Item[],
  ran: Ran,
  isWrite: boolean,
): Promise<INodeExecutionData[]> {
  const { context, byAgent, memory, hints } = run;
  const outcomes = [...(await readReasons(items, ran.outcomes)), ...ran.rest];
  const itemOf = (index: number): number => (index < ran.outcomes.length ? index : NO_ITEM);
  const failed = outcomes.flatMap((outcome, index) =>
    isFailure(outcome) ? [[itemOf(index), outcome.error] as const] : [],
  );
  memory.endTry(failed.length === 0 && !outcomes.includes(undefined), failed);
  const failures = outcomes.map((outcome, index) =>
    outcome !== undefined && 'value' in outcome ? undefined : memory.failureOf(index, outcome?.error),
  );
  if (!context.continueOnFail() || ran.isRefused)
    assertNoneFailed(run, ran, [...failures, memory.failureOf(NO_ITEM, undefined)], isWrite);
  const output: INodeExecutionData[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    await pause();
    const item = Math.max(0, itemOf(index));
    const named = items[index]?.recordIds ?? [];
    if (isFailure(outcome))
      output.push({
        json: failureItem(
          run,
          failures[index],
          detailsOf(failures[index], memory.writtenBy(index), named, isWrite),
        ),
        pairedItem: { item },
      });
    for (const each of outcome !== undefined && 'value' in outcome ? outcome.value : [])
      output.push(withPairedItem(each, item));
  }
  if (byAgent) return [...output, ...messages(hints, output.length)];
  hints.show(context);
  return output;
}

function failureItem({ context, byAgent }: AboutRun, failure: unknown, details: IDataObject): IDataObject {
  const error = mask(messageOf(byAgent ? inOneText(failure) : failure));
  const takesDetails = !byAgent && (context.getNode().onError !== 'continueErrorOutput' || ROUTES_DETAILS);
  return takesDetails && Object.keys(details).length > 0 ? { error, details } : { error };
}

/** Whether n8n sends an item with `details` to the error output: since 2.36, which shows in nothing else. */
const ROUTES_DETAILS = 'redactedHeaders' in workflow;

/** An agent sees only the output, so hints become its last items, and so does a note that the output is empty. */
function messages(hints: Hints, results: number): INodeExecutionData[] {
  const texts = hints.texts();
  if (results === 0 && texts.length === 0) texts.push('Nothing was found');
  return texts.map((message) => ({ json: { message }, pairedItem: { item: 0 } }));
}

/** Named, not spread: an object made by spreading has no room for one more key, and gets a second one for it. */
function withPairedItem({ json, binary }: OutputItem, item: number): INodeExecutionData {
  return binary === undefined ? { json, pairedItem: { item } } : { json, binary, pairedItem: { item } };
}

/** Refusals about records that are explained by a look at these. The others keep the service's words. */
const MAX_EXPLAINED = 10;

/** The outcomes, with refusals in words for a person: why a record is refused is read. */
async function readReasons(
  items: readonly Item[],
  outcomes: readonly Outcome[],
): Promise<readonly Outcome[]> {
  // Several items may share one refusal.
  const refusals = new Map<ServiceError, Item>();
  for (const [index, outcome] of outcomes.entries()) {
    const error = isFailure(outcome) ? outcome.error : undefined;
    if (isRefusal(error) && !refusals.has(error)) refusals.set(error, items[index]!);
  }
  const worded = new Map<unknown, unknown>();
  const aboutRecords = new Map<ApplicationSession, ServiceError[]>();
  let explained = 0;
  for (const [error, item] of refusals) {
    const { partKey, recordId } = error.details;
    if (partKey === undefined && (recordId === undefined || ++explained > MAX_EXPLAINED)) continue;
    const app = await settle(async () => await item.application());
    // An operation that needs no parts has not read the application before.
    if ('error' in app) worded.set(error, isRefusal(app.error) ? app.error : error);
    else if (partKey !== undefined) worded.set(error, namingPart(error, app.value.application.parts));
    else aboutRecords.set(app.value, [...(aboutRecords.get(app.value) ?? []), error]);
  }
  for (const [app, errors] of aboutRecords) {
    const words = await askWhyRefused(app, errors);
    for (const [index, error] of errors.entries()) worded.set(error, words[index]);
  }
  return outcomes.map((outcome) =>
    isFailure(outcome) && worded.has(outcome.error) ? { error: worded.get(outcome.error) } : outcome,
  );
}

/** Ends a run that does not go on after failures. A write in doubt comes first: somebody must look at it. */
function assertNoneFailed(
  { context, byAgent, memory }: AboutRun,
  ran: Ran,
  failures: readonly unknown[],
  isWrite: boolean,
): void {
  const doubtful = failures.findIndex(isIndeterminate);
  const ending = doubtful === -1 ? failures.findIndex((failure) => failure !== undefined) : doubtful;
  if (ending === -1) return;
  const error = isWrite ? withAccount(ending, memory, ran, failures) : failures[ending];
  // n8n puts "[item 0]" behind the message of an item's failure.
  const item = ran.isRefused || ending >= ran.outcomes.length ? undefined : ending;
  throw toNodeError(context.getNode(), byAgent ? inOneText(error) : withHeading(error), item);
}

/** Items or ranges of items that an account names. */
const MAX_NAMED = 20;

/** The failure that ends a run of writes, with what became of the items. `failures` may hold more than items. */
function withAccount(
  ending: number,
  memory: Run['memory'],
  { outcomes, isRefused }: Ran,
  failures: readonly unknown[],
): unknown {
  const error = failures[ending];
  const written: string[] = [];
  const open: number[] = [];
  for (const item of outcomes.keys()) {
    const ids = memory.writtenBy(item);
    // Where all were refused together, only what an earlier try has written is told.
    if (ids !== null && (isRefused || !isIndeterminate(failures[item])))
      written.push(`${item} (${ids.join(', ')})`);
    else if (!isRefused) open.push(item);
  }
  const unknown = open.filter((item) => isIndeterminate(failures[item]));
  const failed = open.filter((item) => failures[item] !== undefined && !isIndeterminate(failures[item]));
  const notSent = open.filter((item) => outcomes[item] === undefined && failures[item] === undefined);
  const named = [
    ['Written, with their IDs', written],
    ['Unknown whether written', unknown.length > 1 ? ranges(unknown) : []],
    ['Failed', failed.some((item) => item !== ending) ? ranges(failed) : []],
    ['Not sent', ranges(notSent)],
  ] as const;
  const account = named.flatMap(([what, all]) => (all.length === 0 ? [] : `${what}: items ${listed(all)}.`));
  if (account.length > 0) account.push(COUNTED_FROM_ZERO);
  // Where an earlier try left a write in doubt, nothing more is known.
  else if (!isRefused || failures.some(isIndeterminate)) return error;
  else if (memory.isBegun(NO_ITEM)) account.push('An earlier try may have removed records.');
  else account.push('Nothing was written.');
  return withText(error, account.join(' '));
}

function withText(error: unknown, text: string): UserError {
  if (!(error instanceof UserError))
    return new UserError(messageOf(error), text, error instanceof Error ? error : undefined);
  const { message, description } = error;
  return error.reworded(message, description === '' ? text : `${description}\n${text}`);
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
 * What a workflow can branch on: how an item ended that failed, which records and which part that is about. Nothing is
 * said of the outcome where the item was written, and something failed after that.
 * @param written the IDs of what the item has written, if anything.
 * @param named the records that the item names.
 */
function detailsOf(
  error: unknown,
  written: readonly string[] | null,
  named: readonly string[],
  isWrite: boolean,
): IDataObject {
  const { partKey, ids: told }: ServiceError['details'] = error instanceof ServiceError ? error.details : {};
  const ids = (error instanceof ConflictError ? error.ids : told) ?? written ?? named;
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
  const isFault =
    !(error instanceof UserError) || (error instanceof ServiceError && error.kind === 'unexpected');
  return isWrite && !isFault ? 'notDone' : null;
}
