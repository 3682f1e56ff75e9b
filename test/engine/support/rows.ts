import type { INodeExecutionData } from 'n8n-workflow';

import { partsOf } from '../../support/parts';
import type { PartDefinition } from '../../support/sandbox';
import { mapped } from './saved';
import type { RunSettings } from './workplace';

/** A table part with one child of each kind that matters for rows. */
export const LINES: PartDefinition = {
  name: 'Lines',
  type: 'input_list',
  children: [
    ...partsOf({ Item: 'textbox', Qty: 'number', Due: 'date' }),
    { name: 'Tags', type: 'checkbox', options: ['new', 'hot'] },
    { name: 'Plan', type: 'files' },
  ],
};

/** Parameters of a table row operation on the first record. */
export function rowOf(value: Readonly<Record<string, unknown>> | null, more: RunSettings = {}): RunSettings {
  return { ...{ resource: 'tableRow', recordId: '1', tablePart: 'Lines', row: mapped(value) }, ...more };
}

/** An item with files, by the names of its binary fields. */
export function withFiles(
  files: Readonly<Record<string, { readonly name: string; readonly text: string; readonly type?: string }>>,
  json: INodeExecutionData['json'] = {},
): INodeExecutionData {
  const binary = Object.fromEntries(
    Object.entries(files).map(([field, { name, text, type = 'text/plain' }]) => [
      field,
      { data: Buffer.from(text).toString('base64'), mimeType: type, fileName: name },
    ]),
  );
  return { json, binary };
}
