import type { EngineResult } from '../support/engine';
import { LINES, rowOf } from './support/rows';
import { useWorkplace } from './support/workplace';
import { useQuickRetries } from './support/quickRetries';

useQuickRetries();

const WRITERS = 50;

const place = useWorkplace({ parts: [LINES], records: [{ Lines: [{ Item: 'first', Qty: '1' }] }] });

/** Executions that each add one row to the same record, all started at once. */
async function addAtOnce(): Promise<EngineResult[]> {
  return await Promise.all(
    Array.from(
      { length: WRITERS },
      async (_, writer) => await place.run('add', rowOf({ Item: `writer ${writer}`, Qty: writer })),
    ),
  );
}

async function expectEveryRowOnce(results: readonly EngineResult[]): Promise<void> {
  expect(results.map(({ error }) => error?.message).filter((message) => message !== undefined)).toEqual([]);
  const rows = (await place.storedAt())?.values.Lines as { Item: string; Qty: string }[];
  expect(rows[0]).toMatchObject({ Item: 'first', Qty: '1' });
  const added = rows.slice(1).map(({ Item, Qty }) => `${Item}: ${Qty}`);
  expect(added.sort()).toEqual(Array.from({ length: WRITERS }, (_, n) => `writer ${n}: ${n}`).sort());
}

test('fifty executions add a row each to one record at once: every row exists, none twice', async () => {
  await expectEveryRowOnce(await addAtOnce());
  // In one process they take turns, so none is refused.
  expect((await place.calls('update_data')).filter(({ outcome }) => outcome === 'ok')).toHaveLength(WRITERS);
}, 90_000);

test('also if answers get lost', async () => {
  await place.sandbox.setDialect({ queueLength: 100 });
  await place.sandbox.setFaults([
    { kind: 'drop', when: 'before', action: 'update_data', skip: 10, times: 3 },
    { kind: 'drop', when: 'after', action: 'update_data', skip: 25, times: 5 },
    { kind: 'status', status: 429, retryAfter: 0, action: 'update_data', skip: 35, times: 3 },
  ]);
  await expectEveryRowOnce(await addAtOnce());
}, 60_000);
