import { readPages } from '../../../../nodes/ApplicationDataService/service/read/recordList';
import { makePart } from '../../parts/support/parts';
import { FakeService, val } from '../support/fakeService';

const code = makePart('textbox', { id: '101', name: 'Code' });

type Stored = Readonly<Record<string, unknown>>;

const record = (id: number): Stored => ({ ID: val(String(id)), Code: val(`C${id}`) });
const records = (length: number): Stored[] => Array.from({ length }, (_, index) => record(index + 1));

function serviceOf(stored: readonly unknown[], count = stored.length) {
  return new FakeService([code], (call) => {
    if (call.action === 'count_data') return { allcnt: count };
    const from = Number(call.offset ?? 0);
    return { list: { item: stored.slice(from, from + Number(call.limit)) } };
  });
}

async function lengthOf({ app }: FakeService, isProof: boolean): Promise<number> {
  let length = 0;
  for await (const page of readPages(app, { parts: [code], keyMode: 'name', isProof })) length += page.length;
  return length;
}

test.each([
  ['pages alone', false, ['list_data', 'list_data']],
  [
    'for a proof a count, and then the state of the application',
    true,
    ['list_data', 'list_data', 'count_data', 'get_app'],
  ],
])('asks for %s', async (_, isProof, actions) => {
  const fake = serviceOf(records(5000));
  expect(await lengthOf(fake, isProof)).toBe(5000);
  expect(fake.calls.map(({ action }) => action)).toEqual(actions);
});

test.each<[string, unknown, string]>([
  [
    'without its ID, where something is concluded from the list',
    { Code: val('x') },
    'lists a record without its ID',
  ],
  ['that is none', 'x', 'lists something that is no record'],
])('refuses a record %s', async (_, entry, message) => {
  await expect(lengthOf(serviceOf([record(1), entry]), true)).rejects.toThrow(message);
});

test.each(['maintenance', 'stopped'])(
  'proves nothing if the application is in %s afterwards',
  async (status) => {
    const fake = serviceOf(records(3));
    fake.definition = { id: '301', name: 'Goods', app_status: status };
    await expect(lengthOf(fake, true)).rejects.toThrow(`The application "Goods" is not running (${status})`);
    expect(await lengthOf(fake, false)).toBe(3);
  },
);
