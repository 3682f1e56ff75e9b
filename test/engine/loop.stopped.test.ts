import { anyText, like } from './support/like';
import { useQuickRetries } from './support/quickRetries';
import { byId } from './support/saved';
import { CONTINUE, each, testTable } from './support/table';
import { useWorkplace } from './support/workplace';

useQuickRetries();

const place = useWorkplace(null);

const named = { operation: 'create', values: { Name: '={{ $json.n }}' } };
const failed = (message: RegExp) => ({
  error: like(message),
  details: { outcome: 'notDone', hint: anyText },
});

describe('what stops the whole run, with On Error = Continue, is the error of each item', () => {
  const CREDENTIALS: [string, Readonly<Record<string, string>>, RegExp][] = [
    ['a malformed base URL', { baseUrl: 'https://' }, /address|URL/i],
    ['a key with a line break', { accessKey: 'a\nb' }, /access key contains characters/],
    ['an unknown time zone', { timeZone: 'Nowhere/City' }, /time zone/i],
    ['a path as data module', { dataModule: 'cgi/appsr.cgi' }, /data module/i],
  ];
  const application = byId('999');
  testTable(
    place,
    named,
    {
      ...each(CREDENTIALS)('%s', ([, credential, message]) => ({
        ...{ credential, output: [failed(message), failed(message)] },
      })),
      ...each(CREDENTIALS)('%s, with an error output', ([, credential]) => ({
        ...{ credential, output: [], run: { operation: 'sync', matchBy: ['Name'] } },
        node: { onError: 'continueErrorOutput' },
        after: (_, { errorItems }) => expect(errorItems).toHaveLength(2),
      })),
      ...each(['create', 'replace'])('an application or operation that is not there: %s', (operation) => ({
        run: { operation, application, values: { Name: 'x' } },
        after: (_, { items }) =>
          expect(items.map(({ json, pairedItem }) => [Object.keys(json)[0], pairedItem])).toEqual(
            [0, 1].map((item) => ['error', { item }]),
          ),
      })),
    },
    { items: [{ n: 'a' }, { n: 'b' }], node: CONTINUE },
  );
});
