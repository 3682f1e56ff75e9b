import type { ResourceMapperValue } from 'n8n-workflow';

import type { PartChoice } from '../../common/setting';
import { chosenParts } from '../../parts/choose';
import { assertOffered, type EncodedPart, encodeValue, encodeValues, hasUnoffered } from '../../parts/encode';
import { namePart } from '../../parts/model/errors';
import { asOutput, partKey } from '../../parts/model/keys';
import { partsCalled } from '../../parts/model/lookup';
import { KEEP, type KeyMode, type Part, type WriteContext } from '../../parts/model/part';
import { describeList, describeValue } from '../../parts/values/describe';
import { jsonOrValue } from '../../parts/values/given';
import { isBlank, isMissing, isObject } from '../../parts/values/shapes';
import type { ApplicationSession } from '../../service/application/session';
import { readCurrent } from '../../service/read/records';
import type { FormOptions } from '../../service/write/form';
import type { Insert } from '../../service/write/insert';
import type { Update } from '../../service/write/update';
import { attempt } from '../../util/concurrently';
import { UserError } from '../../util/userError';
import { isEmptyExpression, type Item } from '../run/item';

/** An item, what it writes to, and how its values are meant. */
export interface Writing {
  readonly item: Item;
  readonly app: ApplicationSession;
  readonly context: WriteContext;
}

/** What thousands of items share that name the application alike. */
export type SharedWriting = Omit<Writing, 'item'>;

/**
 * The part values that an item is to write, of a record or of a row in a table part, checked and ready to send, with
 * those that empty parts.
 * @throws UserError for values that cannot be written; for a part that has a value, but is also one to empty.
 */
export function mappedValues(
  { item, app, context }: Writing,
  { ignoreUnknown, partsToEmpty }: { readonly ignoreUnknown: boolean; readonly partsToEmpty?: PartChoice },
  table?: Part,
): readonly EncodedPart[] {
  const { input, automatic, missing } = mappedInput(item, table === undefined ? 'parts' : 'row');
  const parts = table?.children ?? app.application.parts;
  const encoded = encodeValues(input, parts, context, { automatic, ignoreUnknown });
  const { passedOver, ownKeys, unknown } = encoded;
  const { byAgent, hints } = item.run;
  // An item whose fields all turn out not to be sent is not one without fields, as a model's call: its record is read.
  const kept = byAgent ? [] : missing.flatMap((key) => keptPart(parts, key));
  const values = encoded.values.length > 0 ? encoded.values : kept;
  if (passedOver.length > 0) {
    const names = [...new Set(passedOver)].map(({ name }) => name);
    hints.add(`Ignored because they cannot be written: ${describeList(names, 20)}`, 'ignored parts');
  }
  if (ownKeys.length > 0) {
    const example = describeValue(`${ownKeys[0]} (part)`);
    hints.add(
      `Ignored as keys of the nodes' own output, although parts are called so: ${describeList(ownKeys, 20)}. To write such a part, name its key ${example}`,
      'own keys',
    );
  }
  if (unknown.length > 0)
    hints.add(`Ignored because there are no such parts: ${describeList(unknown, 20)}`, 'ignored keys');
  // A model may leave out every field that it is offered.
  if (!byAgent) hints.tally('Fields not sent because their expressions returned nothing', missing.length);
  const toEmpty = chosenParts(parts, partsToEmpty);
  if (toEmpty.length === 0) return values;
  const emptied = toEmpty.map((part): EncodedPart => {
    const empty = encodeValue(part, null, parts, context);
    const given = values.find((each) => each.part === part)?.value ?? KEEP;
    const isNothing =
      given.kind === 'text' ? given.text === '' : given.kind === 'rows' && given.rows.length === 0;
    if (given.kind !== 'keep' && !isNothing)
      throw new UserError(
        `Part ${namePart(part)} has a value, but is also one of the parts to empty`,
        'Remove it from the parts to empty or from the mapping.',
      );
    return { part, value: empty.kind === 'text' ? empty : { kind: 'empty' } };
  });
  return [...values.filter(({ part }) => !toEmpty.includes(part)), ...emptied];
}

