import { useQuickRetries } from './support/quickRetries';
import { CONTINUE, testTable, type Row } from './support/table';
import { useWorkplace } from './support/workplace';

useQuickRetries();

const place = useWorkplace(null);

const named = { operation: 'create', values: { Name: '={{ $json.n }}' } };
const failed = (message: RegExp) => ({
  error: expect.stringMatching(message) as string,
  details: { outcome: 'notDone', hint: expect.any(String) as string },
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
    ],
    { items: numbered(20), node: CONTINUE },
  );
});
