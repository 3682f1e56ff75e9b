import type { IDataObject } from 'n8n-workflow';

import { isDoubt, isRefusal, ServiceError } from '../../service/http/errors';
import { ConflictError } from '../../service/write/diff';
import { messageOf, UserError } from '../../util/userError';
import { COUNTED_FROM_ZERO } from './itemNumbers';
import type { WriteMemory } from './memory';
import type { Ran } from './runWrites';
import type { Outcome } from './types';

/** The error of an outcome; `undefined` if it did not fail. */
export function errorOf(outcome: Outcome): unknown {
  return outcome !== undefined && 'error' in outcome ? outcome.error : undefined;
}

/** What to report for each item; `undefined` if there is no failure. */
export function failuresOf(memory: WriteMemory, outcomes: readonly Outcome[]): unknown[] {
  return outcomes.map((outcome, item) => {
    if (outcome !== undefined && 'value' in outcome) return undefined;
    return memory.failureOf(item, errorOf(outcome));
  });
}

/**
 * The failure that ends a run. A write in doubt comes before all others, because somebody must look at it before running anything
 * again. `null` if nothing failed.
 */
export function endingFailure(failures: readonly unknown[]): { item: number; error: unknown } | null {
  const doubtful = failures.findIndex(isDoubt);
  const item = doubtful === -1 ? failures.findIndex((failure) => failure !== undefined) : doubtful;
  return item === -1 ? null : { item, error: failures[item] };
}

/** How many items or ranges of items an account names. */
const MOST_NAMED = 20;

/**
 * The failure that ends a run of writes, with what became of the other items.
 * @param failures of the items, and of what belongs to none
 */
export function withAccount(
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
  if (named.length === 0 && (!ran.isRefused || failures.some(isDoubt))) return error;
  const account = named.length === 0 ? 'Nothing was written.' : [...named, COUNTED_FROM_ZERO].join(' ');
  if (!(error instanceof UserError)) return new UserError(messageOf(error), account);
  return error.reworded(
    error.message,
    `${error.description}${error.description === '' ? '' : '\n'}${account}`,
  );
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
    if (isDoubt(failures[item]) && !isRefused) unknown.push(item);
    else if (ids !== null) written.push(`${item} (${ids.join(', ')})`);
    else if (failures[item] !== undefined) failed.push(item);
    else if (outcome === undefined) notSent.push(item);
  }
  return { written, unknown, failed, notSent };
}

function listed(all: readonly string[]): string {
  const rest = all.length - MOST_NAMED;
  return `${all.slice(0, MOST_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** `2, 3, 4, 9` as `2 to 4` and `9`. */
function ranges(items: readonly number[]): string[] {
  const starts = items.filter((item, index) => items[index - 1] !== item - 1);
  const ends = items.filter((item, index) => items[index + 1] !== item + 1);
  return starts.map((start, index) => (start === ends[index] ? `${start}` : `${start} to ${ends[index]}`));
}

/**
 * What a workflow can branch on: how an item ended that failed, which records and which part that is about, as far as they
 * are known. Nothing is said of the outcome where the item was written, and something failed after that.
 * @param written the IDs of what the item has written; `null` if it has written nothing.
 */
export function detailsOf(error: unknown, written: readonly string[] | null, isWrite: boolean): IDataObject {
  const { ids = written, partKey } = error instanceof ServiceError ? error.details : {};
  const part = error instanceof UserError ? (error.part ?? partKey) : undefined;
  const outcome = outcomeOf(error, written !== null && ids === written, isWrite);
  return {
    ...(outcome !== null && { outcome }),
    ...(ids !== null && ids.length > 0 && { ids: [...ids] }),
    ...(part !== undefined && { part }),
  };
}

function outcomeOf(error: unknown, isWritten: boolean, isWrite: boolean): string | null {
  if (isDoubt(error)) return 'unknown';
  if (error instanceof ConflictError) return 'conflict';
  if (isWritten) return null;
  if (isRefusal(error)) return 'refused';
  const isOurs =
    error instanceof UserError && !(error instanceof ServiceError && error.kind === 'unexpected');
  return isWrite && isOurs ? 'notDone' : null;
}
