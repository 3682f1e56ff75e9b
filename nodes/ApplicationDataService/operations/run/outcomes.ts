import * as workflow from 'n8n-workflow';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { inOneText, toNodeError, withHeading } from '../../common/errors';
import type { ApplicationSession } from '../../service/application/session';
import { isInDoubt, isRefusal, ServiceError } from '../../service/http/errors';
import { mask } from '../../service/http/credentials';
import { askWhyRefused, namingPart } from '../../service/read/notThere';
import { pause, settle } from '../../util/concurrently';
import { messageOf, UserError } from '../../util/userError';
import type { Item, Run } from './item';
import { NO_ITEM } from './memory';
import type { Outcome } from './types';

export interface Ran {
  readonly outcomes: readonly Outcome[];
  /** Results that belong to no item. */
  readonly rest: readonly Outcome[];
  /** Whether all items were refused together, so that no failure belongs to one item. */
  readonly isRefused: boolean;
}

/** What is known of a run before its first request. */
type AboutRun = Pick<Run, 'context' | 'byAgent' | 'memory' | 'hints'>;

function errorOf(outcome: Outcome): unknown {
  return outcome !== undefined && 'error' in outcome ? outcome.error : undefined;
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
  const outcomes = [...(await explained(items, ran.outcomes)), ...ran.rest];
  const itemOf = (index: number): number => (index < ran.outcomes.length ? index : NO_ITEM);
  const isDone = (outcome: Outcome): boolean => outcome !== undefined && 'value' in outcome;
  const ended = outcomes.map((outcome, index) => [itemOf(index), errorOf(outcome)] as const);
  memory.endTry(outcomes.every(isDone), ended);
  const failures = ended.map(([, error], index) =>
    isDone(outcomes[index]) ? undefined : failureOf(memory, index, error),
  );
  if (!context.continueOnFail() || ran.isRefused)
    assertNoneFailed(run, ran, [...failures, failureOf(memory, NO_ITEM, undefined)], isWrite);
  const output: INodeExecutionData[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    await pause();
    const pairedItem = { item: Math.max(0, itemOf(index)) };
    if (outcome === undefined) continue;
    if ('error' in outcome) {
      const written = idsWritten(memory, index);
      const details = detailsOf(failures[index], written, items[index]?.recordIds ?? [], isWrite);
      output.push({ json: failureItem(run, failures[index], details), pairedItem });
      continue;
    }
    for (const { json, binary } of outcome.value)
      output.push({ json, ...(binary && { binary }), pairedItem });
  }
  if (!byAgent) hints.show(context);
  // An agent sees only the output, so hints become its last items, and so does a note that the output is empty.
  const texts = hints.texts();
  if (!byAgent) return output;
  if (output.length + texts.length === 0) texts.push('Nothing was found');
  return [...output, ...texts.map((message) => ({ json: { message }, pairedItem: { item: 0 } }))];
}

/**
 * What to report for an item that failed or was not begun (`error` undefined). Before its write was judged, the cause
 * says nothing about what an earlier try did: that is still in doubt, or finished.
 */
function failureOf(memory: Run['memory'], item: number, error: unknown): unknown {
  if (isInDoubt(error)) return error;
  const doubt = memory.doubtOf(item);
  if (doubt !== null) return doubt;
  const written = memory.writtenBy(item);
  if (error === undefined || memory.isReached(item) || written === null || written.isOpen) return error;
  return new UserError(
    `An earlier try wrote this item (${written.outcome}), but a further try failed: ${messageOf(error)}`,
    'The write itself is finished; do not repeat it.',
  );
}

function idsWritten(memory: Run['memory'], item: number): readonly string[] | null {
  return memory.writtenBy(item)?.ids ?? null;
}

function failureItem({ context, byAgent }: AboutRun, failure: unknown, details: IDataObject): IDataObject {
  const error = mask(messageOf(byAgent ? inOneText(failure) : failure));
  const takesDetails =
    !byAgent && (context.getNode().onError !== 'continueErrorOutput' || ERROR_OUTPUT_TAKES_DETAILS);
  return takesDetails && Object.keys(details).length > 0 ? { error, details } : { error };
}

/** Whether n8n sends an item with `details` to the error output: since 2.36, which shows in nothing else. */
const ERROR_OUTPUT_TAKES_DETAILS = 'redactedHeaders' in workflow;

/** Refusals about records that are explained by a look at these. The others keep the service's words. */
const MAX_EXPLAINED = 10;

/** The outcomes, with refusals in words for a person: why a record is refused is read. */
async function explained(items: readonly Item[], outcomes: readonly Outcome[]): Promise<readonly Outcome[]> {
  const worded = new Map<unknown, unknown>();
  const aboutRecords = new Map<ApplicationSession, ServiceError[]>();
  let looks = 0;
  for (const [index, error] of outcomes.map(errorOf).entries()) {
    // Several items may share one refusal.
    if (!isRefusal(error) || worded.has(error)) continue;
    worded.set(error, error);
    const { partKey, explain } = error.details;
    if (partKey === undefined && (explain === undefined || ++looks > MAX_EXPLAINED)) continue;
    const app = await settle(async () => await items[index]!.application());
    // An operation that needs no parts has not read the application before.
    if ('error' in app) worded.set(error, isRefusal(app.error) ? app.error : error);
    else if (partKey !== undefined) worded.set(error, namingPart(error, app.value.application.parts));
    else aboutRecords.set(app.value, [...(aboutRecords.get(app.value) ?? []), error]);
  }
  for (const [app, errors] of aboutRecords) {
    const words = await askWhyRefused(app, errors);
    for (const [index, error] of errors.entries()) worded.set(error, words[index]);
  }
  return outcomes.map((outcome) => {
    const error = errorOf(outcome);
    return worded.has(error) ? { error: worded.get(error) } : outcome;
  });
}

