import { RecordTable } from '../../../nodes/ApplicationDataService/trigger/state/recordTable';
import {
  decodeState,
  encodeState,
  encodeWithin,
} from '../../../nodes/ApplicationDataService/trigger/state/stateCodec';
import { stateOf } from './support/stateOf';

describe('previous values', () => {
  function withValues(count: number): RecordTable {
    const records = new RecordTable(1);
    const random = randomNumbers();
    for (let id = 1; id <= count; id++) {
      const status = ['Open', 'Approved', 'Rejected', 'Closed'][Math.floor(random() * 4)];
      const owner = `Person ${Math.floor(random() * 40)}`;
      const values = [JSON.stringify(status), JSON.stringify(owner)];
      records.set(String(id), { revision: 1 + (id % 5), hashes: [Math.floor(random() * 2 ** 32)], values });
    }
    return records;
  }

  it('take at most 12 characters for each record with two short texts, in all', async () => {
    const text = await encodeState({ ...stateOf(withValues(20_000)), scan: null });
    expect(text.length / 20_000).toBeLessThanOrEqual(12);
  });

  it('of 100,000 records are written and read in half a second', async () => {
    const state = stateOf(withValues(100_000));
    const begin = process.cpuUsage();
    const text = await encodeState(state);
    const encoding = process.cpuUsage(begin);
    expect((await decodeState(text))!.records.get('100000')).toEqual(state.records.get('100000'));
    const both = process.cpuUsage(begin);
    // Processor time, because a busy machine takes longer. The comparison "triggerState" measures the time by the
    // clock.
    expect(encoding.user / 1000).toBeLessThan(2500);
    expect((both.user - encoding.user) / 1000).toBeLessThan(2500);
  });

  it('are kept for as many records as there is room for', async () => {
    const state = stateOf(withValues(5000));
    const { text, dropped } = await encodeWithin(state, undefined, 32_000);
    expect(text.length).toBeLessThanOrEqual(32_000);
    expect(dropped).toBeGreaterThan(0);
    expect(dropped).toBeLessThan(5000);
    const { records } = (await decodeState(text, 32_000))!;
    expect([records.size, records.values.size, records.isFull]).toEqual([5000, 5000 - dropped, true]);
    expect((await decodeState(text))!.records.isFull).toBe(false);
    expect((await encodeWithin(stateOf(withValues(50)))).dropped).toBe(0);
  });
});

function randomNumbers(): () => number {
  let seed = 1;
  return () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}
