import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeParameters } from 'n8n-workflow';

import { each, testTable, type Rows } from './support/table';
import { condition, numberedTickets, tickets } from './support/tickets';
import { useWorkplace, type RunSettings } from './support/workplace';

const place = useWorkplace(null);

const ACME = 'Acme Engineering';
const OWN = { part: 'Hours', operator: 'lt', value: '0' };
const ASKED = { part: 'Title', operator: 'equals', value: 'Beta' };
const BUG = { part: 'Kind', value: 'Bug' };
const any = (...conditions: INodeParameters[]): RunSettings => ({
  ...{ match: 'any', filters: { condition: conditions } },
});
const titled = (...titles: string[]) => ({ shows: titles.map((Title) => ({ Title })), hints: [] });
/** The filters of the lists that were asked for. */
const filters = async () =>
  (await place.sent('list_data')).flatMap(({ fields, filter }) =>
    fields === undefined ? [] : [filter && (JSON.parse(filter) as unknown)],
  );
const cases = (operation: string, rows: Rows) =>
  testTable(place, { operation, ...(operation === 'getAll' && { returnAll: true }) }, rows, {
    application: tickets(),
  });

describe('operators that the node checks', () => {
  const ROWS: [INodeParameters, string[]][] = [
    [{ part: 'Title', operator: 'notEquals', value: 'Beta' }, [ACME, '=1+2']],
    [{ part: 'Owner', operator: 'notEquals', value: '1001', valueType: 'id' }, ['Beta', '=1+2']],
    [{ part: 'Lines', operator: 'isNotNull' }, [ACME]],
  ];
  cases('count', {
    'records that meet them are counted': { run: condition(OWN), output: [{ count: 1 }] },
    ...each(['Title', 'Files', 'Text'])(
      'a keyword is searched in %s and in the parts that a condition reads: the service searches those',
      (part) => ({
        run: {
          ...condition({ part: 'Text', operator: 'isNotNull' }),
          options: { keyword: 'steel', keywordParts: [part] },
        },
        output: [{ count: 1 }],
      }),
    ),
  });
  cases('getAll', {
    ...each(ROWS)('%s', ([saved, titles]) => ({ run: condition(saved), ...titled(...titles) })),
    'together with one that the service checks, it reads fewer records': {
      ...{ run: { filters: { condition: [BUG, OWN] } }, ...titled('=1+2') },
      after: async () =>
        expect(await filters()).toEqual([
          { item: [{ field_id: place.app.parts.Kind, operator: '=', value: 'Bug' }] },
        ]),
    },
    ...each(['simplified', 'raw'])('parts that only a condition needs are not returned: %s', (output) => ({
      run: { ...condition(OWN), options: { partsToReturn: ['Title'], output } },
      after: (_, { json }) => {
        expect([json.length, 'Title' in json[0]!, 'Hours' in json[0]!]).toEqual([1, true, false]);
      },
    })),
    'the same with a keyword and a part to sort by': {
      run: {
        ...any({ part: 'Text', operator: 'isNotNull' }, { part: 'Hours', operator: 'gte', value: '20' }),
        options: { keyword: 'a', keywordParts: ['Title'], partsToReturn: ['Kind'] },
        sort: { by: { part: 'Due', order: 'desc' } },
      },
      shows: [
        { id: '2', Kind: 'Wish' },
        { id: '1', Kind: 'Bug' },
      ],
      after: (_, { json }) => expect(json[0]).not.toHaveProperty('Due'),
    },
    'a hidden part meets no condition, and a hint says so': {
      rights: { access: true, parts: { Hours: 'none' } },
      run: any({ part: 'Hours', operator: 'notEquals', value: '7' }, ASKED),
      shows: [{ Title: 'Beta' }],
      hints: [/^The service does not show part "Hours"/],
    },
  });
});

describe('any condition', () => {
  const sorted = (by: INodeParameters, limit = 9): RunSettings => ({
    ...any(OWN, BUG, ASKED),
    ...{ returnAll: false, limit, sort: { by } },
  });
  const SORTED: [RunSettings, string[]][] = [
    [sorted({ part: 'Hours' }), ['=1+2', ACME, 'Beta']],
    [sorted({ part: 'Due', order: 'desc' }, 1), ['Beta']],
    [{ ...any(OWN, BUG, ASKED), returnAll: false, limit: 2 }, [ACME, 'Beta']],
  ];
  cases('getAll', {
    'is requested for each condition, and joined by ID': {
      run: any(OWN, ASKED, BUG, { part: 'Hours', operator: 'lte', value: '-3' }),
      ...titled(ACME, 'Beta', '=1+2'),
      after: async () =>
        expect((await filters()).map((filter) => filter !== undefined).sort()).toEqual([false, true, true]),
    },
    ...each(SORTED)('the result is sorted and limited by the node: %s', ([run, titles]) => ({
      ...{ run, ...titled(...titles) },
    })),
    'filter JSON applies as well': {
      run: {
        ...any(OWN, ASKED),
        options: { filterJson: '{"item":[{"field_id":"103","operator":"=","value":"Bug"}]}' },
      },
      ...titled('=1+2'),
    },
    'a keyword applies as well': {
      ...{ run: { ...any(OWN, ASKED), options: { keyword: 'steel' } }, ...titled('Beta') },
    },
  });
  cases('count', {
    'each record is counted once': { run: any(OWN, ASKED, BUG), output: [{ count: 3 }] },
    'one condition is counted by the service': { run: any(ASKED), output: [{ count: 1 }] },
  });
  testTable(
    place,
    { operation: 'export', format: 'ndjson', binaryPropertyName: 'data' },
    {
      'of many records, exported in order of the IDs': {
        run: any(
          { part: 'Hours', operator: 'lt', value: '2' },
          { part: 'Hours', operator: 'gte', value: '8' },
        ),
        output: [{ count: 2401 }],
      },
    },
    { application: tickets({ records: numberedTickets(6001) }) },
  );
});

