import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { partList, valuesMapper, recordIdProperty, rowLocator } from '../../common/properties';
import { recordItem } from '../../common/presentation';
import type { PartChoice } from '../../common/setting';
import { findTablePart } from '../../parts/choose';
import { assertOffered, type EncodedPart } from '../../parts/encode';
import type { Part, RowWrite, WriteContext } from '../../parts/model/part';
import { namePart } from '../../parts/model/errors';
import { assertAddressable } from '../../parts/model/obstacle';
import { storedRows } from '../../parts/placeRows';
import { valueOf } from '../../parts/types/entries';
import { describeExisting, describeList } from '../../parts/values/describe';
import { readText } from '../../parts/values/shapes';
import type { ApplicationSession } from '../../service/application/session';
import { readCurrent } from '../../service/read/records';
import type { Done } from '../../service/write/checkpoint';
import type { RowChange, RowOutcome } from '../../service/write/rows';
import type { Update } from '../../service/write/update';
import { planRecord, writeRecord } from '../../service/write/writeRecord';
import { settle, type Settled } from '../../util/concurrently';
import { groupBy, type NonEmpty } from '../../util/groupBy';
import { messageOf, UserError } from '../../util/userError';
import { uploadsOf } from '../input/binaryFiles';
import { assertChoicesOffered, assertValuesGiven, mappedValues, withEmptiedParts } from '../input/mapping';
import { readRecordId } from '../input/several';
import { readUpdate, writeContext } from '../input/recordWrites';
import { presentDryRun } from '../output/dryRun';
import { readWritten } from '../output/written';
import type { Item } from '../run/item';
import type { Outcome } from '../run/types';

/** Parameters of the table row operations. Names are saved in workflows: never change. */

export const rowRecordProperty: INodeProperties = {
  ...recordIdProperty,
  description: 'The record that contains the rows',
};

export const tablePartProperty: INodeProperties = {
  displayName: 'Table Part Name or ID',
  name: 'tablePart',
  required: true,
  ...partList('getTableParts', 'The table part that contains the rows.'),
};

export const rowIdProperty = rowLocator('tablePart', true, 'The row to change');

/** Values for the parts of a row, one field each, filled from `get_app`. */
export const rowProperty = valuesMapper(
  { displayName: 'Row', name: 'row' },
  ['application.value', 'tablePart'],
  { resourceMapperMethod: 'getRowFields', mode: 'add' },
);

interface RowOptions {
  readonly dryRun: boolean;
  readonly returnRecord: boolean;
  readonly autoAction: boolean;
  readonly skipUnchanged?: boolean;
  /** Adding a row does not need to find anything. */
  readonly failIfNotFound?: boolean;
}

/** An item of a table row operation: a change of one row, to be written together with others of its record. */
interface RowWork {
  readonly item: Item;
  readonly app: ApplicationSession;
  readonly options: RowOptions;
  readonly change: RowChange;
  /** The record's update, and the files of this change. */
  readonly update: Update;
}

type Works = NonEmpty<RowWork>;

export async function readRowWork(
  item: Item,
  options: RowOptions,
  readChange: (table: Part, context: WriteContext) => RowChange,
): Promise<RowWork> {
  const app = await item.application();
  const id = readRecordId(item);
  const table = findTablePart(app.application.parts, item.requiredText('tablePart', 'The table part'));
  const context = await writeContext(item, app);
  assertAddressable(table, app.application.parts, context.keyMode);
  const change = readChange(table, context);
  const values = change.kind === 'delete' ? [] : change.values;
  if (change.kind === 'add') assertOffered(values, null, context);
  if (change.kind === 'update') {
    const rows = { kind: 'rows', rows: [{ id: change.id, values }] } as const;
    await assertChoicesOffered(app, id, [{ part: table, value: rows }], context);
  }
  const update = await readUpdate(item, app, { id }, { values: [], emptied: [] }, context, options);
  // Items that are written together may have binary fields of the same name, so each name contains its item.
  const nameOf = (name: string): string => `${item.index}:${name}`;
  const contents = [...(await uploadsOf(item, values))].map(
    ([name, content]) => [nameOf(name), content] as const,
  );
  return {
    ...{ item, app, options },
    change: change.kind === 'delete' ? change : { ...change, values: renamed(values, nameOf) },
    update: { ...update, contents: new Map(contents) },
  };
}

export function emptyRowId(): UserError {
  return new UserError(
    'The row ID is empty',
    'Enter it, or check the expression that should return it: it was empty for this item.',
  );
}

export function rowValues(
  item: Item,
  table: Part,
  context: WriteContext,
  { ignoreUnknown, partsToEmpty = [] }: { ignoreUnknown: boolean; partsToEmpty?: PartChoice },
): RowWrite['values'] {
  const mapped = mappedValues(item, table.children, context, ignoreUnknown, 'row');
  const { values, emptied } = withEmptiedParts(mapped, table.children, partsToEmpty, context);
  const [files] = emptied;
  if (files !== undefined) {
    throw new UserError(
      `Part ${namePart(files)} cannot be emptied here: it holds files`,
      'Remove them with Attachment > Delete.',
    );
  }
  values.forEach(({ part }) => assertAddressable(part, table, context.keyMode));
  assertValuesGiven(values);
  return values;
}

function renamed(values: readonly EncodedPart[], nameOf: (name: string) => string): readonly EncodedPart[] {
  return values.map(({ part, value }) => {
    if (value.kind === 'files') return { part, value: { ...value, add: value.add.map(nameOf) } };
    if (value.kind !== 'rows') return { part, value };
    const rows = value.rows.map((row) => ({ ...row, values: renamed(row.values, nameOf) }));
    return { part, value: { kind: 'rows', rows } };
  });
}

