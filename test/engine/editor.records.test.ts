import { each, listOf, testLists } from './support/lists';
import { numberedTickets, tickets } from './support/tickets';
import { useWorkplace } from './support/workplace';

const place = useWorkplace(null);
const numbered = ['3 bolts', 'nuts', 'screws', '3 nails', '', '33'].map((Title) => ({ Title }));

testLists(
  place,
  'searchRecords',
  {
    'records are listed newest first, by their first texts and their ID': {
      names: ['=1+2 · Bug · -3 (3)', 'Beta · Wish · 20 (2)', 'Acme Engineering · Bug · 1.5 (1)'],
      values: ['3', '2', '1'],
    },
    'people are shown by name, a record without texts by its ID': {
      application: tickets({
        records: [{ Owner: ['1001'], Title: ' \n ' }, {}, { Title: 'x'.repeat(60), Kind: 'Bug' }],
      }),
      names: [`${'x'.repeat(39)}… · Bug (3)`, '(2)', 'Aiko Mori (1)'],
    },
    // A keyword is searched in every searchable part, also in those that are not shown.
    ...each([
      ['steel', ['2']],
      ['a.txt', ['1']],
      ['no such thing', []],
    ])('the search for %s', ([filter, values]) => ({ filter, values })),
    'by identifier': {
      application: tickets({ partIdentifierMode: true, systemIdentifiers: { id: 'record_id' } }),
      ...{ filter: 'Beta', names: ['Beta · Wish · 20 (2)'], values: ['2'] },
    },
    ...each(['array', 'error', 'emptyString', 'noItem', 'noList'])('an empty list as %s', (emptyList) => ({
      ...{ application: tickets({ records: [] }), dialect: { emptyList }, gives: () => ({ results: [] }) },
    })),
    // A number is a keyword, and also finds the record with that ID, once.
    ...each(['3 6 4 3 1', '2 2', '５ 5', '05 5', '33 6', '7 7'])('the search for a number: %s', (text) => {
      const [filter = '', ...values] = text.split(' ');
      return { filter, values, application: tickets({ records: [...numbered, { Title: '7 hooks' }] }) };
    }),
    ...each(['', '={{ $json.app }}'])(
      'without an application ("%s"), the list says what to choose first',
      (value) => ({
        given: { application: { __rl: true, mode: 'list', value } },
        error: 'the application is not selected yet',
      }),
    ),
  },
  { application: tickets() },
);

test('a record is shown by what the user may see', async () => {
  await place.open(tickets({ records: [{ Title: 'x', Kind: 'Bug' }] }));
  const rights = { [place.app.id]: { access: true, parts: { Title: 'none' } } };
  await place.sandbox.setUser('1050', { name: 'Reader', accessKey: 'reader', rights });
  const engine = place.as({ accessKey: 'reader' });
  const { results = [] } = await listOf(place, 'searchRecords', { engine });
  expect(results[0]?.name).toBe('Bug (1)');
});

test.each([
  ['T', 'T'],
  ['a number that is also found by ID', '5'],
])('many are listed page by page, each once: %s', async (_, filter) => {
  const records = numberedTickets(120).map((ticket) => ({
    ...ticket,
    ...(filter === '5' && { Title: '5' }),
  }));
  await place.open(tickets({ records }));
  const values: unknown[] = [];
  const pages: number[] = [];
  let token: string | undefined;
  do {
    const page = await listOf(place, 'searchRecords', { filter, token });
    values.push(...page.results!.map(({ value }) => value));
    pages.push(page.results!.length);
    token = page.paginationToken;
  } while (token !== undefined);
  const all = Array.from({ length: 120 }, (__, index) => String(120 - index));
  expect([pages.length, filter === '5' ? new Set(values) : values]).toEqual([
    3,
    filter === '5' ? new Set(all) : all,
  ]);
  expect(values).toHaveLength(120);
});