const BLUE = { part: 'Marks', operator: 'equals', value: 'blue' };

// How each operator compares: test/unit/parts/conditions.test.ts.
cases('getAll', {
  'Equals on a part of several values finds who has it among others': {
    run: condition(BLUE),
    ...titled(ACME),
  },
});

const sync = { operation: 'sync', matchBy: ['Title'], values: { Title: 'Beta' }, missing: 'delete' };

describe('choices by their IDs, which records do not show', () => {
  const byId = { part: 'Kind', value: '2', valueType: 'id' };
  const told = (where: string) =>
    new RegExp(`"Kind" .* cannot be compared by ID ${where}: records do not show`);
  cases('getAll', {
    'are no scope of Sync: it would remove those that it was to spare': {
      run: {
        ...sync,
        ...condition({ ...byId, operator: 'notEquals' }),
        options: { allowMostRemovals: true },
      },
      ...{ error: told('here'), sent: { delete_data: 0, insert_data: 0 }, advice: '"Value or Name"' },
    },
    'are not checked by the node, whatever else is enough': {
      run: any({ ...byId, operator: 'notEquals' }, ASKED),
      ...{ error: told('with "Does Not Equal"'), sent: { list_data: 1 } },
    },
    'are left to the service, also where one condition is enough': {
      ...{ run: any(byId, ASKED), ...titled('Beta') },
      after: async () =>
        expect((await filters()).slice(0, 1)).toEqual([
          { item: [{ field_id: place.part('Kind'), operator: 'contains', value: '2', type: 'id' }] },
        ]),
    },
  });
});

describe('the recipe for records of last month', () => {
  const page = readFileSync(join(__dirname, '../../docs/filters.md'), 'utf8');
  const [first, next, last] = (page.match(/\{\{ \$now[^`]+\}\}/g) ?? []).map((text) => `=${text}`);
  // It is April in Tokyo, and March elsewhere.
  const shift = Date.parse('2026-03-31T15:30:00Z') - Date.now();
  const days = ['2026-02-28', '2026-03-01', '2026-03-31', '2026-04-01'];
  const records = days.flatMap((day) =>
    ['00:00', '23:59'].map((time) => ({ Due: day, Meeting: `${day}T${time}` })),
  );
  const found = ['3', '4', '5', '6'].map((id) => ({ id }));
  beforeEach(() => {
    const { now } = Date;
    jest.spyOn(Date, 'now').mockImplementation(() => now() + shift);
  });
  afterEach(() => jest.restoreAllMocks());
  testTable(
    place,
    { operation: 'getAll', returnAll: true },
    each([
      ['Due', 'lt', next],
      ['Due', 'lte', last],
      ['Meeting', 'lt', next],
    ])('finds them by %s, with %s', ([part = '', operator = '', value = '']) => ({
      run: {
        filters: {
          condition: [
            { part, operator: 'gte', value: first },
            { part, operator, value },
          ],
        },
      },
      shows: found,
      hints: [],
    })),
    {
      application: tickets({ records }),
      credential: { timeZone: 'Asia/Tokyo' },
      engine: { timezone: 'America/New_York' },
    },
  );
});

describe('a condition of which an expression returns nothing', () => {
  const empty = /^Filter 1: ("[\w ]+" is empty|There is no value to compare .*)$/;
  const removesNothing = { options: { allowMostRemovals: true } };
  cases('getAll', {
    'as the scope of Sync removes nothing': {
      run: { ...sync, ...condition({ ...BLUE, operator: '={{ $json.x }}' }), ...removesNothing },
      ...{ error: empty, sent: { delete_data: 0, insert_data: 0 } },
    },
    'a list of conditions that is none neither': {
      run: { ...sync, filters: { condition: '={{ $json.x }}' }, ...removesNothing },
      // n8n fills such a condition with defaults.
      ...{ error: 'Filter 1: No part is selected', sent: { delete_data: 0 } },
    },
  });
});
