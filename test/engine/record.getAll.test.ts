import { byIdentifier } from './support/saved';
import { drop, each, ng, testTable, type Row, type Rows } from './support/table';
import { useQuickRetries } from './support/quickRetries';
import { condition, TICKET_RECORDS, tickets } from './support/tickets';
import { useWorkplace, type RunSettings } from './support/workplace';

useQuickRetries(20);

const place = useWorkplace(null);

const ACME = 'Acme Engineering';
const RIGHTS = { canWrite: true, canDelete: true };
const WHOLE = {
  ...{ id: '1', revision: 1, ...RIGHTS, Title: ACME, Text: 'One\nTwo, "three"', Marks: ['red', 'blue'] },
  ...{ Hours: 1.5, Due: '2026-03-01', From: '09:30:00', Meeting: '2026-03-01T09:30', Sum: 3 },
  ...{ Owner: [{ id: '1001', name: 'Aiko Mori' }], Files: [{ name: 'a.txt', size: 52 }] },
  Lines: [
    { Item: 'Bolt', Qty: 3 },
    { Item: 'Nut', Qty: null },
  ],
};
const ALL = [WHOLE, { Title: 'Beta' }, { Title: '=1+2', Text: null, Marks: [], Owner: [], Lines: [] }];
const titled = (...titles: string[]) => ({ shows: titles.map((Title) => ({ Title })) });
const keysOf =
  (...keys: string[]): Row['after'] =>
  (_, { json }) =>
    expect(Object.keys(json[0] ?? {}).sort()).toEqual(keys.sort());
const got = (rows: Rows) =>
  testTable(place, { operation: 'getAll', returnAll: true }, rows, { application: tickets() });

describe('reading', () => {
  const fields = JSON.stringify(
    ['ID', 'Title', 'Hours', 'Due', 'revision'].map((name) => ({ field_name: name })),
  );
  got({
    'every record with all its parts, by record ID': { shows: ALL, hints: [] },
    'once for each item, which a hint says': {
      ...{ items: Array.from({ length: 60 }, () => ({})), hints: ['This ran once for each of 60 items'] },
      // One of them finds out what the keys of records are.
      sent: { list_data: 61 },
    },
    ...each([
      ...[{ ids: 'number', counts: 'number' }, { numbers: 'separators' }, { dates: 'object' }],
      ...[{ singleItem: 'object' }, { emptyInner: 'emptyString' }, { emptyInner: 'noItem' }],
      ...[{ emptyInner: 'noValue' }, { permissionsKey: 'two' }, { permissionsKey: 'plain' }],
      ...[{ listRevision: 'always' }, { failureStatus: '400' }],
    ])('the same with %s', (dialect) => ({ dialect, shows: ALL })),
    'a list of one as an object': {
      ...{
        dialect: { singleItem: 'object' },
        run: condition({ part: 'Title', value: 'Beta' }),
        ...titled('Beta'),
      },
    },
    'more than the fifty default parts': {
      application: {
        parts: Array.from({ length: 80 }, (_, index) => ({ name: `P${index}`, type: 'textbox' })),
        records: [{ P79: 'last' }],
      },
      shows: [{ P0: null, P79: 'last', revision: 1 }],
    },
    'raw output is the object of the service': {
      run: { simplify: false },
      shows: [
        { Title: { val: ACME }, revision: { val: '1', deny_write: 'on' }, Marks: { val: 'red\tblue' } },
        ...[{}, {}],
      ],
    },
    'only the chosen parts, named by ID, name or identifier': {
      run: { limit: 1, returnAll: false, options: { partsToReturn: ['101', 'Hours', 'due'] } },
      output: [{ id: '1', revision: 1, ...RIGHTS, Title: ACME, Hours: 1.5, Due: '2026-03-01' }],
      after: async () => expect((await place.sent('list_data')).at(-1)).toMatchObject({ fields }),
    },
    'the parts to return as text of an expression': {
      run: { options: { partsToReturn: '={{ "Title, Hours" }}' } },
      after: keysOf('id', 'Title', 'Hours', 'revision', 'canWrite', 'canDelete'),
    },
    ...each(['array', 'error', 'emptyString', 'noItem', 'noList'])('no records, as %s', (emptyList) => ({
      ...{ application: tickets({ records: [] }), dialect: { emptyList }, output: [] },
    })),
    'once for each input item, and what they have in common only once': {
      run: { returnAll: false, limit: '={{ $json.n }}', simplify: false },
      items: [1, 2, 1].map((n) => ({ n })),
      after: async (_, { items }) => {
        expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 1, 2].map((item) => ({ item })));
        const limits = (await place.sent('list_data')).map(({ limit }) => limit);
        expect(limits.slice(-2)).toEqual(['1', '2']);
      },
    },
    'once for all items, if its parameters have no expression': {
      run: { returnAll: false, limit: 2 },
      items: Array(50).fill({}),
      sent: { get_app: 1 },
      after: async (_, { json }) => {
        expect(json).toHaveLength(100);
        expect((await place.sent('list_data')).filter(({ limit }) => limit === '2')).toHaveLength(1);
      },
    },
    ...each([
      [100, 1],
      [101, 2],
    ] as const)('%s records are shared with a second item: %s requests', ([limit, requests]) => ({
      application: { parts: [{ name: 'Title', type: 'textbox' }], records: Array(120).fill({ Title: 'x' }) },
      ...{ run: { returnAll: false, limit }, items: [{}, {}], sent: { list_data: requests } },
    })),
  });
});

