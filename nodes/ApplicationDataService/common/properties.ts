import type { INodeParameterResourceLocator, INodeProperties, ResourceMapperTypeOptions } from 'n8n-workflow';

import type { EventName } from '../parts/model/keys';
import { isObject, readText } from '../parts/values/shapes';
import { UserError } from '../util/userError';
import { numberSetting, type Settings, switchSetting } from './setting';

type Unnamed = Omit<INodeProperties, 'displayName' | 'name'>;

export const applicationProperty: INodeProperties = {
  displayName: 'Application',
  name: 'application',
  type: 'resourceLocator',
  default: { mode: 'list', value: '' },
  required: true,
  description: 'The application to work with',
  builderHint: {
    propertyHint:
      'Use mode list, and leave the value empty if you do not know the application: the user selects it. Never invent an ID.',
  },
  modes: [
    ...listAndId('an application', 'searchApplications', 'e.g. 301').modes,
    {
      displayName: 'By Identifier',
      name: 'identifier',
      type: 'string',
      placeholder: 'e.g. customers',
      hint: 'The application identifier from the application settings, with or without @',
    },
  ],
};

function listAndId(what: string, searchListMethod: string, placeholder: string, validation = {}) {
  const typeOptions = { searchListMethod, searchable: true };
  const list = { type: 'list', placeholder: `Select ${what}...`, typeOptions } as const;
  return {
    modes: [
      { displayName: 'From List', name: 'list', ...list, ...validation },
      { displayName: 'By ID', name: 'id', type: 'string', placeholder, ...validation },
    ],
  } satisfies Partial<INodeProperties>;
}

/** `app_id` for a saved resource locator: an id, or `@` and an identifier (interface.md, convention 4). */
export function readApplicationReference(saved: unknown): string {
  const locator = saved as Partial<INodeParameterResourceLocator> | string | number | null | undefined;
  if (typeof locator !== 'object' || locator === null) return readText(locator).trim();
  const value = readText(locator.value).trim();
  return locator.mode === 'identifier' && value !== '' ? `@${value.replace(/^@/, '')}` : value;
}

/** Whether a saved reference is an expression, which only an execution resolves. */
export function isExpression(reference: string): boolean {
  return reference.replace(/^@/, '').startsWith('=');
}

export function requiredApplication(saved: unknown): string {
  const reference = readApplicationReference(saved);
  if (reference !== '') return reference;
  throw new UserError('No application is selected', 'Select one, or enter its ID or identifier.');
}

/** Which events start a workflow: those that a trigger can tell, without deletions at first. */
export function eventsProperty(events: readonly EventName[], description: string): INodeProperties {
  return {
    displayName: 'Trigger On',
    name: 'events',
    type: 'multiOptions',
    required: true,
    options: events.map((value) => ({ name: EVENT_LABELS[value], value })),
    default: ['created', 'updated'],
    description,
  };
}

const EVENT_LABELS: Readonly<Record<EventName, string>> = {
  created: 'Record Created',
  deleted: 'Record Deleted',
  updated: 'Record Updated',
};

/** The events that start a workflow. @throws UserError if there is none */
export function readEvents<E extends string>(saved: unknown, offered: readonly E[]): ReadonlySet<E> {
  const events = offered.filter((event) => Array.isArray(saved) && saved.includes(event));
  if (events.length > 0) return new Set(events);
  throw new UserError('No event is selected', 'Select at least one under Trigger On.');
}

export const returnAll = switchSetting({
  displayName: 'Return All',
  name: 'returnAll',
  type: 'boolean',
  default: false,
  description: 'Whether to return all results or only up to a given limit',
});

export const limit = numberSetting({
  displayName: 'Limit',
  name: 'limit',
  type: 'number',
  typeOptions: { minValue: 1 },
  default: 50,
  displayOptions: { show: { returnAll: [false] } },
  description: 'Max number of results to return',
});

