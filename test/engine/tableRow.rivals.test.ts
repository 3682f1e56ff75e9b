import { LINES, rowOf } from './support/rows';
import { useWorkplace } from './support/workplace';

// Without series in the process, executions collide as if each ran in a separate n8n.
jest.mock('../../nodes/ApplicationDataService/util/concurrently', () => ({
  ...jest.requireActual<object>('../../nodes/ApplicationDataService/util/concurrently'),
  inSeries: async (_key: string, task: () => Promise<unknown>) => await task(),
}));

const WRITERS = 5;

const place = useWorkplace(null);

test('five rivals add a row each to one record at once: every row exists, none twice', async () => {
  await place.open({ parts: [LINES], records: [{ Lines: [{ Item: 'first' }] }] });
  const results = await Promise.all(
    Array.from(
      { length: WRITERS },
      async (_, writer) => await place.run('add', rowOf({ Item: `writer ${writer}` })),
    ),
  );
  expect(results.map(({ error }) => error?.message).filter((message) => message !== undefined)).toEqual([]);
  const rows = (await place.storedAt())?.values.Lines as { Item: string }[];
  expect(rows.map(({ Item }) => Item).sort()).toEqual(
    ['first', ...Array.from({ length: WRITERS }, (_, n) => `writer ${n}`)].sort(),
  );
  const updates = await place.calls('update_data');
  expect(updates.length).toBeGreaterThan(WRITERS);
}, 120_000);
