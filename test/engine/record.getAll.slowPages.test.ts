import { partsOf } from '../support/parts';
import { useTimeout } from './support/quickRetries';
import { testTable, type Row } from './support/table';
import { useWorkplace } from './support/workplace';

/**
 * A service that takes 150 seconds for 5,000 records, and a client that waits for 120 (service-facts): a second is 8
 * milliseconds here.
 */
const SECOND = 8;

useTimeout(120 * SECOND);

const place = useWorkplace(null);

const COUNT = 6000;
const NAMES = Array.from({ length: COUNT }, (_, index) => `N${index}`);

const slow: Pick<Row, 'application' | 'faults'> = {
  application: {
    parts: partsOf({ Name: 'textbox', Note: 'textbox' }),
    records: NAMES.map((Name) => ({ Name })),
  },
  faults: [{ kind: 'latency', where: 'work', ms: 0, itemMs: (150 * SECOND) / 5000, action: 'list_data' }],
};

/** The first page is too long, and none after it. */
const inHalves = async (): Promise<void> => {
  const [first, ...others] = (await place.sent('list_data')).map(({ limit }) => Number(limit));
  expect(first).toBe(5000);
  expect(Math.max(...others)).toBeLessThanOrEqual(2500);
  // On a busy machine, another one may be late.
  expect(others.length).toBeLessThan(10);
};

testTable(
  place,
  {},
  {
    'Get Many': {
      run: { operation: 'getAll', returnAll: true },
      after: async (_, { json }) => {
        expect(json.map(({ Name }) => Name)).toEqual(NAMES);
        await inHalves();
      },
    },
  },
  slow,
);
