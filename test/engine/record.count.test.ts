import { useQuickRetries } from './support/quickRetries';
import { CONTINUE, ng, testTable, type Row } from './support/table';
import { condition, numberedTickets, tickets } from './support/tickets';
import { useWorkplace, type RunSettings } from './support/workplace';

useQuickRetries();

const place = useWorkplace(null);

const three = [{ count: 3 }];
const none = condition({ part: 'Kind', value: 'Question' });
const counted = (rows: readonly Row[]) =>
  testTable(place, { operation: 'count' }, rows, { application: tickets() });

const BY: [string, RunSettings, number][] = [
  ['a filter', condition({ part: 'Kind', value: 'Bug' }), 2],
  ['a filter that no record meets', none, 0],
  ['another zone', condition({ part: 'Meeting', operator: 'gte', value: '2026-03-01T15:00:00Z' }), 1],
  ['a keyword in one part', { options: { keyword: 'steel', keywordParts: ['Title'] } }, 0],
];

counted([
  {
    name: 'all records, with one request',
    output: three,
    after: async () =>
      expect(await place.sent('count_data')).toEqual([{ action: 'count_data', app_id: place.app.id }]),
  },
  { name: 'many', application: tickets({ records: numberedTickets(10_001) }), output: [{ count: 10_001 }] },
  ...BY.map(([by, run, count]): Row => ({ name: `by ${by}`, run, output: [{ count }] })),
  ...[{ counts: 'string' }, { counts: 'number' }, { emptyList: 'error' }].flatMap((dialect): Row[] => [
    { name: `as ${JSON.stringify(dialect)}`, dialect, output: three },
    { name: `nothing as ${JSON.stringify(dialect)}`, dialect, run: none, output: [{ count: 0 }] },
  ]),
  {
    name: 'a hint counts the items that ask for the same as another does',
    run: { options: { keyword: '={{ $json.word }}' } },
    items: ['steel', 'screw', 'steel', 'steel', 'pipe', 'pipe'].map((word) => ({ word })),
    hints: ['This ran once for each of 5 items'],
  },
  {
    name: 'none if each asks for something else',
    run: { options: { keyword: '={{ $json.word }}' } },
    items: [{ word: 'steel' }, { word: 'screw' }],
    hints: [],
  },
  {
    name: 'the parts to search are requested with a keyword',
    run: { options: { keyword: 'x', keywordParts: ['Title', 'Text'] } },
    sent: { count_data: [{ fields: '[{"field_name":"Title"},{"field_name":"Text"}]' }] },
  },
  {
    name: 'and not without one',
    run: { options: { keywordParts: ['Title'] } },
    after: async () => expect((await place.sent('count_data'))[0]).not.toHaveProperty('fields'),
  },
  {
    name: 'in part identifier mode',
    application: tickets({ partIdentifierMode: true }),
    run: { options: { keyword: 'steel', keywordParts: ['Text'] } },
    output: [{ count: 1 }],
    sent: { count_data: [{ fields: '[{"field_alias":"text"}]' }] },
  },
  {
    name: 'once for each item, and the same question only once',
    run: condition({ part: 'Kind', value: '={{ $json.kind }}' }),
    items: ['Bug', 'Wish', 'Bug', 'Bug'].map((kind) => ({ kind })),
    output: [2, 1, 2, 2].map((count) => ({ count })),
    sent: { count_data: 2 },
  },
  {
    name: 'a failed question is asked again for the items after those that waited for it',
    faults: [ng('count_data', { times: 1 })],
    items: Array(5).fill({}),
    node: CONTINUE,
    outcomes: ['refused', 'refused', 'refused', 'refused', undefined],
  },
]);