function fieldName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** The changes of several works of one record as one update, with the files by the names that they have there. */
function updateOf(works: Works): Update {
  return {
    ...works[0].update,
    rowChanges: works.map(({ change }) => change),
    contents: new Map(works.flatMap(({ update }) => [...update.contents])),
  };
}

/** Items of one record are processed in turn. Those with the same options are written in one update. */
export const inGroups = {
  serialKeyOf: ({ app, update }: RowWork): string => app.serialKey(update.id),
  groupOf: ({ options: { autoAction, dryRun, returnRecord, skipUnchanged } }: RowWork): string =>
    JSON.stringify([autoAction, dryRun, returnRecord, skipUnchanged]),
  runGroup: runRows,
};

/** What each change came to, and what is told of each besides. */
interface Changed {
  readonly found: readonly Settled<RowOutcome>[];
  readonly present: (json: IDataObject) => IDataObject;
}

/** Changes rows of one record in one update. One failed write fails all items of its record. */
async function runRows(works: Works): Promise<readonly Outcome[]> {
  const { found, present } = works[0].options.dryRun ? await planRows(works) : await writeRows(works);
  const isMissing = (each: Settled<RowOutcome>): boolean =>
    'value' in each && each.value.outcome === 'notFound';
  const fails = works.some(
    ({ options }, index) => options.failIfNotFound === true && isMissing(found[index]!),
  );
  const existing = fails ? await existingRows(works[0]) : '';
  return works.map((work, index) => {
    const each = found[index]!;
    return 'error' in each ? each : presentRow(work, each.value, existing, present);
  });
}

async function planRows(works: Works): Promise<Changed> {
  const [{ app, update }] = works;
  const { plan, current } = await planRecord(app, updateOf(works));
  const values = { values: renamed(plan.values, fieldName), first: renamed(plan.first, fieldName) };
  const planned = presentDryRun(app, update, { ...plan, ...values }, current);
  return {
    found: plan.found.outcomes.map((value) => ({ value })),
    present: (json) => ({ ...json, ...planned, ...json }),
  };
}

async function writeRows(works: Works): Promise<Changed> {
  const [{ item, app, options, update }] = works;
  const { memory } = item.run;
  const found = new Map<RowWork, Settled<RowOutcome>>();
  let done: Done | null = null;
  // What an earlier try wrote together, or left in doubt, is finished as it was written.
  const target = [app.application.id, update.id];
  for (const group of groupBy(works, (work) => memory.writtenWith(work.item.index, target))) {
    const written = await settle(async () => await writeTogether(group));
    if ('value' in written) ({ done } = written.value);
    group.forEach((work, index) =>
      found.set(work, 'error' in written ? written : { value: written.value.outcomes[index]! }),
    );
  }
  const changed = works.map((work) => found.get(work)!);
  if (!options.returnRecord || done === null) return { found: changed, present: (json) => json };
  const written: Done = { ...done, outcome: 'updated' };
  const record = await settle(async () => await readWritten(app, update.context.keyMode, written));
  return 'error' in record
    ? { found: changed.map((each) => ('error' in each ? each : record)), present: (json) => json }
    : { found: changed, present: (json) => recordItem(record.value, json) };
}

async function writeTogether(
  works: Works,
): Promise<{ readonly done: Done; readonly outcomes: readonly RowOutcome[] }> {
  const [{ item, app, update }, ...others] = works;
  const changes = works.map(({ change }) => change);
  const items = [item, ...others.map((each) => each.item)] as const;
  const checkpoint = item.checkpoint<Done>(app, update.id, changes, items);
  const done = await writeRecord(app, updateOf(works), checkpoint);
  const { outcomes } = done.found as { readonly outcomes: readonly RowOutcome[] };
  return { done, outcomes: items.map(({ index }) => outcomes[checkpoint.items.indexOf(index)]!) };
}

/** For the message of items that fail because they found nothing: which rows there are, read once for all of them. */
async function existingRows({ app, update: { id, context }, change }: RowWork): Promise<string> {
  const read = await settle(async () => await readCurrent(app, id, context));
  if ('error' in read) return `Which rows it has could not be read: ${messageOf(read.error)}.`;
  const rows = storedRows(valueOf(read.value.record, change.table, context)) ?? [];
  return describeExisting(
    'rows',
    rows.map((row) => readText(row.id)),
  );
}

/** The output of an item. It says which rows did not exist, or fails if the options say so. */
function presentRow(
  { item, change, options, update }: RowWork,
  { outcome, ids = [], notFound = [] }: RowOutcome,
  existing: string,
  present: Changed['present'],
): Outcome {
  const isUpdate = change.kind === 'update';
  const missing = isUpdate && outcome === 'notFound' ? [change.id] : notFound;
  if (options.failIfNotFound === true && outcome === 'notFound') {
    const error = new UserError(
      `Record ${update.id} has no row ${describeList(missing)} in ${namePart(change.table)}`,
      `${existing} Check the ID, or turn off "Fail If Not Found" in the options.`,
    );
    return { error };
  }
  const what = isUpdate ? 'change' : 'delete';
  item.run.hints.tally(`Rows not found, so there was nothing to ${what}`, missing.length);
  const json = {
    recordId: update.id,
    ...(isUpdate && { rowId: change.id }),
    ...(change.kind === 'delete' && { ids: [...ids], notFound: [...notFound] }),
    outcome,
  };
  return { value: [{ json: present(json) }] };
}
