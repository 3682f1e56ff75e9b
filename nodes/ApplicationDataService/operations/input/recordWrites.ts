import type { IDataObject, ResourceMapperValue } from 'n8n-workflow';

import { assertOffered, type EncodedPart } from '../../parts/encode';
import type { WriteContext, WriteValue } from '../../parts/model/codec';
import { withoutTriggerKeys } from '../../parts/model/keys';
import type { KeyMode, Part } from '../../parts/model/part';
import type { ApplicationSession } from '../../service/application/session';
import type { Insert } from '../../service/write/insert';
import type { ConflictPolicy } from '../../service/write/conflict';
import type { Update } from '../../service/write/update';
import type { Item } from '../run/item';
import { itemFiles } from './binaryFiles';
import { assertNoRevisionPart, type Change, mappedValues, withEmptiedParts } from './mapping';
import { UserError } from '../../util/userError';
import { namePart } from '../../parts/model/errors';
import { type PartChoice, strictChoice } from '../../common/setting';
import { chosenParts } from '../../parts/choose/chosenParts';
import type { FormOptions } from '../../service/write/form';
import { shorten } from '../../parts/values/describe';
import { readText } from '../../parts/values/shapes';
import { codecOf } from '../../parts/codecs';
import { canonicalText } from '../../parts/compare';
import { findPart } from '../../parts/model/lookup';
import type { MatchKey } from '../../service/read/keyedRecords';

/**
 * An item's values as a record to add.
 * @throws UserError if they cannot be written.
 */
export function readInsert(
  item: Item,
  app: ApplicationSession,
  given: readonly EncodedPart[],
  context: WriteContext,
  options: SentOptions,
): Insert {
  assertOffered(given, null, context);
  const values = asNew(item, given, 'record');
  return {
    values,
    context,
    options: formOptions(app, values, options),
    uploadSource: itemFiles(item, values),
  };
}

/** The options that say how a record is changed. */
interface ChangeOptions extends SentOptions {
  readonly tableRowMode?: 'merge' | 'replace';
  readonly skipUnchanged?: boolean;
}

/** Which record is changed, and what happens if somebody else changed it; by default, it is overwritten. */
type UpdateTarget = Pick<Update, 'id'> & Partial<Pick<Update, 'policy' | 'revision'>>;

/**
 * An item's change as an update.
 * @throws UserError if it cannot be written.
 */
export function readUpdate(
  item: Item,
  app: ApplicationSession,
  target: UpdateTarget,
  change: Change,
  context: WriteContext,
  options: ChangeOptions,
): Update {
  assertNoRevisionPart(change, context);
  // Each field is named: with thousands of items, spreading three objects into one takes as long as everything else
  // here.
  return {
    id: target.id,
    policy: target.policy ?? 'overwrite',
    revision: target.revision ?? null,
    values: change.values,
    emptied: change.emptied,
    context,
    parts: app.application.parts,
    known: knownOf(item),
    rowMode: options.tableRowMode ?? 'merge',
    skipUnchanged: options.skipUnchanged ?? false,
    options: formOptions(app, change.values, options),
    uploadSource: itemFiles(item, change.values),
  };
}

/**
 * The values that the item was read with. Values that an agent passes under a part's name, or that a mapping takes from
 * the item's json, are the new values instead.
 */
function knownOf(item: Item): IDataObject {
  const mapping = item.value('parts', {}) as { mappingMode?: unknown } | null | undefined;
  return item.run.byAgent || mapping?.mappingMode === 'autoMapInputData' ? {} : withoutTriggerKeys(item.json);
}

/** Distinguishes the calls of an agent. */
export function askedOf({ id, values, emptied = [], context }: Insert & Partial<Update>): object {
  const sent = values.map(({ part, value }) => [part.id, value]);
  return { keyMode: context.keyMode, id, values: sent, emptied: emptied.map((part) => part.id) };
}

/**
 * The values of a record or row that is yet to be made. Its rows are all new: where an item carries row ids, they
 * belong to the record it was read from. A hint counts the items with files of that record.
 * @throws UserError if nothing is left to write, or attachments are to be removed.
 */
export function asNew(
  item: Item,
  values: readonly EncodedPart[],
  what: 'record' | 'row',
): readonly EncodedPart[] {
  const fresh = values.flatMap(({ part, value }) =>
    value.kind === 'keep' ? [] : [{ part, value: newValue(part, value, what) }],
  );
  if (fresh.length === 0) {
    throw new UserError(
      'There is no value to write',
      `Map at least one part: attachments as Get returns them add no files to a new ${what}.`,
    );
  }
  if (holdsReadFiles(values)) {
    item.run.hints.add(
      `Attachments as Get returns them were left out of a new ${what}: to add them, download them and map their binary fields`,
    );
  }
  return fresh;
}

