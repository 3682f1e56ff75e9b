import type { IDataObject, ResourceMapperValue } from 'n8n-workflow';

import type { PartChoice } from '../../common/setting';
import { canonicalText, holds } from '../../parts/compare';
import { assertOffered, type EncodedPart, hasUnoffered } from '../../parts/encode';
import type { KeyMode, Part, WriteContext } from '../../parts/model/part';
import { namePart } from '../../parts/model/errors';
import { findPart } from '../../parts/model/lookup';
import type { SimplifiedRecord } from '../../parts/record';
import { valueOf } from '../../parts/types/entries';
import { describeValue, shorten } from '../../parts/values/describe';
import { readText } from '../../parts/values/shapes';
import type { ApplicationSession } from '../../service/application/session';
import type { MatchKey } from '../../service/read/keyedRecords';
import type { ShownRecord } from '../../service/read/records';
import { insertRecord, isLostInsert } from '../../service/write/insert';
import { arePlain, type KeyedUpdate, type Update } from '../../service/write/update';
import type { Checkpoint, ItemOutcome, Progress } from '../../service/write/checkpoint';
import { planRecord, writeRecord } from '../../service/write/writeRecord';
import { attempt } from '../../util/concurrently';
import { UserError } from '../../util/userError';
import { NO_FILES, uploadsOf } from '../input/binaryFiles';
import {
  type ChangeOptions,
  insertOf,
  mappedValues,
  type SharedWriting,
  sharedWriting,
  updateOf,
} from '../input/recordWrites';
import { plannedRecord, presentDryRun } from '../output/written';
import type { Item } from '../run/item';
import type { Outcome } from '../run/types';

interface KeyedOptions extends ChangeOptions {
  readonly ignoreUnknown: boolean;
  readonly partKey: 'auto' | KeyMode;
  readonly partsToEmpty: PartChoice;
}

/** What an item wants of the record that its key belongs to: Create or Update, and Sync. */
export interface KeyedWork<O extends KeyedOptions = KeyedOptions> {
  readonly item: Item;
  readonly app: ApplicationSession;
  readonly options: O;
  /** The matching parts, and the item's texts for them; empty where it has none. */
  readonly parts: readonly Part[];
  readonly key: MatchKey;
  /** What changes, as an update that overwrites, of a record that is found later. */
  readonly update: KeyedUpdate;
}

/** The record with the key, under which revision it is written, and what it is compared with. */
export interface Target extends Pick<Update, 'id' | 'revision'> {
  /** `null` to read it first. */
  readonly shown: ShownRecord | null;
}

/**
 * Reads an item with a key: at once where its application is known and it has no files, as most of thousands. What an
 * update would refuse is refused here, before anything is matched or written.
 * @param meaning how its values are meant, other than in any write.
 * @param toWork makes the operation's work of it.
 * @throws UserError without a matching part; for values that cannot be written.
 */
export function readKeyed<O extends KeyedOptions, W extends KeyedWork<O>>(
  item: Item,
  options: O,
  meaning: Partial<WriteContext>,
  toWork: (keyed: KeyedWork<O>) => W,
): W | Promise<W> {
  const read = ({ app, context }: SharedWriting): W | Promise<W> => {
    const writing = { item, app, context };
    const parts = matchingParts(item, app);
    const values = mappedValues(writing, options);
    const key = parts.map((part) => matchingText(part, values));
    const change = updateOf(writing, { id: '', contents: NO_FILES }, values, options);
    const work = toWork({ item, app, options, parts, key, update: { ...change, matched: { parts, key } } });
    return arePlain(values) ? work : withUploads(work);
  };
  const shared = sharedWriting(item, options.partKey, meaning);
  return shared instanceof Promise ? shared.then(read) : read(shared);
}

async function withUploads<W extends KeyedWork>(work: W): Promise<W> {
  const { item, update } = work;
  return { ...work, update: { ...update, contents: await uploadsOf(item, update.values) } };
}

/** The parts by which a record is found. @throws UserError if none is chosen. */
function matchingParts(item: Item, app: ApplicationSession): readonly Part[] {
  return item.run.parameters.derived(['parts'], app, () => {
    const mapping = item.value('parts') as Partial<ResourceMapperValue> | null | undefined;
    // The editor writes a list of texts; an expression may return one alone, or the ID as a number.
    const columns = [mapping?.matchingColumns ?? []]
      .flat()
      .map((each) => readText(each) || describeValue(each));
    if (columns.length > 0) return [...new Set(columns.map((text) => findPart(app.application.parts, text)))];
    throw new UserError(
      'Select the part that identifies the record',
      'Select one or more parts to match on, for example a unique customer number.',
    );
  });
}

