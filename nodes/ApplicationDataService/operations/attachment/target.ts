import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { applicationProperty, partList, recordIdProperty, rowLocator } from '../../common/properties';
import { type AttachmentPart, findAttachmentPart } from '../../parts/choose';
import { namePart } from '../../parts/model/errors';
import { assertAddressable } from '../../parts/model/obstacle';
import { describeList } from '../../parts/values/describe';
import type { ApplicationSession } from '../../service/application/session';
import { cleanFileName, GENERIC_TYPE } from '../../service/read/attachments';
import type { PlacedFile } from '../../service/read/records';
import { UserError } from '../../util/userError';
import { readRecordId, readRowId } from '../input/several';
import { readWriting, type Writing } from '../input/recordWrites';
import type { Item } from '../run/item';

export interface AttachmentTarget {
  readonly app: ApplicationSession;
  readonly recordId: string;
  readonly place: AttachmentPart;
  /** Row of the table part; empty for all rows, and for a part of the record itself. */
  readonly rowId: string;
}

/** Reads which attachment part an item works on. Only a read may mean all rows of a table part. */
export async function readAttachmentTarget(item: Item): Promise<AttachmentTarget> {
  const app = await item.application();
  const recordId = readRecordId(item);
  const text = item.requiredText('attachmentPart', 'The attachment part');
  const place = findAttachmentPart(app.application.parts, text);
  return { app, recordId, place, rowId: place.table === null ? '' : readRowId(item) };
}

/** How its files are written. @throws UserError for a part inside a table part if no row is named. */
export async function writingTo(item: Item, { app, place, rowId }: AttachmentTarget): Promise<Writing> {
  if (place.table !== null && rowId === '') {
    throw new UserError(
      `The row ID is empty, and ${namePart(place.part)} is a part of the table part ${namePart(place.table)}`,
      'Enter the ID of the row, as Get or Table Row > Get Many returns it.',
    );
  }
  const writing = await readWriting(item);
  const { keyMode } = writing.context;
  assertAddressable(place.table ?? place.part, app.application.parts, keyMode);
  if (place.table !== null) assertAddressable(place.part, place.table, keyMode);
  return writing;
}

/** A file as an item tells of it. @param content what it is now, as far as that is known better than by the record */
export function describeFile(
  recordId: string,
  { id, name, rowId }: PlacedFile,
  { mimeType, size }: { readonly mimeType: string; readonly size?: number | null | undefined },
): IDataObject {
  return {
    recordId,
    ...(rowId !== null && { rowId }),
    id,
    name: cleanFileName(name, id),
    mimeType: mimeType || GENERIC_TYPE,
    size: size ?? null,
  };
}

/** What to say where a record has none of these files. */
export function noSuchFiles({ recordId, place }: AttachmentTarget, missing: readonly string[]): string {
  return `Record ${recordId} has no file ${describeList(missing)} in ${namePart(place.part)}`;
}

/** The parameters that say which files. Names are saved in workflows: never change. */
export function placeProperties(row = 'The row that contains the files'): readonly INodeProperties[] {
  return [
    applicationProperty,
    { ...recordIdProperty, description: 'The record that contains the files' },
    {
      displayName: 'Attachment Part Name or ID',
      name: 'attachmentPart',
      required: true,
      ...partList(
        'getAttachmentParts',
        'The part that contains the files. A part inside a table part is written with a dot, such as 130.135.',
      ),
    },
    {
      ...rowLocator('attachmentPart', false, row),
      // Only for a part inside a table part; n8n shows it for an expression, too.
      displayOptions: { show: { attachmentPart: [{ _cnd: { includes: '.' } }] } },
    },
  ];
}
