import { locatedIds } from '../../common/recordLocator';
import { autoAction } from '../../common/writeOptions';
import type { Values } from '../../common/setting';
import { UserError } from '../../util/userError';
import { describeExisting, describeValue } from '../../parts/values/describe';
import { namePart } from '../../parts/model/errors';
import { assertAddressable } from '../../parts/model/obstacle';
import { findAttachmentPart, type AttachmentPart } from '../../parts/choose/attachmentPart';
import type { ApplicationSession } from '../../service/application/session';
import type { Update } from '../../service/write/update';
import type { Item } from '../run/item';
import { readRecordId } from '../input/recordId';
import { writeContext } from '../input/writeContext';
import { formOptions } from '../input/formOptions';
import { itemFiles } from '../input/binaryFiles';
import type { EncodedPart } from '../../parts/encode';

/** The attachment part that an item works on. */
export interface AttachmentTarget {
  readonly app: ApplicationSession;
  readonly recordId: string;
  readonly place: AttachmentPart;
  /** Row of the table part; empty for all rows, and for a part of the record itself. */
  readonly rowId: string;
}

/** Reads which attachment part an item works on. */
export async function readTarget(item: Item): Promise<AttachmentTarget> {
  const app = await item.application();
  const recordId = readRecordId(item);
  const text = item.requiredText('attachmentPart', 'The attachment part');
  const place = findAttachmentPart(app.application.parts, text);
  return { app, recordId, place, rowId: place.table === null ? '' : readRowId(item) };
}

/** @throws UserError for a list or an object: treated as empty, it would mean all rows. */
function readRowId(item: Item): string {
  const given = locatedIds(item.value('rowId', ''));
  if (typeof given !== 'object' || given === null) return item.text('rowId');
  throw new UserError(
    `The row ID must be a text, not ${describeValue(given)}`,
    'Enter the ID of one row, or check the expression that should return it.',
  );
}

/** @throws UserError for a part inside a table part if no row is named. */
export function assertRowGiven({ place, rowId }: AttachmentTarget): void {
  if (place.table === null || rowId !== '') return;
  throw new UserError(
    `The row ID is empty, and ${namePart(place.part)} is a part of the table part ${namePart(place.table)}`,
    'Enter the ID of the row, as Get or Table Row > Get Many returns it.',
  );
}

/** The options of the operations that change files. */
export const attachmentOptions = { autoAction };

/** An update that changes only the files of one attachment part. */
export async function fileUpdate(
  item: Item,
  target: AttachmentTarget,
  change: { readonly add: readonly string[]; readonly remove: readonly string[] },
  options: Values<typeof attachmentOptions>,
): Promise<Update> {
  const { app, recordId, place, rowId } = target;
  const context = await writeContext(item, app);
  assertAddressable(place.table ?? place.part, app.application.parts, context.keyMode);
  if (place.table !== null) assertAddressable(place.part, place.table.children, context.keyMode);
  const files: EncodedPart = { part: place.part, value: { kind: 'files', ...change } };
  const values: EncodedPart[] =
    place.table === null
      ? [files]
      : [{ part: place.table, value: { kind: 'rows', rows: [{ id: rowId, values: [files] }] } }];
  return {
    id: recordId,
    values,
    emptied: [],
    policy: 'overwrite',
    revision: null,
    known: {},
    parts: app.application.parts,
    rowMode: 'merge',
    skipUnchanged: false,
    options: formOptions(app, values, options),
    context,
    uploadSource: itemFiles(item, values),
  };
}

/** @throws UserError naming the files there are. */
export function noSuchFiles(
  { recordId, place }: AttachmentTarget,
  missing: readonly string[],
  there: readonly { readonly id: string; readonly name: string }[],
): UserError {
  const files = there.map(({ id, name }) => `${id} (${name})`);
  return new UserError(
    `Record ${recordId} has no file ${missing.join(', ')} in ${namePart(place.part)}`,
    describeExisting('files', files),
  );
}