/** For lists of parts: n8n's resource explorer returns it together with what a list contains. */
const LIST_HINT = {
  propertyHint:
    'Use the ID (value). The list needs application in the current parameters, and a list of row parts also tablePart. Without them it is empty.',
};

const EXPRESSION = '<a href="https://docs.n8n.io/code/expressions/">expression</a>';

/** A list of parts that a method of the editor loads, of which one is chosen. @param description its first sentences */
export function partList(
  loadOptionsMethod: string,
  description: string,
  loadOptionsDependsOn = ['application.value'],
): Unnamed {
  return {
    type: 'options',
    typeOptions: { loadOptionsMethod, loadOptionsDependsOn },
    builderHint: LIST_HINT,
    default: '',
    description: `${description} Choose from the list, or specify an ID using an ${EXPRESSION}.`,
  };
}

export function partsList(loadOptionsMethod: string, description?: string): Unnamed {
  const how = `Choose from the list, or specify IDs using an ${EXPRESSION}`;
  return {
    ...partList(loadOptionsMethod, ''),
    type: 'multiOptions',
    default: [],
    description: description === undefined ? how : `${description} ${how}.`,
  };
}

const VALUES_HINT =
  'Keys of value are part names or IDs. Dates are yyyy-MM-dd, dates with a time yyyy-MM-ddTHH:mm, times HH:mm; several options are an array; users and groups are names or IDs, several as an array; files are names of binary fields, comma-separated; a table part is an array of row objects. Leave out parts that must not change: a field left empty is not sent. To empty a part, use partsToEmpty, or an expression that returns null. With mappingMode autoMapInputData, value is null and the keys of the input are part names.';

export function valuesMapper(
  names: Pick<INodeProperties, 'displayName' | 'name'>,
  loadOptionsDependsOn: string[],
  fields: Pick<ResourceMapperTypeOptions, 'mode' | 'multiKeyMatch' | 'matchingFieldsLabels'> & {
    readonly resourceMapperMethod: string;
  },
): INodeProperties {
  return {
    ...names,
    type: 'resourceMapper',
    noDataExpression: true,
    default: { mappingMode: 'defineBelow', value: null },
    required: true,
    description:
      "The value of each part to write. Map Automatically takes the input's keys as part names, identifiers or IDs.",
    builderHint: { propertyHint: VALUES_HINT },
    typeOptions: {
      loadOptionsDependsOn,
      resourceMapper: {
        ...fields,
        fieldWords: { singular: 'part', plural: 'parts' },
        addAllFields: true,
        supportAutoMap: true,
        allowEmptyValues: true,
        // The method that loads the fields says why there are none.
        hideNoDataError: true,
        valuesLabel: 'Values to Send',
        refreshIncompleteSchemaOnOpen: true,
      },
    },
  };
}

/** Shown above the fields of a mapper, once there are some: before, n8n says what to select. */
function blankNotice(mapper: 'parts' | 'row', text: string): INodeProperties {
  const show = { [`/${mapper}.mappingMode`]: ['defineBelow'] };
  const hide = { '/application': [''], ...(mapper === 'row' && { '/tablePart': [''] }) };
  const name = `${mapper}Notice`;
  return { displayName: text, name, type: 'notice', default: '', displayOptions: { show, hide } };
}

const NOT_SENT =
  'A field you leave empty is not sent. To empty a part, use the option Part Names or IDs to Empty.';

export const changeNotice = blankNotice('parts', NOT_SENT);
export const rowChangeNotice = blankNotice('row', NOT_SENT);
export const createNotice = blankNotice('parts', 'A field you leave empty gets its default.');
const PARTS = { displayName: 'Parts', name: 'parts' };

export const partsProperty = valuesMapper(PARTS, ['application.value'], {
  resourceMapperMethod: 'getPartFields',
  mode: 'add',
});

