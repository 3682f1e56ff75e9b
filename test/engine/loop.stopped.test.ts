import { useQuickRetries } from './support/quickRetries';
import { CONTINUE, drop, http, ng, testTable, type Row } from './support/table';
import { useWorkplace } from './support/workplace';

useQuickRetries();

const place = useWorkplace(null);

const named = { operation: 'create', values: { Name: '={{ $json.n }}' } };
const failed = (message: RegExp) => ({
  error: expect.stringMatching(message) as string,
  details: { outcome: 'notDone' },
});

describe('what stops the whole run, with On Error = Continue, is the error of each item', () => {
  const CREDENTIALS: [string, Readonly<Record<string, string>>, RegExp][] = [
    ['a malformed base URL', { baseUrl: 'https://' }, /address|URL/i],
    ['a key with a line break', { accessKey: 'a\nb' }, /access key contains characters/],
    ['an unknown time zone', { timeZone: 'Nowhere/City' }, /time zone/i],
    ['a path as data module', { dataModule: 'cgi/appsr.cgi' }, /data module/i],
  ];
  const application = { __rl: true, mode: 'id', value: '999' };
  testTable(
    place,
    named,
    [
      ...CREDENTIALS.flatMap(([name, credential, message]): Row[] => [
        { name, credential, output: [failed(message), failed(message)] },
        {
          ...{ name: `${name}, with an error output`, credential, output: [] },
          ...{ run: { operation: 'sync', matchBy: ['Name'] }, node: { onError: 'continueErrorOutput' } },
          after: (_, { errorItems }) => expect(errorItems).toHaveLength(2),
        },
      ]),
      ...['create', 'replace'].map((operation): Row => ({
        name: `an application or an operation that is not there: ${operation}`,
        run: { operation, application, values: { Name: 'x' } },
        after: (_, { items }) =>
          expect(items.map(({ json, pairedItem }) => [Object.keys(json)[0], pairedItem])).toEqual([
            ['error', { item: 0 }],
            ['error', { item: 1 }],
          ]),
      })),
    ],
    { items: [{ n: 'a' }, { n: 'b' }], node: CONTINUE },
  );
});

describe('a run that goes on after failures', () => {
  const numbered = (count: number) => Array.from({ length: count }, (_, n) => ({ n: n + 1000 }));
  const get = { operation: 'get', recordId: '={{ $json.n }}', simplify: false };
  const update = { operation: 'update', recordId: '={{ $json.n }}', values: { Name: 'x' } };
  /** All items fail, and the service is asked no more often. */
  const all =
    (words: RegExp, action: string, most: number): NonNullable<Row['after']> =>
    async (_, { json }) => {
      const told = json.map(({ error }) => error);
      expect(told).toEqual(told.map(() => expect.stringMatching(words) as string));
      expect((await place.calls(action)).length).toBeLessThanOrEqual(most);
    };
  const values = { Name: 'a', Price: 1, Kind: 'Nut', Due: '2026-01-01', Note: 'n', Seen: '2026-01-01T00:00' };
  const matchingColumns = '={{ [$json.by] }}';
  const lost = (message: RegExp) => ({ error: expect.stringMatching(message) as string });
  testTable(
    place,
    get,
    [
      {
        name: 'reads once for all that the service refuses',
        ...{ run: { ...update, conflictPolicy: 'fail', revision: '1' }, items: numbered(100) },
        after: async (_, { json }) => {
          expect([json.length, json[0]?.error]).toEqual([100, 'There is no record 1000 in Goods']);
          // Whether each was changed by somebody else; another record, and the first ten again.
          expect((await place.calls('get_data')).length).toBeLessThanOrEqual(100 + 11);
        },
      },
      {
        name: 'waits once for a service that is switched off',
        // Four at once, six tries each.
        ...{ faults: [http(503, 'get_data')], after: all(/HTTP 503/, 'get_data', 24) },
      },
      {
        name: 'waits once for a service that can no longer tell what became of an update',
        ...{ run: update, faults: [http(503, 'update_data'), http(503, 'get_data')] },
        shows: numbered(20).map(({ n }, index) => ({
          details: { outcome: index < 4 ? 'unknown' : 'notDone', ids: [String(n)] },
        })),
        ...{ sent: { update_data: 4 }, after: all(/./, 'get_data', 24) },
      },
      {
        name: 'gives up a service that breaks the connections of four items',
        // Three more may be under way when the fourth fails.
        ...{ faults: [drop('get_data', 'before', 999)], after: all(/lost/, 'get_data', 42) },
      },
      {
        name: 'goes on where an item in between was done: not all connections are lost',
        run: {
          ...{ operation: 'update', recordId: '1', values: { Name: 'Bolt' } },
          options: { skipUnchanged: true },
        },
        ...{
          items: numbered(8),
          faults: [drop('get_data', 'before', 18), drop('get_data', 'before', 18, 19)],
        },
        shows: Array.from({ length: 8 }, (_, at) => (at % 4 === 3 ? { outcome: 'unchanged' } : lost(/lost/))),
      },
      {
        name: 'gives up for the connections that were lost, not for what was refused after them',
        // A list that is refused is asked for in other ways, too.
        faults: [drop('list_data', 'before', 24), ng('list_data', { skip: 24, times: 4 })],
        run: {
          operation: 'upsert',
          parts: { mappingMode: 'defineBelow', value: values, matchingColumns, schema: [] },
        },
        items: ['Price', 'Due', 'Kind', 'Seen', 'Note', 'Name'].map((by) => ({ by })),
        shows: [...Array.from({ length: 4 }, () => lost(/lost/)), lost(/refused/), lost(/lost/)],
      },
    ],
    { items: numbered(20), node: CONTINUE },
  );
});