function newValue(part: Part, value: WriteValue, what: 'record' | 'row'): WriteValue {
  if (value.kind === 'files' && value.remove.length > 0) {
    throw new UserError(
      `Part ${namePart(part)}: a new ${what} has no attachments to remove`,
      'Enter only the binary fields to add.',
    );
  }
  if (value.kind !== 'rows') return value;
  return {
    kind: 'rows',
    rows: value.rows.map((row) => ({
      values: row.values.map((child) => ({
        part: child.part,
        value: newValue(child.part, child.value, what),
      })),
    })),
  };
}

function holdsReadFiles(values: readonly EncodedPart[]): boolean {
  return values.some(({ value }) =>
    value.kind === 'rows'
      ? value.rows.some((row) => holdsReadFiles(row.values))
      : value.kind === 'keep' && value.files !== undefined,
  );
}

/**
 * The context for writing an item's values. The key is never guessed: under the wrong one a value would be lost, or an
 * empty record added.
 * @param partKey what the option says; absent where no record can be added.
 * @throws UserError when it cannot be known which key the application takes.
 */
export async function writeContext(
  item: Item,
  app: ApplicationSession,
  partKey?: 'auto' | KeyMode,
): Promise<WriteContext> {
  const keyMode = partKey === undefined || partKey === 'auto' ? await app.keyMode() : partKey;
  if (keyMode !== null) {
    return {
      keyMode,
      timezone: item.timezone,
      ...(item.people && { people: item.people }),
      ...(item.run.byAgent && { emptyIsOmitted: true }),
    };
  }
  throw new UserError(
    `It is not known whether the application "${app.application.name}" takes part names or part identifiers`,
    partKey === undefined
      ? 'It has no record that the access key may see, so there is none to change. Check the application and the record ID.'
      : 'It has no record to find out from. Set the option "Part Key" to what the application\'s settings say for getting and setting data.',
  );
}

/** Where the values of an item go, and how they are written. */
interface Destination {
  readonly app: ApplicationSession;
  readonly context: WriteContext;
}

/**
 * The application that an item is written to, and the context for its values: found out once, where the parameters are
 * the same for all items.
 * @throws UserError as `writeContext`.
 */
export async function findDestination(
  item: Item,
  partKey: 'auto' | KeyMode,
  more: Partial<WriteContext> = {},
): Promise<Destination> {
  const find = async (): Promise<Destination> => {
    const app = await item.application();
    return { app, context: { ...(await writeContext(item, app, partKey)), ...more } };
  };
  // The names of people are looked up for those items only that need them.
  if (item.people !== undefined) return await find();
  return await item.run.parameters.derived(['application', 'options'], findDestination, find);
}

/** The options that are sent along. */
interface SentOptions {
  readonly autoAction: boolean;
  readonly relookupKeyParts?: PartChoice;
}

/**
 * What an insert or update sends in addition to the values.
 * @throws UserError when a lookup key part is not among the parts sent (interface.md, "insert_data").
 */
function formOptions(
  app: ApplicationSession,
  values: readonly EncodedPart[],
  { autoAction, relookupKeyParts }: SentOptions,
): FormOptions {
  const keyParts = chosenParts(app.application.parts, relookupKeyParts);
  const missing = keyParts.find(
    (part) => !values.some((sent) => sent.part === part && sent.value.kind !== 'keep'),
  );
  if (missing !== undefined) {
    throw new UserError(
      `The lookup key part "${missing.name}" has no value in this item`,
      'The service needs its value to copy values. Map a value to this part, or remove it from the lookup key parts.',
    );
  }
  return { autoAction, relookupKeyParts: keyParts.map((part) => part.id) };
}

/** What happens when somebody else changed the record meanwhile. */
export const conflictPolicy = strictChoice<ConflictPolicy>({
  displayName: 'If the Record Was Changed',
  name: 'conflictPolicy',
  type: 'options',
  options: [
    {
      name: 'Fail',
      value: 'fail',
      description: 'Write nothing and fail with an error that names the differences',
    },
    {
      name: 'Merge',
      value: 'merge',
      description: 'Write if nobody changed the same parts since the item was read; otherwise fail',
    },
    { name: 'Overwrite', value: 'overwrite', description: 'Write anyway; the last writer wins' },
    {
      name: 'Skip',
      value: 'skip',
      description: 'Write nothing and return the outcome "conflict"',
    },
  ],
  default: 'overwrite',
  description: 'What to do if someone changed the record after the item was read',
});

