import type { KeyMode } from '../parts/model/part';
import { choiceSetting, optionSwitch, partsSetting, strictChoice, switchSetting } from './setting';
import { partsList } from './properties';

/** Entries of the `options` collections. Names and values are saved in workflows: never change. */

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
  ...partsList('getParts'),
});

export const failIfNotFound = optionSwitch(false, {
  displayName: 'Fail If Not Found',
  name: 'failIfNotFound',
  description:
    'Whether to fail if nothing that the item names exists, instead of returning the outcome "notFound"',
});

export const autoAction = optionSwitch(true, {
  displayName: 'Run Automatic Processing',
  name: 'autoAction',
  description:
    'Whether the service runs the automatic processing that the application defines for added and changed data',
});

export const ignoreUnknown = optionSwitch(false, {
  displayName: 'Ignore Unknown Keys',
  name: 'ignoreUnknown',
  description: 'Whether to ignore input keys that match no part, instead of refusing the item',
});

const relookupKeyParts = partsSetting({
  displayName: 'Lookup Key Names or IDs',
  name: 'relookupKeyParts',
  ...partsList(
    'getWritableParts',
    'Key parts that tell the service which values to copy from other applications into lookup parts. Each needs a value in the item.',
  ),
});

export const returnRecord = optionSwitch(false, {
  displayName: 'Return Record',
  name: 'returnRecord',
  description: 'Whether to read the record after writing and return all of it',
});

export const dryRun = optionSwitch(false, {
  displayName: 'Dry Run',
  name: 'dryRun',
  description: 'Whether to only show what would be sent and what would change, without writing anything',
});

export const partsToEmpty = partsSetting({
  displayName: 'Part Names or IDs to Empty',
  name: 'partsToEmpty',
  ...partsList('getWritableParts'),
});

export const skipUnchanged = optionSwitch(false, {
  displayName: 'Skip Unchanged',
  name: 'skipUnchanged',
  description:
    'Whether to read the record first and send only the values that differ. If none differ, nothing is written.',
});

export const tableRowMode = strictChoice<'merge' | 'replace'>({
  displayName: 'Table Row Mode',
  name: 'tableRowMode',
  type: 'options',
  options: [
    {
      name: 'Merge',
      value: 'merge',
      description: 'Change the rows that have an ID, add the others, and keep the existing rest',
    },
    {
      name: 'Replace',
      value: 'replace',
      description: 'Keep only the rows in the value, and delete all others',
    },
  ],
  default: 'merge',
  description: 'What to do with existing rows of a table part',
});

export const writeOptions = { dryRun, ignoreUnknown, relookupKeyParts, autoAction };
export const createOptions = { ...writeOptions, partKey: partKeyOption, returnRecord };
export const updateOptions = { ...writeOptions, partsToEmpty, returnRecord, skipUnchanged, tableRowMode };

export const upsertOptions = {
  ...writeOptions,
  partKey: partKeyOption,
  partsToEmpty,
  returnRecord,
  tableRowMode,
};