/** Those of an item's values that can be written: for an item that was refused for others, which its error names. */
export function acceptedValues({ item, app, context }: Writing): readonly EncodedPart[] {
  const { parts } = app.application;
  const { input, automatic } = mappedInput(item, 'parts');
  const options = { automatic, ignoreUnknown: true, json: input };
  return Object.entries<unknown>(input).flatMap(([key, value]) => {
    const encoded = attempt(() => encodeValues({ [key]: value }, parts, context, options));
    return 'value' in encoded ? encoded.value.values : [];
  });
}

function keptPart(parts: readonly Part[], key: string): EncodedPart[] {
  const [part] = partsCalled(parts, key);
  return part === undefined ? [] : [{ part, value: KEEP }];
}

/** What an item gives; `missing` are the fields whose expressions returned nothing. */
function mappedInput(item: Item, parameter: 'parts' | 'row') {
  const mapping = item.value(parameter) as Partial<ResourceMapperValue> | null | undefined;
  const automatic = mapping?.mappingMode === 'autoMapInputData';
  if (automatic) return { input: item.json, automatic, missing: [] } as const;
  // One expression may return all of them: as an object, or as JSON text of one.
  const values = jsonOrValue(mapping?.value);
  if (!isObject(values) && !isBlank(values))
    throw new UserError(
      `The values to send are not an object, but ${describeValue(values)}`,
      'An expression for all of them must return an object: the names of parts, each with its value.',
    );
  const saved = item.run.parameters.saved[parameter] as Partial<ResourceMapperValue> | undefined;
  // parameters.md, "A blank field". What an expression returns counts, also one that returns all values.
  const isBlankField = (key: string): boolean => {
    const value: unknown = isObject(saved?.value) ? saved.value[key] : undefined;
    return value === '' || value === null || isEmptyExpression(value);
  };
  const given = Object.entries(isObject(values) ? values : {}).filter(([key]) => !isBlankField(key));
  const input: Readonly<Record<string, unknown>> = Object.fromEntries(
    given.filter(([, value]) => !isMissing(value)),
  );
  return { input, automatic, missing: given.flatMap(([key, value]) => (isMissing(value) ? key : [])) };
}

/** @throws UserError when an item has no value at all: it would add an empty record, or change nothing. */
export function assertValuesGiven(values: readonly unknown[]): void {
  if (values.length > 0) return;
  throw new UserError(
    'There is no value to write',
    'Map at least one part: a field left empty is not sent. If you use expressions, check what they return for this item. With Map Automatically, the keys of the input must be part names, identifiers or IDs.',
  );
}

/**
 * Refuses choices that are no longer offered, before anything is sent, unless the record holds them. It is read only if
 * there are any.
 * @throws UserError, or ServiceError if the record cannot be read: then nobody knows what it holds.
 */
export async function assertChoicesOffered(
  { app, context }: Writing,
  recordId: string,
  values: readonly EncodedPart[],
): Promise<void> {
  if (!hasUnoffered(values)) return;
  assertOffered(values, (await readCurrent(app, recordId, context)).record, context);
}

/** An item's values as a record to add. @throws UserError if they cannot be written. */
export function insertOf(
  { item, app }: Pick<Writing, 'item' | 'app'>,
  { values: given, context, contents }: Pick<Insert, 'values' | 'context' | 'contents'>,
  options: ChangeOptions,
): Insert {
  assertOffered(given, null, context);
  const values = asNew(item, given, 'record');
  return { values, context, options: formOptions(app, values, options), contents };
}

/** An item's change as an update that overwrites the record. @throws UserError if it cannot be written. */
export function updateOf(
  { item, app, context }: Writing,
  { id, contents }: Pick<Update, 'id' | 'contents'>,
  values: readonly EncodedPart[],
  options: ChangeOptions,
): Update {
  const revision = values.find(
    ({ part, value }) => value.kind !== 'keep' && partKey(part, context.keyMode) === 'revision',
  );
  if (revision !== undefined)
    throw new UserError(
      `Part ${namePart(revision.part)} cannot be changed: the service takes its key "revision" for the revision of the record`,
      "Change the part's name or identifier in the application's settings, or leave the part out.",
    );
  return {
    id,
    policy: 'overwrite',
    revision: null,
    values,
    context,
    parts: app.application.parts,
    // What an agent passes, or a mapping takes from the item's json, is not what the item was read with.
    before: item.run.byAgent || mapsAutomatically(item) ? {} : asOutput(item.json),
    rowMode: options.tableRowMode ?? 'merge',
    sends: options.skipUnchanged === true ? 'changes' : 'all',
    options: formOptions(app, values, options),
    contents,
    isState: false,
  };
}

