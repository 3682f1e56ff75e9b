import type { INodeProperties } from 'n8n-workflow';

import type { KeyMode } from '../parts/model/part';
import { choiceSetting, optionSwitch, partsSetting, switchSetting } from './setting';
import { LIST_HINT } from './properties';

/**
 * Entries of the `options` collections, except those that only writes take. Names and values are saved in workflows:
 * never change.
 */

/** How parts are chosen from the list. */
export const PART_CHOICE = {
  type: 'multiOptions',
  default: [],
  typeOptions: { loadOptionsMethod: 'getParts', loadOptionsDependsOn: ['application.value'] },
  builderHint: LIST_HINT,
  description:
    'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
} as const satisfies Partial<INodeProperties>;

export const downloadOption = optionSwitch(false, {
  displayName: 'Download Attachments',
  name: 'downloadAttachments',
  description:
    'Whether to download the files of the returned parts, including those in table rows, to the binary fields attachment_0, attachment_1 and so on',
});

export const loadReferenceLists = optionSwitch(true, {
  displayName: 'Load Reference Lists',
  name: 'loadReferenceLists',
  description: 'Whether to also read the rows of reference lists. The service answers faster without them.',
});

/** Beside the other parameters, not among the options. */
export const simplify = switchSetting({
  displayName: 'Simplify',
  name: 'simplify',
  type: 'boolean',
  default: true,
  description: 'Whether to return a simplified version of the response instead of the raw data',
});

export const partKeyOption = choiceSetting<'auto' | KeyMode>({
  displayName: 'Part Key',
  name: 'partKey',
  type: 'options',
  options: [
    {
      name: 'Detect Automatically',
      value: 'auto',
      description: 'Look at a record to see which key the application uses',
    },
    {
      name: 'Part Identifier',
      value: 'identifier',
      description: 'The application reads and writes by part identifier',
    },
    { name: 'Part Name', value: 'name', description: 'The application reads and writes by part name' },
  ],
  default: 'auto',
  description:
    'Whether the application setting for getting and setting data is by part name or by part identifier',
});

export const partsToReturn = partsSetting({
  displayName: 'Part Names or IDs to Return',
  name: 'partsToReturn',
  ...PART_CHOICE,
});

export const failIfNotFound = optionSwitch(false, {
  displayName: 'Fail If Not Found',
  name: 'failIfNotFound',
  description:
    'Whether to fail if nothing that the item names exists, instead of returning the outcome "notFound"',
});
