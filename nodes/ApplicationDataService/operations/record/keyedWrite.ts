import type { IDataObject } from 'n8n-workflow';

import { holds } from '../../parts/compare';
import { assertOffered, hasUnoffered } from '../../parts/encode';
import type { SimplifiedRecord } from '../../parts/record';
import { valueOf } from '../../parts/types/entries';
import type { NearKeys } from '../../service/read/keyedRecords';
import type { CurrentRecord } from '../../service/read/records';
import type { Checkpoint, Done } from '../../service/write/checkpoint';
import { insertRecord, isLostInsert } from '../../service/write/insert';
import type { Update } from '../../service/write/update';
import { planRecord, writeRecord } from '../../service/write/writeRecord';
import { attempt } from '../../util/concurrently';
import { readInsert, type SentOptions } from '../input/recordWrites';
import { presentDryRun } from '../output/dryRun';
import { hintAtNearKey } from '../output/warnings';
import type { Outcome } from '../run/types';
import type { KeyedChange } from './keyedChange';

/** An item of Create or Update or of Sync, whose key was looked for. */
export interface KeyedWork extends KeyedChange {
  readonly options: SentOptions;
  /** The records that were read to find the one with the key; `null` before that. */
  near: NearKeys | null;
}

/** The record with the key, and what it is compared with: `null` to read it first. */
export interface Target {
  readonly id: string;
  readonly known: CurrentRecord | null;
}

/**
 * Writes an item to the record of its key, or adds that record. What an earlier try has begun is finished, whatever
 * records have the key now.
 * @param target `null` if no record has the key.
 * @throws as `insertRecord` and `writeRecord`.
 */
export async function writeKeyed(
  work: KeyedWork,
  update: Update,
  target: Target | null,
  checkpoint: Checkpoint,
): Promise<Done> {
  const { app, item, context, options, parts, key } = work;
  const { done, indeterminate } = checkpoint;
  const isInsert =
    done === null ? target === null || isLostInsert(indeterminate) : done.outcome === 'created';
  if (!isInsert) {
    const id = done?.id ?? target!.id;
    const known = target?.known ?? null;
    if ((done ?? indeterminate) === null && known !== null && holdsAllOf(update, known.record))
      return { id, outcome: 'unchanged' };
    return withHint(work, await writeRecord(app, { ...update, id }, checkpoint, known));
  }
  const insert = readInsert(item, app, update.values, context, options);
  const added = await insertRecord(app, insert, { parts, key, update }, checkpoint);
  if (target === null && added.outcome === 'created') hintAtNearKey(work, 'was added');
  return withHint(work, added);
}

/** Whether a record shows that nothing is to be sent, as most records of a long list do. */
export function holdsAllOf(update: Update, record: SimplifiedRecord): boolean {
  const { values, context, skipUnchanged, stateOf } = update;
  if (!isPlain(update) || !(skipUnchanged || stateOf !== undefined)) return false;
  return values.every(
    ({ part, value }) => holds(part, value, valueOf(record, part, context), context) === true,
  );
}

/** Whether each value can be compared by itself, unlike rows and files, which are placed among others. */
export function isPlain({ values, emptied }: Update): boolean {
  return emptied.length === 0 && values.every(({ value: { kind } }) => kind === 'text' || kind === 'keep');
}

/** What `writeKeyed` would do, as an item. Nothing is written. */
export async function planKeyed(
  work: KeyedWork,
  update: Update,
  target: Target | null,
): Promise<IDataObject> {
  const { app, item, context, options } = work;
  if (target === null) {
    const insert = readInsert(item, app, update.values, context, options);
    hintAtNearKey(work, 'would be added');
    return presentDryRun(app, insert, { outcome: 'created', values: insert.values }, null);
  }
  const { id, known } = target;
  const { plan, current } = await planRecord(app, { ...update, id }, known);
  withHint(work, plan);
  return { id, ...presentDryRun(app, update, plan, current) };
}

function withHint<T extends Pick<Done, 'found'>>({ item }: KeyedWork, done: T): T {
  item.run.hints.tally(
    'Files left as they are, because the record holds a file of the same name and another size',
    Number(done.found?.otherFiles ?? 0),
  );
  return done;
}

/** Why an item cannot be written: it has a choice that is no longer offered, and its record does not hold it. */
export function choiceRefusal({ update, context }: KeyedWork, record: SimplifiedRecord | null): Outcome {
  if (!hasUnoffered(update.values)) return undefined;
  const checked = attempt(() => assertOffered(update.values, record, context));
  return 'error' in checked ? checked : undefined;
}
