import type { INodeProperties } from 'n8n-workflow';

import { readText } from '../../parts/values/wire';
import {
  fetchApplications,
  type ApplicationQuery,
  type ApplicationSummary,
} from '../../service/application/definition';
import type { ServiceClient } from '../../service/http/client';
import { readPages } from '../../service/read/paging';
import { withinLimit } from '../input/limit';
import { limitProperty, optionsProperty, returnAllProperty } from '../../common/properties';
import { readOnce } from '../run/readOnce';
import type { ItemOperation } from '../run/types';

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
    const applications = await withinLimit(
      item,
      'applications',
      async (limit) =>
        await readOnce(
          item,
          ['list_apps', query, limit],
          async () => await readApplications(item.run.session.client, query, limit),
        ),
    );
    return applications.map((application) => ({ json: { ...application } }));
  },
};

async function readApplications(
  client: ServiceClient,
  query: ApplicationQuery,
  limit: number | undefined,
): Promise<ApplicationSummary[]> {
  const source = {
    fetchPage: async (offset: number, length: number) =>
      await fetchApplications(client, { ...query, offset, limit: length }),
    idOf: ({ id }: ApplicationSummary) => id,
  };
  const found: ApplicationSummary[] = [];
  for await (const page of readPages(source, limit)) found.push(...page);
  return found;
}
