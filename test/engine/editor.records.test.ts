import { listOf, testLists, type ListRow } from './support/lists';
import { numberedTickets, tickets } from './support/tickets';
import { useWorkplace } from './support/workplace';

const place = useWorkplace(null);
const numbered = ['3 bolts', 'nuts', 'screws', '3 nails', '', '33'].map((Title) => ({ Title }));
const found = (filter: string, ...values: string[]): ListRow => ({
  ...{ name: `the search for ${filter}`, filter, values },
});

testLists(
  place,
  'searchRecords',
  [
    {
      name: 'records are listed newest first, by their first texts and their ID',
      names: ['=1+2 · Bug · -3 (3)', 'Beta · Wish · 20 (2)', 'Acme Engineering · Bug · 1.5 (1)'],
      values: ['3', '2', '1'],
    },
    {
      name: 'people are shown by name, a record without texts by its ID',
      application: tickets({
        records: [{ Owner: ['1001'], Title: ' \n ' }, {}, { Title: 'x'.repeat(60), Kind: 'Bug' }],
      }),
      names: [`${'x'.repeat(39)}… · Bug (3)`, '(2)', 'Aiko Mori (1)'],
    },
    // A keyword is searched in every searchable part, also in those that are not shown.
    ...[found('steel', '2'), found('a.txt', '1'), found('no such thing')],
    {
      name: 'by identifier',
      application: tickets({ partIdentifierMode: true, systemIdentifiers: { id: 'record_id' } }),
      ...{ filter: 'Beta', names: ['Beta · Wish · 20 (2)'], values: ['2'] },
    },
    ...['array', 'error', 'emptyString', 'noItem', 'noList'].map((emptyList): ListRow => ({
      ...{ name: `an empty list as ${emptyList}`, application: tickets({ records: [] }) },
      ...{ dialect: { emptyList }, gives: () => ({ results: [] }) },
    })),
    // A number is a keyword, and also finds the record with that ID, once.
    ...[
      ...[found('3', '6', '4', '3', '1'), found('2', '2'), found('５', '5'), found('05', '5')],
      ...[found('33', '6'), found('7', '7')],
    ].map((row) => ({ ...row, application: tickets({ records: [...numbered, { Title: '7 hooks' }] }) })),
    ...['', '={{ $json.app }}'].map((value): ListRow => ({
      name: `without an application ("${value}"), the list says what to choose first`,
      given: { application: { __rl: true, mode: 'list', value } },
      error: 'the application is not selected yet',
    })),
  ],
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
