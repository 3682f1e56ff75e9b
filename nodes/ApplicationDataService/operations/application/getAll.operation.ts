import type { INodeProperties } from 'n8n-workflow';

import { readText } from '../../parts/wire';
import {
  fetchApplications,
  MAX_LIST_LENGTH,
  type ApplicationQuery,
  type ApplicationSummary,
} from '../../service/applications';
import type { ServiceClient } from '../../service/client';
import { readLimit } from '../shared/limit';
import { limitProperty, optionsProperty, returnAllProperty } from '../shared/properties';
import type { ItemOperation } from '../types';

const keywordOption: INodeProperties = {
  displayName: 'Keyword',
  name: 'keyword',
  type: 'string',
  default: '',
  description: 'Only applications whose name or description contains this text',
};

const labelOption: INodeProperties = {
  displayName: 'Label Name or ID',
  name: 'label',
  type: 'options',
  typeOptions: { loadOptionsMethod: 'getLabels' },
  default: '',
  description:
    'Only applications with this label. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

/** Application > Get Many (interface.md, "list_apps"). */
export const getManyApplications: ItemOperation = {
  resource: 'application',
  value: 'getAll',
  name: 'Get Many',
  action: 'Get many applications',
  description: 'List the applications that the user of the access key may see',
  properties: [returnAllProperty, limitProperty, optionsProperty([keywordOption, labelOption])],
  async execute(item) {
    const { keyword, label } = item.options();
    const query = { keyword: readText(keyword).trim(), label: readText(label).trim() };
    const applications = await readApplications(item.run.session.client, query, readLimit(item) ?? Infinity);
    return applications.map((application) => ({ json: { ...application } }));
  },
};

/** Pages of the most the service gives at once, until one is not full. */
async function readApplications(
  client: ServiceClient,
  query: ApplicationQuery,
  limit: number,
): Promise<ApplicationSummary[]> {
  const found: ApplicationSummary[] = [];
  for (;;) {
    const asked = Math.min(limit - found.length, MAX_LIST_LENGTH);
    const page = await fetchApplications(client, { ...query, offset: found.length, limit: asked });
    found.push(...page);
    if (page.length < asked || found.length >= limit) return found;
  }
}