/**
 * The revision an item goes by.
 * @throws UserError when it is no revision: without one nothing could be guarded.
 */
export function readRevision(item: Item): number {
  const text = readText(item.value('revision', '')).trim();
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new UserError(
    text === '' ? 'The revision is empty' : `"${text}" is not a valid revision`,
    'Enter the revision that the record had when it was read, for example {{ $json.revision }}, or select Overwrite.',
  );
}

/** @throws UserError where Merge cannot know which values the item was read with. */
export function assertMergeable(item: Item, policy: ConflictPolicy): void {
  if (policy === 'merge' && item.run.byAgent) {
    throw new UserError(
      'Merge does not work with an AI agent: it does not return the values that it has read',
      'In the node, select Fail and let the model fill in the revision that it has read.',
    );
  }
  const mapping = item.value('parts') as { mappingMode?: unknown } | null | undefined;
  if (policy !== 'merge' || mapping?.mappingMode !== 'autoMapInputData') return;
  throw new UserError(
    'Merge does not work with Map Automatically',
    'The input then contains the new values, so the values that were read are unknown. Map the parts one by one.',
  );
}

/** What an item wants of the record that its key belongs to: Create or Update, and Sync. */
export interface KeyedChange {
  readonly item: Item;
  readonly app: ApplicationSession;
  readonly context: WriteContext;
  /** The matching parts, and the item's texts for them; empty where it has none. */
  readonly parts: readonly Part[];
  readonly key: MatchKey;
  /** What changes, as an update that overwrites, of a record that is found later. */
  readonly update: Update;
}

/** The options that say how an item with a key is read. */
interface KeyedOptions extends ChangeOptions {
  readonly ignoreUnknown: boolean;
  readonly partsToEmpty: PartChoice;
}

/**
 * Reads an item with a key. Anything that an update would refuse is refused here, before anything is matched or
 * written.
 * @throws UserError without a matching part; for values that cannot be written.
 */
export function readKeyedChange(
  item: Item,
  { app, context }: Destination,
  options: KeyedOptions,
): KeyedChange {
  const parts = matchingParts(item, app);
  const mapped = mappedValues(item, app.application.parts, context, options.ignoreUnknown);
  const key = parts.map((part) => matchingText(part, mapped));
  const change = withEmptiedParts(mapped, app.application.parts, options.partsToEmpty, context);
  const update = readUpdate(item, app, { id: '' }, change, context, options);
  return { item, app, context, parts, key, update };
}

/**
 * The parts by which an item's record is found.
 * @throws UserError if none is chosen.
 */
function matchingParts(item: Item, app: ApplicationSession): readonly Part[] {
  return item.run.parameters.derived(['parts'], app, () => {
    const mapping = item.value('parts') as Partial<ResourceMapperValue> | null | undefined;
    // The editor writes a list of texts; an expression may return one alone, or the ID as a number.
    const columns = [mapping?.matchingColumns ?? []].flat().map(String);
    if (columns.length > 0) return [...new Set(columns.map((text) => findPart(app.application.parts, text)))];
    throw new UserError(
      'Select the part that identifies the record',
      'Select one or more parts to match on, for example a unique customer number.',
    );
  });
}

/**
 * The text of a matching part among an item's values; empty if it has none.
 * @throws UserError for a part that holds no plain value; for a text that it cannot hold.
 */
export function matchingText(part: Part, values: readonly EncodedPart[]): string {
  const value = values.find((each) => each.part === part)?.value;
  if (value === undefined || value.kind === 'keep') return '';
  if (value.kind === 'text') {
    assertHeld(part, value.text);
    return canonicalText(part, value.text);
  }
  throw new UserError(
    `Records cannot be found by ${namePart(part)}: it holds ${value.kind === 'files' ? 'files' : 'rows'}`,
    'Match on a part that holds a plain value.',
  );
}

/** A key that is cut when it is stored would never be found, and its record added at every run. */
function assertHeld(part: Part, { length }: string): void {
  const { maxLength = Infinity } = codecOf(part);
  if (length <= maxLength) return;
  throw new UserError(
    `Records cannot be found by ${namePart(part)} here: the value has ${length} characters, and the part holds ${maxLength}`,
    'Match on a shorter text, for example a number of your own.',
  );
}

/** A key, as messages name it. */
export function nameKey(parts: readonly Part[], key: MatchKey): string {
  return parts.map((part, index) => `${namePart(part)} = "${shorten(key[index] ?? '', 60)}"`).join(' and ');
}
