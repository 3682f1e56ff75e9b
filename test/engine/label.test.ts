import { testTable } from './support/table';
import { useWorkplace } from './support/workplace';

const place = useWorkplace(null);

const SALES = { id: '1', name: 'Sales', color: 'blue', parentId: null };
const ACCOUNTS = { id: '2', name: 'Key Accounts', color: 'green', parentId: '1' };
const FIRST_TWO = { returnAll: false, limit: 2 };

const getMany = { resource: 'label', operation: 'getAll', returnAll: true };
testTable(place, getMany, {
  'every label, with its parent or none': {
    output: expect.arrayContaining([SALES, ACCOUNTS]) as unknown[],
    sent: { list_applabels: 1 },
  },
  'no more than the limit': { run: FIRST_TWO, output: [SALES, ACCOUNTS] },
  'the same in any form of IDs': { dialect: { ids: 'number' }, run: FIRST_TWO, output: [SALES, ACCOUNTS] },
  'the labels are read once, however many items ask for them': {
    run: { returnAll: false, limit: 1 },
    items: [{}, {}],
    output: [SALES, SALES],
    sent: { list_applabels: 1 },
    hints: [/^This ran once for each of 2 items, and asked for the same each time\..* Execute Once /],
  },
  'Continue On Fail: the failed item in its place': {
    run: { returnAll: false, limit: '={{ $json.limit }}' },
    items: [{ limit: 1 }, { limit: 0 }],
    engine: { node: { onError: 'continueRegularOutput' } },
    output: [
      SALES,
      {
        error: '"Limit" must be a whole number of 1 or more, not 0',
        details: { hint: 'Check the setting, or the expression that returns it.' },
      },
    ],
  },
  'a full queue is waited for': {
    run: FIRST_TWO,
    faults: [{ kind: 'status', status: 429, retryAfter: 0, times: 1 }],
    output: [SALES, ACCOUNTS],
  },
  'a refusal is told in the words of the service': {
    faults: [{ kind: 'ng', errorno: -1, message: 'No right' }],
    error: /^The service refused: .*No right/,
  },
});
