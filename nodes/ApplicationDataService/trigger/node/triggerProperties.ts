import type { INodeProperties } from 'n8n-workflow';

import { filterJson } from '../../common/filterJson';
import { filtersProperty, match } from '../../common/filters';
import { keyword, keywordParts } from '../../common/keyword';
import { output, partsToReturn } from '../../common/options';
import { applicationProperty, optionsProperty, LIST_HINT } from '../../common/properties';
import { choiceSetting, numberSetting, partsSetting, switchSetting, textSetting } from '../../common/setting';

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
  description: 'What starts the workflow',
};

const downloadAttachments = switchSetting({
  displayName: 'Download Attachments',
  name: 'downloadAttachments',
  type: 'boolean',
  default: false,
  description: 'Whether to download the files of the returned parts to binary fields',
});

const fullScanEvery = numberSetting(
  {
    displayName: 'Full Scan Every (Minutes)',
    name: 'fullScanEvery',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 60,
    description:
      'With Updated Part: how often to compare all records. Only this finds deletions, recalculations and workflow steps, which do not change the updated part.',
  },
  60,
);

const maxRecordsPerPoll = numberSetting(
  {
    displayName: 'Max Records per Poll',
    name: 'maxRecordsPerPoll',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 1000,
    description:
      'Max number of records to return in one poll. The oldest come first, the rest with the next polls.',
  },
  undefined,
);

const previousOnDelete = switchSetting({
  displayName: 'Previous Values on Delete',
  name: 'previousOnDelete',
  type: 'boolean',
  default: false,
  description:
    'Whether to return the last known values of the watched parts with a deletion, under "previous". Needs Previous Values. A right that is withdrawn from the access key looks like a deletion, so its values are returned, too.',
});

const previousValues = switchSetting({
  displayName: 'Previous Values',
  name: 'previousValues',
  type: 'boolean',
  default: false,
  description:
    'Whether to return the old and new values of the watched parts with an update, under "changes". Needs Watched Parts. The values are kept unencrypted in n8n\'s database, for whoever may read the workflow.',
});

const startFrom = choiceSetting<'now' | 'existing'>({
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
});

const updatedPart = textSetting({
  displayName: 'Updated Part Name or ID',
  name: 'updatedPart',
  type: 'options',
  typeOptions: { loadOptionsMethod: 'getDateTimeParts', loadOptionsDependsOn: ['application.value'] },
  builderHint: LIST_HINT,
  default: '',
  description:
    'Date/time part that the service sets at every change. Makes polls of large applications quick: they list the records that changed last instead of comparing all. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
});

const watchParts = partsSetting({
  displayName: 'Watched Part Names or IDs',
  name: 'watchParts',
  type: 'multiOptions',
  typeOptions: { loadOptionsMethod: 'getParts', loadOptionsDependsOn: ['application.value'] },
  builderHint: LIST_HINT,
  default: [],
  description:
    'A record counts as updated only if one of these parts changed. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
});

/** The trigger's options, and the values they are read as. */
export const triggerOptions = {
  downloadAttachments,
  filterJson,
  fullScanEvery,
  keyword,
  keywordParts,
  maxRecordsPerPoll,
  output,
  partsToReturn,
  previousValues,
  previousOnDelete,
  startFrom,
  updatedPart,
  watchParts,
};

export const triggerProperties: INodeProperties[] = [
  applicationProperty,
  eventsProperty,
  match.property,
  filtersProperty,
  optionsProperty(triggerOptions),
];