/** Whether the values of a record are taken from the item's json. */
export function mapsAutomatically(item: Item): boolean {
  const mapping = item.value('parts', {}) as { mappingMode?: unknown } | null | undefined;
  return mapping?.mappingMode === 'autoMapInputData';
}

/**
 * The values of a record or row that is yet to be made. Its rows are all new: row ids belong to the record read. What
 * was read of files is not copied: a hint counts them.
 * @throws UserError if nothing is left to write, or attachments are to be removed.
 */
export function asNew(
  { run: { hints } }: Item,
  values: readonly EncodedPart[],
  what: 'record' | 'row',
): readonly EncodedPart[] {
  const fresh = ({ part, value }: EncodedPart): EncodedPart => {
    if (value.kind === 'files' && value.remove.length > 0)
      throw new UserError(
        `Part ${namePart(part)}: a new ${what} has no attachments to remove`,
        'Enter only the binary fields to add.',
      );
    if (value.kind !== 'rows') return { part, value };
    return {
      part,
      value: { kind: 'rows', rows: value.rows.map((row) => ({ values: row.values.map(fresh) })) },
    };
  };
  hints.tally('Files not copied, because a read only describes them', readFilesIn(values));
  const given = values.filter(({ value }) => value.kind !== 'keep' && value.kind !== 'empty');
  assertValuesGiven(given);
  return given.map(fresh);
}

function readFilesIn(values: readonly EncodedPart[]): number {
  const counts = values.map(({ value }) => {
    if (value.kind === 'rows') return readFilesIn(value.rows.flatMap((row) => row.values));
    return value.kind === 'keep' ? (value.files ?? 0) : 0;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * The item's application, and how values are written there. The key is never guessed: under the wrong one a value would
 * be lost.
 * @param partKey what the option says; absent where no record can be added.
 * @throws UserError when it cannot be known which key the application takes.
 */
export async function readWriting(item: Item, partKey?: 'auto' | KeyMode): Promise<Writing> {
  return { item, ...(await sharedWriting(item, partKey)) };
}

/** What `readWriting` finds out, once for all items that name the application alike; at once for all but the first. */
export function sharedWriting(
  item: Item,
  partKey: 'auto' | KeyMode | undefined,
  more: Partial<WriteContext> = {},
): SharedWriting | Promise<SharedWriting> {
  const open = async (): Promise<SharedWriting> => await openForWrites(item, partKey, more);
  // Whom names mean is looked up for one item.
  if (item.people !== undefined) return open();
  return item.run.parameters.shared(['application', 'options'], openForWrites, open);
}

async function openForWrites(
  item: Item,
  partKey: 'auto' | KeyMode | undefined,
  more: Partial<WriteContext>,
): Promise<SharedWriting> {
  const app = await item.application();
  const keyMode = partKey === undefined || partKey === 'auto' ? await app.readKeyMode() : partKey;
  if (keyMode !== null) {
    const people = item.people && { people: item.people };
    const byAgent = item.run.byAgent && { emptyIsOmitted: true };
    const { timezone, onMovedDay } = item;
    return { app, context: { keyMode, timezone, onMovedDay, ...people, ...byAgent, ...more } };
  }
  throw new UserError(
    `It is not known whether the application "${app.application.name}" takes part names or part identifiers`,
    partKey === undefined
      ? 'It has no record that the access key may see, so there is none to change. Check the application and the record ID.'
      : 'It has no record to find out from. Set the option "Part Key" to what the application\'s settings say for getting and setting data.',
  );
}

export interface ChangeOptions {
  readonly autoAction: boolean;
  readonly relookupKeyParts?: PartChoice;
  readonly tableRowMode?: 'merge' | 'replace';
  readonly skipUnchanged?: boolean;
}

/** @throws UserError when a lookup key part is not among the parts sent (interface.md, "insert_data"). */
function formOptions(
  app: ApplicationSession,
  values: readonly EncodedPart[],
  { autoAction, relookupKeyParts }: ChangeOptions,
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