/** Ends a run that does not go on after failures. A write in doubt comes first: somebody must look at it. */
function assertNoneFailed(
  { context, byAgent, memory }: AboutRun,
  ran: Ran,
  failures: readonly unknown[],
  isWrite: boolean,
): void {
  const doubtful = failures.findIndex(isInDoubt);
  const ending = doubtful === -1 ? failures.findIndex((failure) => failure !== undefined) : doubtful;
  if (ending === -1) return;
  const text = isWrite ? accountOf(ending, memory, ran, failures) : '';
  const thrown = failures[ending];
  const worded =
    thrown instanceof UserError
      ? thrown
      : new UserError(messageOf(thrown), '', thrown instanceof Error ? thrown : undefined);
  const description = [worded.description, text].filter((each) => each !== '').join('\n');
  const error = text === '' ? thrown : worded.reworded(worded.message, description);
  // n8n puts "[item 0]" behind the message of an item's failure.
  const item = ran.isRefused || ending >= ran.outcomes.length ? undefined : ending;
  throw toNodeError(context.getNode(), byAgent ? inOneText(error) : withHeading(error), item);
}

/** What became of the items of a run of writes; empty if only one failed. `failures` may hold more than items. */
function accountOf(
  ending: number,
  memory: Run['memory'],
  { outcomes, isRefused }: Ran,
  failures: readonly unknown[],
): string {
  const written: string[] = [];
  const open: number[] = [];
  for (const item of outcomes.keys()) {
    const ids = idsWritten(memory, item);
    // Where all were refused together, only what an earlier try has written is told.
    if (ids !== null && (isRefused || !isInDoubt(failures[item])))
      written.push(`${item} (${ids.join(', ')})`);
    else if (!isRefused) open.push(item);
  }
  const unknown = open.filter((item) => isInDoubt(failures[item]));
  const failed = open.filter((item) => failures[item] !== undefined && !isInDoubt(failures[item]));
  const notSent = open.filter((item) => outcomes[item] === undefined && failures[item] === undefined);
  const account = [
    tell('Written, with their IDs', written),
    tell('Unknown whether written', unknown.length > 1 ? ranges(unknown) : []),
    tell('Failed', failed.some((item) => item !== ending) ? ranges(failed) : []),
    tell('Not sent', ranges(notSent)),
  ].join('');
  if (account !== '') return account.trim();
  // Where an earlier try left a write in doubt, nothing more is known.
  if (!isRefused || failures.some(isInDoubt)) return '';
  return memory.isBegun(NO_ITEM) ? 'An earlier try may have removed records.' : 'Nothing was written.';
}

/** Items or ranges of items that an account names. */
const MAX_ITEMS_TOLD = 20;

function tell(what: string, items: readonly string[]): string {
  const rest = items.length - MAX_ITEMS_TOLD;
  const named = `${items.slice(0, MAX_ITEMS_TOLD).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  return items.length === 0 ? '' : `${what}: items ${named}. `;
}

/** `2, 3, 4, 9` as `2 to 4` and `9`. */
function ranges(items: readonly number[]): string[] {
  const starts = items.filter((item, index) => items[index - 1] !== item - 1);
  const ends = items.filter((item, index) => items[index + 1] !== item + 1);
  return starts.map((start, index) => (start === ends[index] ? `${start}` : `${start} to ${ends[index]}`));
}

/**
 * What a workflow can branch on: how an item ended that failed, which records and which part that is about; and what a
 * person can do.
 * @param written the IDs of what the item has written, if anything: then no outcome is given of what failed later.
 */
function detailsOf(
  error: unknown,
  written: readonly string[] | null,
  named: readonly string[],
  isWrite: boolean,
): IDataObject {
  const details: ServiceError['details'] = error instanceof ServiceError ? error.details : {};
  const ids = details.ids ?? written ?? named;
  const part = error instanceof UserError ? (error.part ?? details.partKey) : undefined;
  const isWritten = written !== null && ids.every((id) => written.includes(id));
  const outcome = outcomeOf(error, isWritten, isWrite);
  const hint = error instanceof UserError ? mask(error.description) : '';
  return {
    ...(outcome !== null && { outcome }),
    ...(ids.length > 0 && { ids: [...ids] }),
    ...(part !== undefined && { part }),
    ...(hint !== '' && { hint }),
  };
}

function outcomeOf(error: unknown, isWritten: boolean, isWrite: boolean): string | null {
  const kind = error instanceof ServiceError ? error.kind : null;
  if (kind === 'notBegun') return 'notDone';
  if (kind === 'inDoubt') return 'unknown';
  if (kind === 'conflict') return kind;
  if (isWritten) return null;
  if (kind === 'refused') return kind;
  // Anything else that is thrown is a fault of ours.
  return isWrite && error instanceof UserError && kind !== 'unexpected' ? 'notDone' : null;
}
