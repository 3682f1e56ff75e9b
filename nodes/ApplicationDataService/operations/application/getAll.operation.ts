import { type ApplicationSummary, fetchApplications } from '../../service/application/definition';
import { type PageRange, pagesOf } from '../../service/read/paging';
import { readLimit } from '../input/recordQuery';
import { limit, returnAll } from '../../common/properties';
import { textSetting } from '../../common/setting';
import { readOperation } from '../run/types';

const nameKeyword = textSetting({
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

/**
 * Lists applications: `list_apps` with keyword, label and limit, page by page, once a run for items that ask the same.
 * One item an application: ID, name, status, text and icons, as the access key's user may see them.
 */
export const getManyApplications = readOperation({
  resource: 'application',
  value: 'getAll',
  name: 'Get Many',
  action: 'Get many applications',
  description: 'List the applications that the user of the access key may see',
  properties: [returnAll.property, limit.property],
  options: { keyword: nameKeyword, label },
  async execute(item, query) {
    const { client } = item.run.session;
    const most = readLimit(item);
    const source = {
      fetchPage: async (range: PageRange) => await fetchApplications(client, { ...query, ...range }),
      idOf: ({ id }: ApplicationSummary) => id,
    };
    const question = ['applications', query, most];
    item.run.hints.sameQuestion(question);
    const applications = await item.run.session.once(question, async () => {
      const listed: ApplicationSummary[] = [];
      for await (const page of pagesOf(source, { limit: most })) listed.push(...page);
      return listed;
    });
    return applications.map((application) => ({ json: { ...application } }));
  },
});
