import { anyText, some } from './support/like';
import { byIdentifier } from './support/saved';
import { each, testTable, type Row, type Rows } from './support/table';
import { tickets } from './support/tickets';
import { useWorkplace } from './support/workplace';

const place = useWorkplace(null);

const overview = '<p>What is to be <b>done</b></p>';
const icons = { portalIcon: anyText, palletMenuIcon: anyText };
/** parameters.md, "Application, Label" */
const ORDER = (overview: string) => ['id', 'name', 'status', overview, 'portalIcon', 'palletMenuIcon'];
const byName = (value: string) => ({ application: byIdentifier(value) });
const pairs =
  (...items: number[]): NonNullable<Row['after']> =>
  (_, result) =>
    expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(items.map((item) => ({ item })));
const named = { name: 'Tickets', status: 'running' };
const cases = (operation: string, rows: Rows, run = {}): void =>
  testTable(place, { resource: 'application', operation, ...run }, rows, {
    application: tickets({ overview }),
  });

describe('Get', () => {
  cases(
    'get',
    {
      'returns the application with its parts': {
        after: (_, { json: [{ parts, ...own } = {}] }) => {
          expect(own).toEqual({ id: place.app.id, ...named, overview, ...icons });
          expect(Object.keys(own)).toEqual(ORDER('overview'));
          expect(parts).toHaveLength(19);
          const kind = {
            ...{
              id: place.app.parts.Kind,
              name: 'Kind',
              identifier: 'kind',
              type: 'select',
              readOnly: false,
            },
            ...{ system: false, reference: false, options: ['Bug', 'Wish', 'Question'], allowOther: false },
            ...{ timeUnit: null, children: [] },
          };
          expect(parts).toContainEqual(kind);
          const children = ['Item textbox', 'Qty number'].map((text) => {
            const [name, type] = text.split(' ');
            return some({ name, type });
          });
          expect(parts).toContainEqual(some({ name: 'Lines', children }));
        },
      },
      'raw output is the object of the service': {
        run: { simplify: false },
        shows: [{ status: 'ok', app_status: 'running', fields: { item: expect.any(Array) as unknown } }],
      },
      'reads the same whatever numbers and lists look like': {
        dialect: { ids: 'number', counts: 'number', singleItem: 'object' },
        after: async (_, { json }) => {
          await place.sandbox.resetDialect();
          const plain = await place.run('get', { resource: 'application', ...byName('tickets') });
          expect(json).toEqual(plain.json);
        },
      },
      'reads an application once, however many items ask for it': {
        ...{ items: [{}, {}, {}], actions: ['get_app'], after: pairs(0, 1, 2) },
      },
    },
    byName('tickets'),
  );
});

describe('Get Many', () => {
  const customers = {
    ...{ id: '301', name: 'Customers', status: 'running', ...icons },
    overviewText: 'All companies we sell to, with their contacts and terms.',
  };
  cases('getAll', {
    'returns summaries, up to the limit': {
      run: { limit: 2 },
      output: [customers, some({ status: 'running' })],
      after: (_, { json: [first] }) => expect(Object.keys(first!)).toEqual(ORDER('overviewText')),
    },
    'returns all': { run: { returnAll: true }, after: (_, { json }) => expect(json).toHaveLength(6) },
    ...each([
      ['a keyword', { keyword: 'done' }, 'Tickets'],
      ['a label of the service', { label: 'favorite' }, 'Customers'],
      ['a label', { label: '={{ "1" }}' }, 'Customers'],
    ] as const)('is filtered by %s', ([, options, name]) => ({
      ...{ run: { returnAll: true, options } },
      after: (_, { json }) => {
        expect(json.map((each) => each.name)).toContain(name);
        expect(json.length).toBeLessThan(5);
      },
    })),
    ...each(['array', 'error', 'emptyString', 'noItem', 'noList'])(
      'reads an empty list that looks like %s',
      (emptyList) => ({ dialect: { emptyList }, run: { options: { keyword: 'no such thing' } }, output: [] }),
    ),
    'requests once what several items have in common': {
      ...{ run: { limit: 1 }, items: [{}, {}], actions: ['list_apps'], after: pairs(0, 1) },
    },
  });
});