/**
 * The text of a matching part; empty if the item has none.
 * @throws UserError for a part that holds no plain value; for a text that would be cut when it is stored: it would
 * never be found, and its record added at every run.
 */
export function matchingText(part: Part, values: readonly EncodedPart[]): string {
  const value = values.find((each) => each.part === part)?.value;
  if (value === undefined || value.kind === 'keep') return '';
  if (value.kind !== 'text') {
    throw new UserError(
      `Records cannot be found by ${namePart(part)}: it holds ${value.kind === 'files' ? 'files' : 'rows'}`,
      'Match on a part that holds a plain value.',
    );
  }
  const { maxLength = Infinity } = part.codec;
  if (value.text.length <= maxLength) return canonicalText(part, value.text);
  throw new UserError(
    `Records cannot be found by ${namePart(part)} here: the value has ${value.text.length} characters, and the part holds ${maxLength}`,
    'Match on a shorter text, for example a number of your own.',
  );
}

/** A key, as messages name it: as it is read, in one line. */
export function nameKey(parts: readonly Part[], key: MatchKey): string {
  const named = parts.map((part, index) => {
    const text = key[index] ?? '';
    const value = part.codec.members === undefined ? part.codec.read({ val: text }, part) : text.split('\t');
    const shown = [value]
      .flat()
      .map(readText)
      .join(', ')
      .replace(/[\r\n\t]+/g, ' ');
    return `${namePart(part)} = "${shorten(shown, 60)}"`;
  });
  return named.join(' and ');
}

/** Why an item cannot be written: it has a choice that is no longer offered, and its record does not hold it. */
export function choiceRefusal({ update }: KeyedWork, record: SimplifiedRecord | null): Outcome {
  if (!hasUnoffered(update.values)) return undefined;
  const checked = attempt(() => assertOffered(update.values, record, update.context));
  return 'error' in checked ? checked : undefined;
}

/**
 * Writes an item to the record of its key, or adds that record. What an earlier try has begun is finished, whatever
 * records have the key now.
 * @throws as `insertRecord` and `writeRecord`.
 */
export async function writeKeyed(
  { item, app, options, update }: KeyedWork,
  target: Target | null,
  checkpoint: Checkpoint,
): Promise<Progress> {
  const { progress, doubt } = checkpoint;
  const isInsert =
    progress === null ? target === null || isLostInsert(doubt) : progress.items[0]?.outcome === 'created';
  if (isInsert) {
    const insert = insertOf({ item, app }, update, options);
    return await insertRecord(app, insert, update, checkpoint);
  }
  const { id, revision, shown } = target ?? { id: progress!.id, revision: null, shown: null };
  const isBegun = (progress ?? doubt) !== null;
  if (!isBegun && shown !== null && holdsAllOf(update, shown.record))
    return { id, items: [{ outcome: 'unchanged' }] };
  const written = await writeRecord(app, { ...update, id: progress?.id ?? id, revision }, checkpoint, shown);
  hintAtOtherFiles(item, written.items);
  return written;
}

/** Whether a record shows that nothing is to be sent, as most records of a long list do. */
export function holdsAllOf(update: Update, record: SimplifiedRecord): boolean {
  const { values, context, sends } = update;
  if (!arePlain(values) || sends === 'all') return false;
  return values.every(
    ({ part, value }) => holds(part, value, valueOf(record, part, context), context) === true,
  );
}

/** What `writeKeyed` would do, and the record as it would be then, but for rows and files; a new one without an ID. */
export async function planKeyed(
  { item, app, options, update }: KeyedWork,
  target: Target | null,
): Promise<{ readonly json: IDataObject; readonly planned: ShownRecord }> {
  const { context } = update;
  if (target === null) {
    const insert = insertOf({ item, app }, update, options);
    const json = presentDryRun(app, insert, { outcome: 'created', values: insert.values }, null);
    const record = plannedRecord({ id: null, revision: null }, insert.values, context);
    return { json, planned: { id: '', revision: null, record } };
  }
  const { id, revision, shown } = target;
  const plan = await planRecord(app, { ...update, id, revision }, shown);
  const { current, values, items } = plan;
  hintAtOtherFiles(item, items);
  const json = { ...(id !== '' && { id }), ...presentDryRun(app, update, plan, current) };
  return { json, planned: { ...current, record: plannedRecord(current.record, values, context) } };
}

function hintAtOtherFiles({ run }: Item, [{ otherFiles = 0 } = {}]: readonly Partial<ItemOutcome>[]): void {
  run.hints.tally(
    'Files left as they are, because the record holds a file of the same name and another size',
    otherFiles,
  );
}
