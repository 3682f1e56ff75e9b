import type { INodeProperties } from 'n8n-workflow';

import type { KeyMode } from '../parts/model/part';
import {
  choiceSetting,
  numberSetting,
  partsSetting,
  switchSetting,
  textSetting,
  type Setting,
} from './setting';
import { LIST_HINT } from './properties';

/** Entries of the `options` collections. Names and values are saved in workflows: never change. */

/** For settings whose default could do what an expression was to prevent. */
const SAID = { mustBeSaid: true };

const PART_CHOICE = {
  type: 'multiOptions',
  default: [],
  typeOptions: { loadOptionsMethod: 'getParts', loadOptionsDependsOn: ['application.value'] },
  builderHint: LIST_HINT,
  description:
    'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
} as const satisfies Partial<INodeProperties>;

export const autoAction = switchSetting(
  {
    displayName: 'Run Automatic Processing',
    name: 'autoAction',
    type: 'boolean',
    default: true,
    description:
      'Whether the service runs the automatic processing that the application defines for added and changed data',
  },
  SAID,
);

const DEFAULT_CONCURRENCY = 4;
/** The service refuses more than ten waiting calls (service-facts, "One queue"). */
const MOST_CONCURRENCY = 10;

export const concurrency: Setting<number> = concurrencySetting({
  displayName: 'Concurrency',
  name: 'concurrency',
  type: 'number',
  typeOptions: { minValue: 1, maxValue: MOST_CONCURRENCY },
  default: DEFAULT_CONCURRENCY,
  description:
    'How many requests this node may send at the same time. The service handles them one by one, and all workflows together send at most five.',
});

export const ignoreUnknown = switchSetting({
  displayName: 'Ignore Unknown Keys',
  name: 'ignoreUnknown',
  type: 'boolean',
  default: false,
  description: 'Whether to ignore input keys that match no part, instead of refusing the item',
});

export const downloadAttachments = switchSetting({
  displayName: 'Download Attachments',
  name: 'downloadAttachments',
  type: 'boolean',
  default: false,
  description:
    'Whether to download the files of the returned parts, including those in table rows, to the binary fields attachment_0, attachment_1 and so on',
});

export const loadReferenceLists = switchSetting({
  displayName: 'Load Reference Lists',
  name: 'loadReferenceLists',
  type: 'boolean',
  default: true,
  description: 'Whether to also read the rows of reference lists. The service answers faster without them.',
});

export const output = choiceSetting<'simplified' | 'raw'>({
  displayName: 'Output',
  name: 'output',
  type: 'options',
  options: [
    { name: 'Simplified', value: 'simplified', description: 'One key a part, with plain values' },
    { name: 'Raw', value: 'raw', description: "The service's own object, untouched" },
  ],
  default: 'simplified',
});

export const partKey = choiceSetting<'auto' | KeyMode>({
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

export const peopleByName = switchSetting({
  displayName: 'People by Name',
  name: 'peopleByName',
  type: 'boolean',
  default: false,
  description:
    'Whether to accept users and groups by name or email, exactly as the records show them. The node reads all records to find their IDs, and refuses a name that several share.',
});

export const partsToReturn = partsSetting({
  displayName: 'Part Names or IDs to Return',
  name: 'partsToReturn',
  ...PART_CHOICE,
});

export const relookupKeyParts = partsSetting({
  displayName: 'Lookup Key Part Names or IDs',
  name: 'relookupKeyParts',
  ...PART_CHOICE,
  description:
    'Key parts that tell the service which values to copy from other applications into lookup parts. Each needs a value in the item. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
});

export const returnRecord = switchSetting({
  displayName: 'Return Record',
  name: 'returnRecord',
  type: 'boolean',
  default: false,
  description: 'Whether to read the record after writing and return all of it',
});

export const timezone = textSetting({
  displayName: 'Time Zone',
  name: 'timezone',
  type: 'string',
  default: '',
  placeholder: 'e.g. Asia/Tokyo',
  description:
    "Time zone of the service's dates and times. Values with an offset are converted to it. If empty, the workflow's time zone applies.",
});

export const dryRun = switchSetting(
  {
    displayName: 'Dry Run',
    name: 'dryRun',
    type: 'boolean',
    default: false,
    description: 'Whether to only show what would be sent and what would change, without writing anything',
  },
  SAID,
);

export const failIfNotFound = switchSetting({
  displayName: 'Fail If Not Found',
  name: 'failIfNotFound',
  type: 'boolean',
  default: false,
  description:
    'Whether to fail if nothing that the item names exists, instead of returning the outcome "notFound"',
});

export const partsToEmpty = partsSetting({
  displayName: 'Part Names or IDs to Empty',
  name: 'partsToEmpty',
  ...PART_CHOICE,
});

export const skipUnchanged = switchSetting({
  displayName: 'Skip Unchanged',
  name: 'skipUnchanged',
  type: 'boolean',
  default: false,
  description:
    'Whether to read the record first and send only the values that differ. If none differ, nothing is written.',
});

export const tableRowMode = choiceSetting<'merge' | 'replace'>(
  {
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
  },
  SAID,
);

/** A number beyond the limits means the limit. */
function concurrencySetting(property: INodeProperties): Setting<number> {
  const setting = numberSetting(property, DEFAULT_CONCURRENCY, 0);
  const read = (value: unknown): number => Math.min(Math.max(setting.read(value), 1), MOST_CONCURRENCY);
  return { ...setting, read };
}

/** What Create takes. */
export const createOptions = {
  concurrency,
  dryRun,
  ignoreUnknown,
  relookupKeyParts,
  partKey,
  peopleByName,
  returnRecord,
  autoAction,
  timezone,
};

/** What Update, and Create or Update, take. */
export const updateOptions = {
  concurrency,
  dryRun,
  ignoreUnknown,
  relookupKeyParts,
  partKey,
  partsToEmpty,
  peopleByName,
  returnRecord,
  autoAction,
  skipUnchanged,
  tableRowMode,
  timezone,
};
