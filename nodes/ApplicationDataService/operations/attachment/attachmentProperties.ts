import type { INodeProperties } from 'n8n-workflow';

import { recordIdProperty } from '../../common/recordLocator';

/** Parameters of the attachment operations. Names are saved in workflows: never change. */

export const attachmentPartProperty: INodeProperties = {
  displayName: 'Attachment Part Name or ID',
  name: 'attachmentPart',
  type: 'options',
  default: '',
  required: true,
  typeOptions: { loadOptionsMethod: 'getAttachmentParts', loadOptionsDependsOn: ['application.value'] },
  description:
    'The part that holds the files; one inside a table part is named with a dot, as in 130.135. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

const rowId: INodeProperties = {
  displayName: 'Row ID',
  name: 'rowId',
  type: 'string',
  default: '',
  placeholder: 'e.g. 2',
  description: 'ID of the row that holds the files',
  hint: 'Only for a part inside a table part',
};

/** The row whose files change. */
export const attachmentRowProperty: INodeProperties = rowId;

/** The row whose files are read; all of them when empty. */
export const readRowProperty: INodeProperties = {
  ...rowId,
  hint: 'Only for a part inside a table part; leave it empty for the files of all rows',
};

export const attachmentRecordProperty: INodeProperties = {
  ...recordIdProperty,
  description: 'The record that holds the files',
};

export const attachmentIdsProperty: INodeProperties = {
  displayName: 'Attachment IDs',
  name: 'attachmentIds',
  type: 'string',
  default: '',
  placeholder: 'e.g. 77 or 77,78',
  description: 'IDs of the files, as Get gives them; several are separated by commas or given as an array',
};

export const inputFieldsProperty: INodeProperties = {
  displayName: 'Input Binary Field',
  name: 'binaryPropertyName',
  type: 'string',
  default: 'data',
  required: true,
  placeholder: 'e.g. data or data, photo',
  hint: 'The name of the input binary field containing the file to be uploaded; several are separated by commas',
};
