import { useQuickRetries } from './support/quickRetries';
import { CONTINUE, each, ng, testTable, type Rows } from './support/table';
import { condition, numberedTickets, tickets } from './support/tickets';
import { useWorkplace, type RunSettings } from './support/workplace';

useQuickRetries();

const place = useWorkplace(null);

const DIALECTS = [{ counts: 'string' }, { counts: 'number' }, { emptyList: 'error' }];
const three = [{ count: 3 }];
const none = condition({ part: 'Kind', value: 'Question' });
const counted = (rows: Rows) => testTable(place, 'count', rows, { application: tickets() });

const BY: [string, RunSettings, number][] = [
  ['a filter', condition({ part: 'Kind', value: 'Bug' }), 2],
  ['a filter that no record meets', none, 0],
  ['another zone', condition({ part: 'Meeting', operator: 'gte', value: '2026-03-01T15:00:00Z' }), 1],
  ['a keyword in one part', { options: { keyword: 'steel', keywordParts: ['Title'] } }, 0],
];

counted({
  'all records, with one request': {
    output: three,
    after: async () =>
      expect(await place.sent('count_data')).toEqual([{ action: 'count_data', app_id: place.app.id }]),
  },
  many: { application: tickets({ records: numberedTickets(10_001) }), output: [{ count: 10_001 }] },
  ...each(BY)('by %s', ([, run, count]) => ({ run, output: [{ count }] })),
  ...each(DIALECTS)('as %s', (dialect) => ({ dialect, output: three })),
  ...each(DIALECTS)('nothing as %s', (dialect) => ({ dialect, run: none, output: [{ count: 0 }] })),
  'a hint counts the items that ask for the same as another does': {
    run: { options: { keyword: '={{ $json.word }}' } },
    items: ['steel', 'screw', 'steel', 'steel', 'pipe', 'pipe'].map((word) => ({ word })),
    hints: ['This ran once for each of 5 items'],
  },
  'none if each asks for something else': {
    run: { options: { keyword: '={{ $json.word }}' } },
    items: [{ word: 'steel' }, { word: 'screw' }],
    hints: [],
  },
  'the parts to search are requested with a keyword': {
    run: { options: { keyword: 'x', keywordParts: ['Title', 'Text'] } },
    sent: { count_data: [{ fields: '[{"field_name":"Title"},{"field_name":"Text"}]' }] },
  },
  'and not without one': {
    run: { options: { keywordParts: ['Title'] } },
    after: async () => expect((await place.sent('count_data'))[0]).not.toHaveProperty('fields'),
  },
  'in part identifier mode': {
    application: tickets({ partIdentifierMode: true }),
    run: { options: { keyword: 'steel', keywordParts: ['Text'] } },
    output: [{ count: 1 }],
    sent: { count_data: [{ fields: '[{"field_alias":"text"}]' }] },
  },
  'once for each item, and the same question only once': {
    run: condition({ part: 'Kind', value: '={{ $json.kind }}' }),
    items: ['Bug', 'Wish', 'Bug', 'Bug'].map((kind) => ({ kind })),
    output: [2, 1, 2, 2].map((count) => ({ count })),
    sent: { count_data: 2 },
  },
  'a failed question is asked again for the items after those that waited for it': {
    faults: [ng('count_data', { times: 1 })],
    items: Array(5).fill({}),
    node: CONTINUE,
    outcomes: ['refused', 'refused', 'refused', 'refused', undefined],
  },
});
