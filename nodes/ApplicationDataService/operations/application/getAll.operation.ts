import {
  fetchApplications,
  type ApplicationQuery,
  type ApplicationSummary,
} from '../../service/application/definition';
import type { ServiceClient } from '../../service/http/client';
import { type PageRange, pagesOf } from '../../service/read/paging';
import { readLimit } from '../input/recordQuery';
import { limit, returnAll } from '../../common/properties';
import { textSetting } from '../../common/setting';
import { readOperation } from '../run/types';

const keyword = textSetting({
  displayName: 'Keyword',
  name: 'keyword',
  type: 'string',
  default: '',
  description: 'Return only applications whose name or description contains this text',
});

const label = textSetting({
  displayName: 'Label Name or ID',
  name: 'label',
  type: 'options',
  typeOptions: { loadOptionsMethod: 'getLabels' },
  default: '',
  description:
    'Return only applications with this label. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
});

/** Application > Get Many (interface.md, "list_apps"). */
export const getManyApplications = readOperation({
  resource: 'application',
  value: 'getAll',
  name: 'Get Many',
  action: 'Get many applications',
  description: 'List the applications that the user of the access key may see',
  properties: [returnAll.property, limit.property],
  options: { keyword, label },
  async execute(item, query) {
    const most = readLimit(item);
    const applications = await item.once(
      ['applications', query, most],
      async () => await readApplications(item.run.session.client, query, most),
    );
    return applications.map((application) => ({ json: { ...application } }));
  },
});

async function readApplications(
  client: ServiceClient,
  query: ApplicationQuery,
  limit: number | undefined,
): Promise<ApplicationSummary[]> {
  const source = {
    fetchPage: async ({ offset, limit: length }: PageRange) =>
      await fetchApplications(client, { ...query, offset, limit: length }),
    idOf: ({ id }: ApplicationSummary) => id,
  };
  const found: ApplicationSummary[] = [];
  for await (const page of pagesOf(source, { limit })) found.push(...page);
  return found;
}
