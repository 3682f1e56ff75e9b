import { NodeOperationError, type IExecuteFunctions, type INodeProperties } from 'n8n-workflow';

import { optionsProperty } from '../common/properties';

import { checkApplication } from './application/check.operation';
import { getApplication } from './application/get.operation';
import { getManyApplications } from './application/getAll.operation';
import { deleteAttachments } from './attachment/delete.operation';
import { downloadAttachments } from './attachment/download.operation';
import { getManyAttachments } from './attachment/getAll.operation';
import { uploadAttachments } from './attachment/upload.operation';
import { getManyLabels } from './label/getAll.operation';
import { countRecordsOperation } from './record/count.operation';
import { createRecord } from './record/create.operation';
import { deleteRecord } from './record/delete.operation';
import { exportRecords } from './record/export.operation';
import { getRecord } from './record/get.operation';
import { getManyRecords } from './record/getAll.operation';
import { syncRecords } from './record/sync/sync.operation';
import { updateRecord } from './record/update.operation';
import { upsertRecord } from './record/upsert.operation';
import { addRow } from './tableRow/add.operation';
import { deleteRow } from './tableRow/delete.operation';
import { getManyRows } from './tableRow/getAll.operation';
import { updateRow } from './tableRow/update.operation';
import type { Operation, ResourceValue } from './run/types';

/** All operations of the node, by resource and alphabetically by name. To add one, add a file and a line here. */
export const OPERATIONS: readonly Operation[] = [
  checkApplication,
  getApplication,
  getManyApplications,
  deleteAttachments,
  downloadAttachments,
  getManyAttachments,
  uploadAttachments,
  getManyLabels,
  countRecordsOperation,
  createRecord,
  upsertRecord,
  deleteRecord,
  exportRecords,
  getRecord,
  getManyRecords,
  syncRecords,
  updateRecord,
  addRow,
  deleteRow,
  getManyRows,
  updateRow,
];

const RESOURCES: Readonly<Record<ResourceValue, string>> = {
  application: 'Application',
  attachment: 'Attachment',
  label: 'Label',
  record: 'Record',
  tableRow: 'Table Row',
};

export function chosenOperation(context: IExecuteFunctions): Operation {
  const resource = String(context.getNodeParameter('resource', 0));
  const value = String(context.getNodeParameter('operation', 0));
  const chosen = OPERATIONS.find((each) => each.resource === resource && each.value === value);
  if (chosen !== undefined) return chosen;
  throw new NodeOperationError(
    context.getNode(),
    `This version of the node does not have the operation "${value}" for "${resource}"`,
    { description: 'Select an operation from the list, or update the community package.' },
  );
}

/** An operation's own parameters, its options last. */
export function propertiesOf({ properties, options }: Operation): INodeProperties[] {
  return Object.keys(options).length === 0 ? [...properties] : [...properties, optionsProperty(options)];
}

/** The node's parameters: the two dropdowns, then each operation's own. */
export function buildProperties(): INodeProperties[] {
  const resources = [...new Set(OPERATIONS.map((operation) => operation.resource))];
  return [
    {
      displayName: 'Resource',
      name: 'resource',
      type: 'options',
      noDataExpression: true,
      options: resources.map((resource) => ({ name: RESOURCES[resource], value: resource })),
      default: 'record',
    },
    ...resources.map(operationDropdown),
    ...OPERATIONS.flatMap((operation) =>
      propertiesOf(operation).map((property) => shownFor(operation, property)),
    ),
  ];
}

/**
 * A parameter that only this operation shows. Its resource and operation come first: n8n reads conditions in their
 * order and shows a parameter at the first one whose value is an expression.
 */
function shownFor({ resource, value }: Operation, property: INodeProperties): INodeProperties {
  const { displayOptions } = property;
  const show = { resource: [resource], operation: [value], ...displayOptions?.show };
  return { ...property, displayOptions: { ...displayOptions, show } };
}

function operationDropdown(resource: ResourceValue): INodeProperties {
  const options = OPERATIONS.filter((operation) => operation.resource === resource).map(
    ({ name, value, action, description, refusesAgents = false }) => ({
      name,
      value,
      action,
      description,
      ...(refusesAgents && { displayOptions: { hide: { '@tool': [true] } } }),
    }),
  );
  // Where there is one that reads what is named, it is the safest default.
  const first = options.find(({ value }) => value === 'get' || value === 'download') ?? options[0];
  const dropdown: INodeProperties = {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: [resource] } },
    options,
    default: '',
  };
  return { ...dropdown, default: first?.value };
}
