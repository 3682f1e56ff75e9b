import type { IDataObject, INodeProperties } from 'n8n-workflow';

import {
  applicationProperty,
  partList,
  recordIdProperty,
  rowLocator,
  valuesMapper,
} from '../../common/properties';
import { noneFound } from '../../common/errors';
import { recordItem } from '../../common/presentation';
import { findTablePart } from '../../parts/choose';
import { assertOffered, type EncodedPart } from '../../parts/encode';
import type { Part, RowWrite } from '../../parts/model/part';
import { namePart } from '../../parts/model/errors';
import { assertAddressable } from '../../parts/model/obstacle';
import { describeList } from '../../parts/values/describe';
import type { ApplicationSession } from '../../service/application/session';
import type { RowChange, RowOutcome } from '../../service/write/rows';
import type { Update } from '../../service/write/update';
import { type Done, planRecord, writeRecord } from '../../service/write/writeRecord';
import type { NonEmpty } from '../../util/groupBy';
import { UserError } from '../../util/userError';
import { uploadsOf } from '../input/binaryFiles';
import {
  assertChoicesOffered,
  assertValuesGiven,
  mappedValues,
  readWriting,
  updateOf,
  type Writing,
} from '../input/recordWrites';
import { readRecordId } from '../input/several';
import { presentDryRun, readWritten } from '../output/written';
import type { Item } from '../run/item';
import type { Outcome } from '../run/types';

/** The parameters that say which rows. Names are saved in workflows: never change. */
export const tableProperties: readonly INodeProperties[] = [
  applicationProperty,
  { ...recordIdProperty, description: 'The record that contains the rows' },
  {
    displayName: 'Table Part Name or ID',
    name: 'tablePart',
    required: true,
    ...partList('getTableParts', 'The table part that contains the rows.'),
  },
];

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
  readChange: (table: Part, writing: Writing) => RowChange,
): Promise<RowWork> {
  const writing = await readWriting(item);
  const { app, context } = writing;
  const id = readRecordId(item);
  const table = findTablePart(app.application.parts, item.requiredText('tablePart', 'The table part'));
  assertAddressable(table, app.application.parts, context.keyMode);
  const change = readChange(table, writing);
  const values = change.kind === 'delete' ? [] : change.values;
  if (change.kind === 'add') assertOffered(values, null, context);
  if (change.kind === 'update') {
    const rows = { kind: 'rows', rows: [{ id: change.id, values }] } as const;
    await assertChoicesOffered(writing, id, [{ part: table, value: rows }]);
  }
  // Items that are written together may have binary fields of the same name, so each name contains its item.
  const nameOf = (name: string): string => `${item.index}:${name}`;
  const contents = [...(await uploadsOf(item, values))].map(
    ([name, content]) => [nameOf(name), content] as const,
  );
  return {
    ...{ item, app, options },
    change: change.kind === 'delete' ? change : { ...change, values: renamed(values, nameOf) },
    update: updateOf(writing, { id, contents: new Map(contents) }, [], options),
  };
}

export function rowValues(
  writing: Writing,
  table: Part,
  options: Parameters<typeof mappedValues>[1],
): RowWrite['values'] {
  const values = mappedValues(writing, options, table);
  const files = values.find(({ value }) => value.kind === 'empty')?.part;
  if (files !== undefined) {
    throw new UserError(
      `Part ${namePart(files)} cannot be emptied here: it holds files`,
      'Remove them with Attachment > Delete.',
    );
  }
  values.forEach(({ part }) => assertAddressable(part, table, writing.context.keyMode));
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

/** The changes of several works of one record as one update, with the files by the names that they have there. */
function joinedUpdate(works: Works): Update {
  return {
    ...works[0].update,
    rowChanges: works.map(({ change }) => change),
    contents: new Map(works.flatMap(({ update }) => [...update.contents])),
  };
}

/**
 * Items of one record are processed in turn. Those with the same options are written in one update; what an earlier try
 * wrote together, or left in doubt, is finished as it was written.
 */
export const inGroups = {
  serialKeyOf: ({ app, update }: RowWork): string => app.serialKey(update.id),
  groupOf: ({ item, app, update, options }: RowWork): string => {
    const { autoAction, dryRun, returnRecord, skipUnchanged } = options;
    const earlier = item.run.memory.writtenWith(item.index, [app.application.id, update.id]);
    return JSON.stringify([autoAction, dryRun, returnRecord, skipUnchanged, earlier]);
  },
  runGroup: runRows,
};

/** Changes rows of one record in one update. One failed write fails all items of its record. */
async function runRows(works: Works): Promise<readonly Outcome[]> {
  const [{ item, app, options, update }, ...others] = works;
  if (options.dryRun) {
    const { plan, current } = await planRecord(app, joinedUpdate(works));
    const fieldOf = (name: string): string => name.slice(name.indexOf(':') + 1);
    const values = { values: renamed(plan.values, fieldOf), first: renamed(plan.first, fieldOf) };
    const planned = presentDryRun(app, update, { ...plan, ...values }, current);
    return works.map((work, index) =>
      presentRow(work, plan.found.outcomes[index]!, (json) => ({ ...json, ...planned, ...json })),
    );
  }
  const changes = works.map(({ change }) => change);
  const items = [item, ...others.map((each) => each.item)] as const;
  const checkpoint = item.checkpoint<Done>(app, update.id, changes, items);
  if (checkpoint.done?.steps !== undefined && checkpoint.items.length > items.length)
    throw new UserError(
      `The record ${update.id} was written, but not all of its files: a further try does not have all items`,
      'Check in the application which files are there, and add the others with Attachment > Upload.',
    );
  const done = await writeRecord(app, joinedUpdate(works), checkpoint);
  const { outcomes } = done.found as { readonly outcomes: readonly RowOutcome[] };
  const written: Done = { ...done, outcome: 'updated' };
  const record = options.returnRecord ? await readWritten(app, update.context.keyMode, written) : null;
  return works.map((work) =>
    presentRow(work, outcomes[checkpoint.items.indexOf(work.item.index)]!, (json) =>
      record === null ? json : recordItem(record, json),
    ),
  );
}

/** The output of an item. It says which rows did not exist, or fails if the options say so. */
function presentRow(
  { item, change, options, update }: RowWork,
  { outcome, ids = [], notFound = [] }: RowOutcome,
  present: (json: IDataObject) => IDataObject,
): Outcome {
  const isUpdate = change.kind === 'update';
  const missing = isUpdate && outcome === 'notFound' ? [change.id] : notFound;
  if (options.failIfNotFound === true && outcome === 'notFound') {
    const table = namePart(change.table);
    const error = noneFound(`Record ${update.id} has no row ${describeList(missing)} in ${table}`);
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
