import type { IDataObject } from 'n8n-workflow';

import { UserError } from '../../util/userError';
import type { RowWrite, WriteContext } from '../../parts/model/codec';
import { namePart } from '../../parts/model/errors';
import type { Part } from '../../parts/model/part';
import { encodeValue } from '../../parts/record';
import { assertNotRowId } from '../../parts/types/rowWrite';
import { chosenParts } from '../../parts/choose/chosenParts';
import type { RowChange, RowOutcome } from '../../service/write/rows';
import type { ApplicationSession } from '../../service/application/session';
import { findTablePart } from '../../parts/choose/tablePart';
import type { UploadSource } from '../../service/write/write';
import type { ItemRun } from '../run/itemRun';
import { writeContext } from '../input/keyMode';
import { assertValuesGiven, mappedValues } from '../input/mapping';
import { itemFiles } from '../input/uploads';

/** An item of a table row operation, ready to be written together with others of its record. */
export interface RowItem {
  readonly item: ItemRun;
  readonly app: ApplicationSession;
  readonly recordId: string;
  readonly context: WriteContext;
  readonly change: RowChange;
  readonly files: UploadSource;
  /** Items with the same group are written in one update. */
  readonly group: string;
  /** What is told of the item besides the outcome. */
  readonly tell: (outcome: RowOutcome) => IDataObject;
}

/** What an operation reads from an item. */
export type ReadChange = (
  item: ItemRun,
  table: Part,
  context: WriteContext,
) => { readonly change: RowChange; readonly tell: RowItem['tell'] };

/** Reads what an item wants, before anything is sent. */
export async function readRowItem(item: ItemRun, readChange: ReadChange): Promise<RowItem> {
  const app = await item.application();
  const recordId = item.requiredText('recordId', 'The record ID');
  const table = findTablePart(app.application.parts, item.requiredText('tablePart', 'The table part'));
  const context = await writeContext(item, app);
  const { change, tell } = readChange(item, table, context);
  const files = itemFiles(item, change.kind === 'delete' ? [] : change.values);
  const { autoAction, dryRun, returnRecord } = item.options();
  const group = JSON.stringify([app.application.id, recordId, context, autoAction, dryRun, returnRecord]);
  return { item, app, recordId, context, change: withOwnNames(change, item), files, group, tell };
}

/** The values of a row, and those it wants emptied. */
export function rowValues(item: ItemRun, table: Part, context: WriteContext): RowWrite['values'] {
  const mapped = mappedValues(item, table.children, context, 'row');
  const emptied = chosenParts(table.children, item.options().partsToEmpty).map((part) => {
    if (mapped.some((value) => value.part === part && !isNoValue(value))) {
      throw new UserError(
        `Part ${namePart(part)} has a value and is to be emptied`,
        'Take it out of the parts to empty, or out of the mapping.',
      );
    }
    const value = encodeValue(part, null, table.children, context);
    if (value.kind === 'text') return { part, value };
    throw new UserError(
      `Part ${namePart(part)} cannot be emptied here: it holds files`,
      'Remove them with Attachment > Delete.',
    );
  });
  const values = [...mapped.filter(({ part }) => !emptied.some((each) => each.part === part)), ...emptied];
  values.forEach(({ part }) => assertNotRowId(part, context));
  assertValuesGiven(values);
  return values;
}

function isNoValue({ value }: RowWrite['values'][number]): boolean {
  return value.kind === 'keep' || (value.kind === 'text' && value.text === '');
}

/** Items that are written together may each have a binary field of the same name: each name says whose it is. */
function withOwnNames(change: RowChange, { index }: ItemRun): RowChange {
  if (change.kind === 'delete') return change;
  const values = change.values.map(({ part, value }) =>
    value.kind === 'files'
      ? { part, value: { ...value, add: value.add.map((name) => `${index}:${name}`) } }
      : { part, value },
  );
  return { ...change, values };
}

/** The files of several items by the names that `readRowItem` gave them. */
export function filesOfItems(items: readonly RowItem[]): UploadSource {
  const sources = new Map(items.map(({ item, files }) => [String(item.index), files]));
  return async (name) => {
    const colon = name.indexOf(':');
    const source = sources.get(name.slice(0, colon));
    if (source === undefined) throw new Error(`No item has the file ${name}`);
    return await source(name.slice(colon + 1));
  };
}