export const matchedPartsProperty = valuesMapper(PARTS, ['application.value'], {
  resourceMapperMethod: 'getPartFields',
  mode: 'upsert',
  multiKeyMatch: true,
  matchingFieldsLabels: {
    title: 'Part to Match On',
    // Without it n8n says "Usually an ID" under the field. It shows the ID of a selected part in place of its name.
    hint: 'Shown by its part ID. Select e.g. a customer number, not the ID of the record.',
    description:
      'The part or parts that identify a record, for example a customer number. Not the ID that the service assigns.',
  },
});

export function outputFieldProperty(what: 'file' | 'report'): INodeProperties {
  return {
    displayName: 'Put Output File in Field',
    name: 'binaryPropertyName',
    type: 'string',
    default: 'data',
    required: true,
    placeholder: 'e.g. data',
    hint: `The name of the output binary field to put the ${what} in`,
  };
}

export function optionsProperty(settings: Settings): INodeProperties {
  const options = Object.values(settings).map(({ property }) => property);
  return {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    options: options.sort((one, other) => (one.displayName < other.displayName ? -1 : 1)),
  };
}

/** By list or ID. Not `required`: n8n would refuse an array in its place. The editor marks an empty one. */
function byListOrId(
  [noun, method, example]: readonly [noun: string, method: string, example: string],
  about: Pick<INodeProperties, 'displayName' | 'name' | 'description'>,
  dependsOn: readonly string[],
  propertyHint: string,
  isRequired = true,
): INodeProperties {
  const errorMessage = `Parameter "${about.displayName}" is required.`;
  const validation = [{ type: 'regex', properties: { regex: '\\s*\\S[\\s\\S]*', errorMessage } }];
  return {
    ...about,
    type: 'resourceLocator',
    default: { mode: 'list', value: '' },
    ...listAndId(`a ${noun}`, method, example, isRequired ? { validation } : {}),
    typeOptions: { loadOptionsDependsOn: ['application.value', ...dependsOn] },
    builderHint: { propertyHint },
  };
}

export const recordIdProperty = byListOrId(
  ['record', 'searchRecords', 'e.g. 12'],
  { displayName: 'Record', name: 'recordId', description: 'The record to work with' },
  [],
  'For the record of a previous node, use mode id and an expression for its ID. The list needs application in the current parameters.',
);

/** One row of a table part; empty where the operation has a meaning for that. `tablePart` names it with its part. */
export function rowLocator(
  tablePart: 'tablePart' | 'attachmentPart',
  isRequired: boolean,
  description: string,
): INodeProperties {
  return byListOrId(
    ['row', 'searchRows', 'e.g. 2'],
    { displayName: 'Row', name: 'rowId', description },
    [tablePart],
    `Use mode id for a row of a previous node. The list needs application, recordId and ${tablePart} in the current parameters.`,
    isRequired,
  );
}

/** The files of a part; where none is required, none means all. */
export function fileLocator(description: string, isRequired: boolean): INodeProperties {
  const locator = byListOrId(
    ['file', 'searchFiles', 'e.g. 77'],
    { displayName: 'Attachments', name: 'attachmentIds' },
    ['attachmentPart'],
    'Use mode id for files of a previous node. The list needs application, recordId and attachmentPart in the current parameters.',
    isRequired,
  );
  return severalById(locator, description, 'e.g. 77 or 77,78');
}

export const recordIdsProperty = severalById(
  recordIdProperty,
  'The record to delete. By ID, you can enter several.',
  'e.g. 12 or 12,13',
);

export function severalById(locator: INodeProperties, description: string, example: string): INodeProperties {
  const several = { placeholder: example, hint: 'Enter several as a comma-separated list or an array' };
  const modes = locator.modes?.map((mode) => (mode.name === 'id' ? { ...mode, ...several } : mode));
  return { ...locator, description, modes };
}

/** What a saved locator locates. In its place may stand a text, a number or an array: the ID itself, or several. */
export function locatedIds(saved: unknown): unknown {
  const isLocator = isObject(saved) && 'value' in saved && ('mode' in saved || '__rl' in saved);
  return isLocator ? saved.value : saved;
}
