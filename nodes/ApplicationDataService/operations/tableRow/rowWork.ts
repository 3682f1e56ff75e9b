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
import { storedRows } from '../../parts/compare';
import { assertOffered } from '../../parts/encode';
import type { Part, RowWrite } from '../../parts/model/part';
import { namePart } from '../../parts/model/errors';
import { assertAddressable } from '../../parts/model/obstacle';
import { valueOf } from '../../parts/types/entries';
import { describeList } from '../../parts/values/describe';
import { readText } from '../../parts/values/shapes';
import type { ItemOutcome } from '../../service/write/checkpoint';
import type { RowChange } from '../../service/write/rows';
import { planRecord } from '../../service/write/writeRecord';
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
import { type ChangeWork, joinedUpdate, renamed, together, writeTogether } from '../input/together';
import { presentDryRun, presentRows, readWritten } from '../output/written';
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

/** An item of a table row operation: a change of one row. */
interface RowWork extends ChangeWork {
  readonly options: RowOptions;
  readonly change: RowChange;
}

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
  const contents = await uploadsOf(item, values);
  return { item, app, options, change, update: updateOf(writing, { id, contents }, [], options) };
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

/** Rows of one record are changed together. Those with the same options in one update. */
export const inGroups = {
  serialKeyOf: together.serialKeyOf,
  groupOf: (work: RowWork): string => {
    const { dryRun, returnRecord } = work.options;
    return JSON.stringify([together.groupOf(work), dryRun, returnRecord]);
  },
  runGroup: runRows,
};

async function runRows(works: NonEmpty<RowWork>): Promise<readonly Outcome[]> {
  const [{ app, options, update }] = works;
  if (options.dryRun) return await planRows(works);
  const { progress, outcomes } = await writeTogether(works);
  const { keyMode } = update.context;
  const record = options.returnRecord ? await readWritten(app, keyMode, progress.id, 'updated') : null;
  return works.map((work, index) =>
    presentRow(work, outcomes[index]!, (json) => (record === null ? json : recordItem(record, json))),
  );
}

/** What each item would change in its own row; the request, which is for all of them, with the first. */
async function planRows(works: NonEmpty<RowWork>): Promise<readonly Outcome[]> {
  const [{ app, update }] = works;
  const { context } = update;
  const fieldOf = (name: string): string => name.slice(name.indexOf(':') + 1);
  const { current, ...plan } = await planRecord(app, joinedUpdate(works));
  const outcome = plan.request.length > 0 ? 'updated' : 'unchanged';
  const asSent = { ...plan, outcome, request: renamed(plan.request, fieldOf) } as const;
  const { request } = presentDryRun(app, update, asSent, current);
  const sent = new Map(
    renamed(plan.values, fieldOf).map(({ part, value }) => [
      part,
      value.kind === 'rows' ? [...value.rows] : [],
    ]),
  );
  const changesOf = (own: RowChange): IDataObject => {
    const rows = sent.get(own.table) ?? [];
    const stored = storedRows(valueOf(current.record, own.table, context)) ?? [];
    const ids = own.kind === 'delete' ? own.ids : own.kind === 'update' ? [own.id] : [];
    const from = stored.filter(({ id }) => ids.includes(readText(id)));
    const isAdded = ({ id }: RowWrite): boolean => id === undefined;
    const added = own.kind === 'add' ? rows.splice(rows.findIndex(isAdded), 1) : [];
    const to = own.kind === 'add' ? added : rows.filter(({ id }) => ids.includes(id ?? ''));
    return presentRows(own.table, from, to, context);
  };
  return works.map((work, index) =>
    presentRow(work, plan.items[index]!, (json) => ({
      ...json,
      dryRun: true,
      ...(isChanged(plan.items[index]!) && { changes: changesOf(work.change) }),
      ...(index === 0 && request !== undefined && { request }),
    })),
  );
}

function isChanged({ outcome }: ItemOutcome): boolean {
  return outcome !== 'unchanged' && outcome !== 'notFound';
}

/** The output of an item. It says which rows did not exist, or fails if the options say so. */
function presentRow(
  { item, change, options, update }: RowWork,
  { outcome, ids = [], notFound = [] }: ItemOutcome,
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
  const deleted = change.kind === 'delete' && { deleted: outcome === 'deleted' && !options.dryRun };
  return { value: [{ json: { ...deleted, ...present(json) } }] };
}
