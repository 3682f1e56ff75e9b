import type { INodeProperties } from 'n8n-workflow';

import { LIST_HINT } from '../../common/properties';
import { recordIdProperty, rowLocator } from '../../common/recordLocator';

/** Parameters of the attachment operations. Names are saved in workflows: never change. */

export const attachmentPartProperty: INodeProperties = {
  displayName: 'Attachment Part Name or ID',
  name: 'attachmentPart',
  type: 'options',
  default: '',
  required: true,
  typeOptions: { loadOptionsMethod: 'getAttachmentParts', loadOptionsDependsOn: ['application.value'] },
  builderHint: LIST_HINT,
  description:
    'The part that contains the files. A part inside a table part is written with a dot, such as 130.135. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

/** Shown only for a part inside a table part; n8n shows it for an expression, too. */
function rowOf(description: string): INodeProperties {
  return {
    ...rowLocator('attachmentPart', false, description),
    displayOptions: { show: { attachmentPart: [{ _cnd: { includes: '.' } }] } },
  };
}

/** The row whose files change. */
export const attachmentRowProperty = rowOf('The row that contains the files');

/** The row whose files are read; all of them when empty. */
export const readRowProperty = rowOf(
  'The row that contains the files. Leave it empty to get the files of all rows.',
);

export const attachmentRecordProperty: INodeProperties = {
  ...recordIdProperty,
  description: 'The record that contains the files',
};

export const attachmentIdsProperty: INodeProperties = {
  displayName: 'Attachment IDs',
  name: 'attachmentIds',
  type: 'string',
  default: '',
  placeholder: 'e.g. 77 or 77,78',
  description: 'IDs of the files, as Get returns them. Enter several as a comma-separated list or an array.',
};

export const inputFieldsProperty: INodeProperties = {
  displayName: 'Input Binary Field',
  name: 'binaryPropertyName',
  type: 'string',
  default: 'data',
  required: true,
  placeholder: 'e.g. data or data, photo',
  hint: 'The name of the input binary field containing the file to be uploaded. Separate several names with commas.',
};
