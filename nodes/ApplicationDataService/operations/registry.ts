import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { getApplication } from './application/get.operation';
import { getManyApplications } from './application/getAll.operation';
import { deleteAttachments } from './attachment/delete.operation';
import { downloadAttachments } from './attachment/download.operation';
import { uploadAttachments } from './attachment/upload.operation';
import { getManyLabels } from './label/getAll.operation';
import { countRecordsOperation } from './record/count.operation';
import { createRecord } from './record/create.operation';
import { deleteRecord } from './record/delete.operation';
import { exportRecords } from './record/export.operation';
import { getRecord } from './record/get.operation';
import { getManyRecords } from './record/getAll.operation';
import { updateRecordOperation } from './record/update.operation';
import { upsertRecord } from './record/upsert.operation';
import { addRow } from './tableRow/add.operation';
import { deleteRow } from './tableRow/delete.operation';
import { getManyRows } from './tableRow/getAll.operation';
import { updateRow } from './tableRow/update.operation';
import type { Operation, ResourceValue } from './run/types';

/** Every operation the node has, by resource and alphabetically by name. Adding one is a file and a line here. */
export const OPERATIONS: readonly Operation[] = [
  getApplication,
  getManyApplications,
  deleteAttachments,
  downloadAttachments,
  uploadAttachments,
  getManyLabels,
  countRecordsOperation,
  createRecord,
  upsertRecord,
  deleteRecord,
  exportRecords,
  getRecord,
  getManyRecords,
  updateRecordOperation,
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

/** The operation that a workflow saved as `resource` and `operation`. */
export function findOperation(resource: string, value: string): Operation | undefined {
  return OPERATIONS.find((operation) => operation.resource === resource && operation.value === value);
}

/** The node's parameters: the two dropdowns, then each operation's own. */
export function buildProperties(operations: readonly Operation[] = OPERATIONS): INodeProperties[] {
  const resources = [...new Set(operations.map((operation) => operation.resource))];
  return [
    {
      displayName: 'Resource',
      name: 'resource',
      type: 'options',
      noDataExpression: true,
      options: resources.map((resource) => ({ name: RESOURCES[resource], value: resource })),
      default: 'record',
    },
    ...resources.map((resource) =>
      operationDropdown(
        resource,
        operations.filter((operation) => operation.resource === resource),
      ),
    ),
    ...operations.flatMap(({ resource, value, properties }) =>
      updateDisplayOptions({ show: { resource: [resource], operation: [value] } }, [...properties]),
    ),
  ];
}

function operationDropdown(resource: ResourceValue, operations: readonly Operation[]): INodeProperties {
  const options = operations.map(({ name, value, action, description }) => ({
    name,
    value,
    action,
    description,
  }));
  const dropdown: INodeProperties = {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: [resource] } },
    options,
    default: '',
  };
  return { ...dropdown, default: (options.find(({ value }) => value === 'get') ?? options[0])?.value };
}
