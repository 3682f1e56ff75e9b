import type { EngineResult } from '../support/engine';
import { TriggerEngine } from '../support/triggerEngine';
import { ORDERS, RUNS } from './support/runs';
import { byId } from './support/saved';
import { itemsOf, useWorkplace } from './support/workplace';

const place = useWorkplace(null);
/** The service works on each call for this long. */
const slow = async (ms: number) => await place.sandbox.setFaults([{ kind: 'latency', where: 'work', ms }]);
const records = (count: number, first = 0) =>
  itemsOf(...Array.from({ length: count }, (_, n) => ({ n: first + n })));
const price = { values: { Price: '={{ $json.n }}' } };
const credential = () => ({ baseUrl: place.sandbox.baseUrl, accessKey: place.sandbox.accessKey });
const refused = async () => (await place.sandbox.log()).filter(({ httpStatus }) => httpStatus === 429).length;

test('ten executions at once are never refused, write everything, and share the service fairly', async () => {
  await place.open({ records: [] });
  await slow(5);
  const ends: number[] = [];
  const write = async (_: unknown, execution: number): Promise<EngineResult> => {
    const result = await place.create(price, { input: records(20, execution * 20) });
    ends.push((await place.calls('insert_data')).length);
    return result;
  };
  const results = await Promise.all(Array.from({ length: 10 }, write));
  expect(results.map(({ error, json }) => error ?? json.length)).toEqual(results.map(() => 20));
  expect(await refused()).toBe(0);
  expect((await place.stored()).map(({ values }) => Number(values.Price)).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 200 }, (_, n) => n),
  );
  // One that went first would end at 20. They do not begin at the same moment, so not all end near 200.
  expect(Math.min(...ends)).toBeGreaterThan(60);
  expect((await place.sandbox.statistics()).mostInFlight).toBeLessThanOrEqual(5);
});

describe('beside a run of many items', () => {
  beforeEach(async () => {
    await place.open();
    await slow(10);
  });

  /** The calls of the long run that the service answers while something else is done. */
  async function overtakenBy(other: () => Promise<unknown>): Promise<number> {
    const stop = new AbortController();
    const stopped = new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve()));
    const many = place.create(price, { input: records(2000), cancel: stopped });
    while ((await place.calls('insert_data')).length < 10) await place.sandbox.statistics();
    const before = (await place.calls('insert_data')).length;
    await other();
    const after = (await place.calls('insert_data')).length;
    stop.abort();
    await many;
    return after - before;
  }

  test('an execution with a single item gets its turn', async () => {
    const single = async () => {
      expect((await place.run('get', { recordId: place.record() })).json).toHaveLength(1);
    };
    expect(await overtakenBy(single)).toBeLessThan(25);
  });

  test('a poll gets its turn', async () => {
    const poll = async () => {
      const trigger = new TriggerEngine(credential(), {
        application: byId(place.app.id),
        events: ['deleted'],
      });
      expect(await trigger.activate()).toEqual([]);
    };
    expect(await overtakenBy(poll)).toBeLessThan(60);
  });
});

describe('with a single permit', () => {
  /** Makes the service refuse one call, which leaves half of the permits. */
  async function refuseOne(): Promise<void> {
    await place.sandbox.setFaults([{ kind: 'status', status: 429, retryAfter: 0, times: 1 }]);
    await place.run('getAll', { resource: 'label' });
  }
  beforeAll(refuseOne);

  test.each(Object.keys(RUNS))('%s ends: a call with the permit waits for no other', async (name) => {
    await place.open(ORDERS);
    await refuseOne();
    const [resource = '', operation = ''] = name.split('.');
    const [record] = await place.stored();
    const [file] = record?.values.Files as { id: string }[];
    for (const { parameters, binary } of RUNS[name] ?? []) {
      const input = records(3).map(({ json }) => ({
        json: { ...json, file: file!.id },
        ...(binary && { binary }),
      }));
      const { items } = await place.run(
        operation,
        { resource, ...parameters },
        { input, node: { onError: 'continueRegularOutput' } },
      );
      expect(items.length).toBeGreaterThan(0);
    }
  });
});
