import type { INodeProperties } from 'n8n-workflow';

import type { KeyMode } from '../parts/model/part';
import { describeValue } from '../parts/values/describe';
import { isTimeZone, nearestTimeZone } from '../parts/values/timeZone';
import { UserError } from '../util/userError';
import {
  choiceSetting,
  numberSetting,
  partsSetting,
  switchSetting,
  textSetting,
  type Setting,
} from './setting';
import { LIST_HINT } from './properties';

/** Entries of the `options` collections, except those that only writes take. Names and values are saved in workflows: never change. */

/** How parts are chosen from the list. */
export const PART_CHOICE = {
  type: 'multiOptions',
  default: [],
  typeOptions: { loadOptionsMethod: 'getParts', loadOptionsDependsOn: ['application.value'] },
  builderHint: LIST_HINT,
  description:
    'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
} as const satisfies Partial<INodeProperties>;

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

export const partsToReturn = partsSetting({
  displayName: 'Part Names or IDs to Return',
  name: 'partsToReturn',
  ...PART_CHOICE,
});

export const timezone = timezoneSetting({
  displayName: 'Time Zone',
  name: 'timezone',
  type: 'string',
  default: '',
  placeholder: 'e.g. Asia/Tokyo',
  description:
    "Time zone of the service's dates and times. Values with an offset are converted to it. If empty, the workflow's time zone applies.",
});

export const failIfNotFound = switchSetting({
  displayName: 'Fail If Not Found',
  name: 'failIfNotFound',
  type: 'boolean',
  default: false,
  description:
    'Whether to fail if nothing that the item names exists, instead of returning the outcome "notFound"',
});

/** A name that is not known would only be noticed once a value must be converted. */
function timezoneSetting(property: INodeProperties): Setting<string> {
  const setting = textSetting(property);
  const read = (value: unknown): string => {
    const text = setting.read(value);
    if (text === '' || isTimeZone(text)) return text;
    const suggestion = nearestTimeZone(text);
    const guess = suggestion === undefined ? '' : `Did you mean "${suggestion}"? `;
    throw new UserError(
      `"${property.displayName}" must be the name of a time zone, not ${describeValue(text)}`,
      `${guess}Nothing was sent for this item. Enter a name such as Asia/Tokyo, or clear the option to use the time zone of the workflow.`,
    );
  };
  return { ...setting, read };
}

/** A number beyond the limits means the limit. */
function concurrencySetting(property: INodeProperties): Setting<number> {
  const setting = numberSetting(property, DEFAULT_CONCURRENCY, 0);
  const read = (value: unknown): number => Math.min(Math.max(setting.read(value), 1), MOST_CONCURRENCY);
  return { ...setting, read };
}
