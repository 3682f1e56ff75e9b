import { readSelection, Warnings } from '../../../../nodes/ApplicationDataService/service/read/selection';
import { FakeService, val } from '../support/fakeService';

const numbered = Array.from({ length: 1200 }, (_, index) => ({ ID: val(String(index + 1)) }));

test.each([
  ['of one list', 1],
  ['of several, joined', 2],
])('between the slices %s, others are served', async (_, lists) => {
  const fake = new FakeService([], ({ offset = '0', limit }) => ({
    list: { item: numbered.slice(Number(offset), Number(offset) + Number(limit)) },
  }));
  const list = { conditions: [], match: 'any' } as const;
  const selection = {
    parts: [],
    keyMode: 'name',
    lists: [list, ...Array<typeof list>(lists - 1).fill(list)],
  } as const;
  const slices: [number, boolean][] = [];
  let waits = 0;
  for await (const { length } of readSelection(fake.app, selection, new Warnings())) {
    slices.push([length, fake.waits.length > waits]);
    waits = fake.waits.length;
  }
  expect(slices.map(([length]) => length)).toEqual([500, 500, 200]);
  expect(slices.slice(1).every(([, hasWaited]) => hasWaited)).toBe(true);
});
