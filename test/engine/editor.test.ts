import { like } from './support/like';
import { each, listOf, testLists } from './support/lists';
import { useQuickRetries } from './support/quickRetries';
import { http } from './support/table';
import { tickets } from './support/tickets';
import { useWorkplace } from './support/workplace';

useQuickRetries();

const place = useWorkplace(null);

const application = tickets();
const of = (mode: string, value: string) => ({ given: { application: { __rl: true, mode, value } } });
const some = (...list: unknown[]) => expect.arrayContaining(list) as unknown;
const choices = (...names: string[]) => names.map((name) => ({ name, value: name }));

describe('applications', () => {
  testLists(
    place,
    'searchApplications',
    {
      'are listed with their ids and descriptions': {
        gives: () => {
          const description = like('All companies we sell to');
          return { results: some({ name: 'Customers', value: '301', description }) };
        },
      },
      'are searched by the service': { filter: 'sell to', names: ['Customers'] },
      'are none if it finds none': { filter: 'no such thing', names: [] },
      'say so if they cannot be used': {
        before: async ({ sandbox }) => {
          await sandbox.createApplication({ name: 'Closed', status: 'stopped', parts: [] });
          await sandbox.createApplication({ name: 'Repair', status: 'maintenance', parts: [] });
        },
        names: some('Closed (stopped)', 'Repair (under maintenance)'),
      },
      'of one name have their IDs behind it': {
        filter: 'Twin',
        before: async ({ sandbox }) => {
          for (const name of ['Twin', 'Twin', 'Twins'])
            await sandbox.createApplication({
              name,
              parts: [],
              ...(name === 'Twins' && { status: 'stopped' }),
            });
        },
        names: [like(/^Twin \(\d+\)$/), like(/^Twin \(\d+\)$/), 'Twins (stopped)'],
      },
      'are waited for as long as a person does who looks at an empty list: a few seconds': {
        before: async ({ sandbox }) => await sandbox.setFaults([http(503, 'list_apps')]),
        error: '(tried 4 times)',
      },
    },
    { application },
  );

  test('are listed page by page', async () => {
    await place.open(application);
    for (let number = 0; number < 110; number++)
      await place.sandbox.createApplication({ name: `Numbered ${number}`, parts: [] });
    const filter = 'Numbered';
    const first = await listOf(place, 'searchApplications', { filter });
    const second = await listOf(place, 'searchApplications', { filter, token: first.paginationToken });
    expect((await place.sent('list_apps'))[0]).toEqual({
      action: 'list_apps',
      keyword: filter,
      limit: '100',
    });
    expect([first, second].map(({ results }) => results?.length)).toEqual([100, 10]);
    expect(second.paginationToken).toBeUndefined();
    const values = [first, second].flatMap(({ results = [] }) => results.map(({ value }) => value));
    expect(new Set(values).size).toBe(110);
  });
});

describe('parts', () => {
  testLists(
    place,
    'getParts',
    {
      'are listed by name, with their types': {
        gives: ({ app }) => ({
          results: some({ name: 'Title', value: app.parts.Title, description: 'Text (one line)' }),
        }),
      },
      'to filter by: say what can be chosen in them': {
        list: 'getFilterParts',
        gives: ({ app }) => {
          const description = 'Pull down: Bug, Wish, Question';
          return { results: some({ name: 'Kind', value: app.parts.Kind, description }) };
        },
      },
      'to empty: none that cannot be written': {
        list: 'getWritableParts',
        names: [
          ...['Title', 'Text', 'Kind', 'Marks', 'Hours', 'Due', 'From', 'Meeting', 'Owner', 'Team'],
          ...['Files', 'Lines'],
        ],
      },
      ...each([
        ['Kind', ['Bug', 'Wish', 'Question']],
        ['Title', []],
        ['gone', []],
      ] as const)('the choices for the part of a condition: %s', ([part, expected]) => ({
        ...{ list: 'getPartChoices' },
        given: { filters: { condition: [{ part: 'Title' }, { part }] } },
        path: 'parameters.filters.condition[1].value',
        gives: () => ({ results: choices(...expected) }),
      })),
      'are found by identifier': { ...of('identifier', '@tickets'), names: some('Title', 'Sum') },
      'are none without an application': { ...of('list', ''), names: [] },
      'are none while it is an expression': { ...of('id', '={{ 1 }}'), names: [] },
      'report errors': { ...of('id', '999'), error: 'The application 999 cannot be read' },
    },
    { application },
  );

  // Which types are which: test/unit/parts/codecs.test.ts.
  test.each([
    ['getParts', 19, ''],
    ['getFilterParts', 18, 'Related'],
    ['getSortParts', 14, 'Text'],
    ['getKeywordParts', 10, 'Hours'],
  ] as const)('%s gives %i of them, without "%s"', async (list, count, without) => {
    await place.open(application);
    const names = (await listOf(place, list)).results!.map(({ name }) => name);
    expect([names.length, names.includes('Title'), names.includes(without)]).toEqual([count, true, false]);
  });
});

describe('the mapper', () => {
  const text = (displayName: string): unknown[] => [displayName, 'string'];
  testLists(
    place,
    'getPartFields',
    {
      'has the writable parts, with their types and how to fill them, and no notice': {
        gives: ({ app }) => ({
          fields: [
            ['Title', 'string'],
            ['Text', 'string'],
            ['Kind', 'options'],
            [like(/^Marks · list$/), 'string'],
            ...['Hours', 'Due · date', 'From · time', 'Meeting · date, time'].map(text),
            ...['Owner · name', 'Team · name', 'Files · file'].map(text),
            ['Lines · rows', 'string'],
          ].map(([displayName, type]) => {
            const [name = ''] = typeof displayName === 'string' ? displayName.split(' · ') : ['Marks'];
            const options = [{ name: '(Not Sent)', value: '' }, ...choices('Bug', 'Wish', 'Question')];
            return expect.objectContaining({
              ...{ id: app.parts[name], displayName, type },
              canBeUsedToMatch: !['Files', 'Lines'].includes(name),
              ...(type === 'options' && { options }),
            }) as unknown;
          }),
        }),
      },
      'accepts other values if the part does': {
        ...of('list', '301'),
        gives: () => ({
          fields: some(expect.objectContaining({ displayName: like(/^Industry/), type: 'string' })),
        }),
      },
      'has a notice only if there are no fields: n8n would show it under Map Automatically': {
        application: { name: 'Bare', parts: [], records: [] },
        gives: () => ({ fields: [], emptyFieldsNotice: 'There are no parts that can be written in "Bare".' }),
      },
      'says what to do without an application': {
        ...of('list', ''),
        gives: () => ({
          fields: [],
          emptyFieldsNotice: like('once an application is selected from the list'),
        }),
      },
    },
    { application },
  );
});

testLists(place, 'getLabels', {
  'labels are listed with their paths, after the groups of the service': {
    gives: () => {
      const groups = { all: 'All Applications', self: 'Created by Me', favorite: 'My Favorites' };
      const first = Object.entries(groups).map(([value, name]) => ({ name, value }));
      const last = expect.objectContaining({ name: 'Sales / Key Accounts' }) as unknown;
      return { results: some(...first, last) };
    },
  },
});