describe('narrowing', () => {
  const by = (part: string, operator: string, value: unknown, more = {}) =>
    condition({ part, operator, value: value as string, ...more });
  const kind = by('Kind', 'equals', 'Bug');
  const hours = JSON.stringify({ item: [{ field_id: '105', operator: '>=', value: '1' }] });
  const steel = { keyword: 'steel', partsToReturn: ['Title'] };
  const FOUND: [string, RunSettings, string[]][] = [
    ['equals by default', condition({ part: 'Title', value: 'Beta' }), ['Beta']],
    ['a date/time with an offset', by('Meeting', 'equals', '2026-03-01T00:30:00Z'), [ACME]],
    ['filter JSON beside conditions', { ...kind, options: { filterJson: hours } }, [ACME]],
    ['a keyword in parts besides', { options: { ...steel, keywordParts: ['Text'] } }, ['Beta']],
    ['sorted', { sort: { by: { part: 'Hours', order: 'asc' } } }, ['=1+2', ACME, 'Beta']],
    ['sorted down', { sort: { by: { part: 'Hours', order: 'desc' } } }, ['Beta', ACME, '=1+2']],
  ];
  // What is refused of each setting, and how: test/unit/common.
  const BAD: [string, RunSettings, RegExp, RegExp][] = [
    [
      'an unknown part',
      by('Titel', 'equals', 'x'),
      /Filter 1: There is no part "Titel"/,
      /Did you mean "Title"/,
    ],
  ];
  got({
    ...each(FOUND)('%s', ([, run, titles]) => ({ run, ...titled(...titles) })),
    'a table part without rows is told by the node: the service is not asked about it': {
      run: by('Lines', 'isNull', ''),
      ...titled('Beta', '=1+2'),
      after: async () =>
        expect((await place.sent('list_data')).some(({ filter }) => filter !== undefined)).toBe(false),
    },
    'the keyword is searched in all parts, whatever is returned': {
      ...{ run: { options: steel }, ...titled('Beta') },
      after: keysOf('id', 'Title', 'revision', 'canWrite', 'canDelete'),
    },
    'also of raw records': {
      run: { simplify: false, options: steel },
      after: keysOf('ID', 'Title', '\\permissions', 'revision'),
    },
    ...each(BAD)('refuses %s without reading', ([, run, error, advice]) => ({
      ...{ run, error, advice },
      after: async () =>
        expect((await place.sent('list_data')).filter((call) => 'fields' in call)).toEqual([]),
    })),
  });
});

describe('a service that says less, or fails', () => {
  const keyed = { partIdentifierMode: true };
  const list = 'list_data';
  got({
    'lists without permissions and revision are told': {
      dialect: { listPermissions: 'absent', listRevision: 'never' },
      shows: [{ id: '1', revision: null, Title: ACME }, ...[{}, {}]],
      hints: ['no "revision"'],
      after: (_, { json }) => expect(json[0]).not.toHaveProperty('canWrite'),
    },
    "the service's words for a filter that it does not support": {
      ...{ dialect: { equals: 'refused:textbox' }, run: condition({ part: 'Title', value: 'Beta' }) },
      error: /^The service refused: /,
    },
    'part identifiers are keys': {
      application: tickets({ ...keyed, systemIdentifiers: { id: 'no' } }),
      run: { application: byIdentifier('tickets'), options: { partsToReturn: ['Title'] } },
      ...{ shows: [{ id: '1', revision: 1, title: ACME }, ...[{}, {}]], hints: [] },
    },
    'an ID part without an identifier is told': {
      application: tickets(keyed),
      shows: TICKET_RECORDS.map(({ Title }) => ({ id: null, title: Title })),
      hints: ['no "id"'],
    },
    ...each([
      { kind: 'status', status: 429, retryAfter: 0 } as const,
      ...[drop(list, 'after'), { kind: 'cut', how: 'abort' } as const, { kind: 'down', ms: 300 } as const],
    ])('succeeds despite %s', (fault) => ({
      ...{ faults: [{ ...fault, action: list, times: 1 }], ...titled(ACME, 'Beta', '=1+2') },
    })),
    ...each([
      [ng(list, { message: 'W:No right [W10008]' }), /No right/],
      [{ kind: 'redirect', location: 'https://elsewhere.example/', action: list }, /redirects/],
    ] as const)('reports %s', ([fault, error]) => ({ faults: [fault], error, item: 0 })),
  });
});
