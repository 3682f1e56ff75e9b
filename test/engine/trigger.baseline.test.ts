import { NOTHING, numbered, REFUSED, TICKETS } from '../support/triggerTickets';
import {
  add,
  all,
  answers,
  change,
  polls,
  restart,
  testStories,
  useDesk,
  type Act,
  type Story,
} from './support/polls';

/** What must not start the workflow for records that nobody touched. */
const desk = useDesk();

/** One list is answered with "no matching data", after so many others. */
function oneEmptyList(after: number): Act {
  let lists = 0;
  return answers(({ action }) => (action === 'list_data' && lists++ === after ? NOTHING : undefined));
}
const keyword = { keyword: 'open', keywordParts: ['Title'], partsToReturn: ['Title'] };
const byIdentifier = (value: string) => ({ application: { __rl: true, mode: 'identifier', value } });
const textboxes = (...names: string[]) => names.map((name) => ({ name, type: 'textbox' }));
let gone: unknown;

testStories(
  desk,
  [
    ...[0, 1, 2].map((after): Story => ({
      name: `one answer "no matching data" while the first scan learns the records, after ${after} other lists`,
      before: oneEmptyList(after),
      steps: [[polls(2)], [polls(3, add(...numbered(1))), 'created 31 (1)']],
    })),
    { name: 'one answer "no matching data" later on', steps: [[polls(3, oneEmptyList(0))]] },
    ...[
      { options: { ...keyword, partsToReturn: ['Title', 'State'] } },
      { watchParts: ['State'], options: keyword },
    ].map((parameters): Story => ({
      name: `where a keyword is searched, a new baseline comes without a word: ${Object.keys(parameters).join()}`,
      before: add({ Title: 'open door' }),
      parameters: { options: keyword },
      steps: [[restart(parameters)], [polls(2)]],
    })),
    ...(
      [
        [{ options: { keyword: '={{ " " }}' } }, /"keyword" is empty/],
        [{ options: { filterJson: '={{ "{}" }}' } }, /"filterJson" is empty/],
        [{ options: { filterJson: '={{ ({ item: [] }) }}' } }, /"filterJson" is empty/],
        ...[
          { filters: { condition: [{ part: 'Title', operator: 'equals', value: '={{ "" }}' }] } },
          { filters: { condition: [{ part: 'Title', operator: '={{ "" }}', value: 'a' }] } },
          { options: { keyword: 'x', keywordParts: '={{ "" }}' } },
          { options: { startFrom: '={{ undefined }}' } },
          ...[{ watchParts: '={{ "" }}' }, { match: '={{ "" }}' }],
        ].map((parameters) => [parameters, /is empty/] as const),
      ] as const
    ).map(([parameters, first]): Story => ({
      name: `an expression that gives nothing one day is an error: ${JSON.stringify(parameters)}`,
      ...{ parameters: parameters, first },
    })),
    {
      name: 'an application that was made again under the same identifier is learned anew',
      options: { isDurable: true },
      steps: [
        [
          polls(3, async ({ sandbox, trigger }) => {
            gone = (await sandbox.call('get_app', { app_id: '@tickets' })).id;
            await sandbox.reset();
            // The sandbox gives its ID again, which a service does not.
            await sandbox.createApplication({ ...TICKETS, name: 'Other', identifier: 'other' });
            await sandbox.createApplication({ ...TICKETS, records: numbered(20) });
            trigger.between = { answer: ({ form }) => (form.get('app_id') === gone ? REFUSED : undefined) };
          }),
        ],
        [polls(2, add(...numbered(1))), 'created 21 (1)'],
      ],
    },
    ...['startsWith', 'equals'].map((operator): Story => ({
      name: `a condition (${operator}) on a part whose source was under maintenance at first`,
      parameters: byIdentifier('linked'),
      where: [{ part: 'Town', operator, value: operator === 'equals' ? 'Kyoto' : 'Ky' }],
      before: async ({ sandbox }) => {
        const source = await sandbox.createApplication({
          ...{ name: 'Source', identifier: 'source', parts: textboxes('Key', 'Town') },
          records: [{ Key: 'k', Town: 'Kyoto' }],
        });
        const reference = { application: source.id, key: 'Link', match: 'Key', part: 'Town' };
        await sandbox.createApplication({
          ...{ name: 'Linked', identifier: 'linked' },
          parts: [...textboxes('Link'), { name: 'Town', type: 'reference', reference }],
          records: Array.from({ length: 20 }, () => ({ Link: 'k' })),
        });
        await sandbox.changeApplication('source', { status: 'maintenance' });
      },
      steps: [
        [
          polls(
            2,
            all(change({ status: 'running' }, 'source'), async ({ sandbox }) => {
              for (const Link of ['', 'k']) await sandbox.changeRecord('linked', '3', { Link });
            }),
          ),
          'updated 3 (1 to 3)',
        ],
      ],
    })),
  ],
  { application: { records: numbered(30) } },
);
