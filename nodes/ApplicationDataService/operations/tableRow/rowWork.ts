import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { failIfNotFound } from '../../common/options';
import { LIST_HINT, valuesMapper } from '../../common/properties';
import { recordIdProperty, rowLocator, severalById } from '../../common/recordLocator';
import { type PartChoice, partsSetting } from '../../common/setting';
import {
  autoAction,
  dryRun,
  ignoreUnknown,
  peopleByName,
  returnRecord,
  skipUnchanged,
} from '../../common/writeOptions';
import { findTablePart } from '../../parts/choose/chosenParts';
import { assertOffered, type EncodedPart } from '../../parts/encode';
import type { RowWrite, WriteContext } from '../../parts/model/codec';
import { namePart } from '../../parts/model/errors';
import { assertAddressable } from '../../parts/model/obstacle';
import type { Part } from '../../parts/model/part';
import { assertNotRowId } from '../../parts/types/rowWrite';
import type { ApplicationSession } from '../../service/application/session';
import type { UploadSource } from '../../service/write/form';
import type { RowChange, RowOutcome } from '../../service/write/mergeRows';
import type { Update } from '../../service/write/update';
import { UserError } from '../../util/userError';
import { itemFiles } from '../input/binaryFiles';
import { assertChoicesOffered, assertValuesGiven, mappedValues, withEmptiedParts } from '../input/mapping';
import { readRecordId } from '../input/recordId';
import { writeContext } from '../input/recordWrites';
import type { Item } from '../run/item';

interface RowOptions {
  readonly dryRun: boolean;
  readonly returnRecord: boolean;
  readonly autoAction: boolean;
  /** Adding a row does not need to find anything. */
  readonly failIfNotFound?: boolean;
}

/** An item of a table row operation, ready to be written together with others of its record. */
export interface RowWork {
  readonly item: Item;
  readonly app: ApplicationSession;
  readonly recordId: string;
  readonly context: WriteContext;
  readonly options: RowOptions;
  readonly change: RowChange;
  readonly files: UploadSource;
  /** What the output contains in addition to the outcome. */
  readonly describe: (outcome: RowOutcome) => IDataObject;
}

/** What an operation reads from an item. */
type ReadChange = (
  table: Part,
  context: WriteContext,
) => { readonly change: RowChange; readonly describe: RowWork['describe'] };

/** Reads what an item wants, before anything is sent. */
export async function readRowWork(item: Item, options: RowOptions, readChange: ReadChange): Promise<RowWork> {
  const app = await item.application();
  const recordId = readRecordId(item);
  const table = findTablePart(app.application.parts, item.requiredText('tablePart', 'The table part'));
  const context = await writeContext(item, app);
  assertAddressable(table, app.application.parts, context.keyMode);
  const { change, describe } = readChange(table, context);
  if (change.kind === 'add') assertOffered(change.values, null, context);
  if (change.kind === 'update') {
    const rows = { kind: 'rows', rows: [{ id: change.id, values: change.values }] } as const;
    await assertChoicesOffered(app, recordId, [{ part: table, value: rows }], context);
  }
  const files = itemFiles(item, change.kind === 'delete' ? [] : change.values);
  return { item, app, recordId, context, options, change: withOwnNames(change, item), files, describe };
}

/** The values of a row, and those it wants emptied. */
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
  values.forEach(({ part }) => assertNotRowId(part, context));
  assertValuesGiven(values);
  return values;
}

/** Items that are written together may have binary fields of the same name, so each name contains its item. */
function withOwnNames(change: RowChange, { index }: Item): RowChange {
  if (change.kind === 'delete') return change;
  return { ...change, values: renamed(change.values, (name) => `${index}:${name}`) };
}

/** Values with the names that the binary fields have in their items. */
export function withFieldNames(values: readonly EncodedPart[]): readonly EncodedPart[] {
  return renamed(values, (name) => name.slice(name.indexOf(':') + 1));
}

function renamed(values: readonly EncodedPart[], nameOf: (name: string) => string): readonly EncodedPart[] {
  return values.map(({ part, value }) => {
    if (value.kind === 'files') return { part, value: { ...value, add: value.add.map(nameOf) } };
    if (value.kind !== 'rows') return { part, value };
    const rows = value.rows.map((row) => ({ ...row, values: renamed(row.values, nameOf) }));
    return { part, value: { kind: 'rows', rows } };
  });
}

/** The changes of several works of one record as one update. */
export function updateOf(works: readonly [RowWork, ...RowWork[]]): Update {
  const [{ app, recordId, context, options }] = works;
  return {
    id: recordId,
    context,
    options: { autoAction: options.autoAction, relookupKeyParts: [] },
    uploadSource: filesOf(works),
    values: [],
    emptied: [],
    rowChanges: works.map(({ change }) => change),
    policy: 'overwrite',
    revision: null,
    known: {},
    rowMode: 'merge',
    skipUnchanged: false,
    parts: app.application.parts,
  };
}

/** The files of several works by the names that `readRowWork` gave them. */
function filesOf(works: readonly RowWork[]): UploadSource {
  const sources = new Map(works.map(({ item, files }) => [String(item.index), files]));
  return async (name) => {
    const colon = name.indexOf(':');
    const source = sources.get(name.slice(0, colon));
    if (source === undefined) throw new Error(`No item has the file ${name}`);
    return await source(name.slice(colon + 1));
  };
}

/** Parameters of the table row operations. Names are saved in workflows: never change. */

export const rowRecordProperty: INodeProperties = {
  ...recordIdProperty,
  description: 'The record that contains the rows',
};

export const tablePartProperty: INodeProperties = {
  displayName: 'Table Part Name or ID',
  name: 'tablePart',
  type: 'options',
  default: '',
  required: true,
  typeOptions: { loadOptionsMethod: 'getTableParts', loadOptionsDependsOn: ['application.value'] },
  builderHint: LIST_HINT,
  description:
    'The table part that contains the rows. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

export const rowIdProperty = rowLocator('tablePart', true, 'The row to change');

export const rowIdsProperty = severalById(
  rowIdProperty,
  'The row to delete. By ID, you can enter several.',
  'e.g. 2 or 2,3',
);

/** Values for the parts of a row, one field each, filled from `get_app`. */
export const rowProperty = valuesMapper(
  { displayName: 'Row', name: 'row' },
  ['application.value', 'tablePart'],
  { resourceMapperMethod: 'getRowFields', mode: 'add' },
);

const partsToEmpty = partsSetting({
  displayName: 'Part Names or IDs to Empty',
  name: 'partsToEmpty',
  type: 'multiOptions',
  default: [],
  typeOptions: {
    loadOptionsMethod: 'getRowParts',
    loadOptionsDependsOn: ['application.value', 'tablePart'],
  },
  builderHint: LIST_HINT,
  description:
    'Parts of the row. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
});

export const addRowOptions = {
  dryRun,
  ignoreUnknown,
  peopleByName,
  returnRecord,
  autoAction,
};

export const updateRowOptions = {
  dryRun,
  failIfNotFound,
  ignoreUnknown,
  partsToEmpty,
  peopleByName,
  returnRecord,
  autoAction,
  skipUnchanged,
};

export const deleteRowOptions = {
  dryRun,
  failIfNotFound,
  returnRecord,
  autoAction,
};
