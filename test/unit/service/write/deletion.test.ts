import { deleteRecords } from '../../../../nodes/ApplicationDataService/service/write/deletion';
import { findExisting } from '../../../../nodes/ApplicationDataService/service/read/absence';
import { FakeService, val, type Reply } from '../support/fakeService';

/** A service that contains ids, deletes those that it may, and answers as configured. */
function serviceOf(
  ids: readonly string[],
  {
    locked = [],
    onDelete,
  }: { locked?: readonly string[]; onDelete?: (named: string[]) => Reply | null } = {},
) {
  const held = new Set(ids);
  const fake = new FakeService([], (call) => {
    if (call.action === 'count_data') return { allcnt: held.size };
    if (call.action === 'list_data') {
      const from = Number(call.offset ?? 0);
      return { list: { item: [...held].slice(from, from + 5000).map((id) => ({ ID: val(id) })) } };
    }
    if (call.action === 'get_data') {
      return held.has(call.data_id ?? '') ? { record: { ID: val(call.data_id) } } : 'refused';
    }
    const named = (call.data_id ?? '').split(',');
    const reply = onDelete?.(named) ?? null;
    if (reply !== null) return reply;
    const gone = named.filter((id) => held.has(id) && !locked.includes(id));
    gone.forEach((id) => held.delete(id));
    return { delete_count: String(gone.length) };
  });
  return { fake, held };
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));

test('existing records are read one by one if that is cheaper than a scan', async () => {
  const { fake } = serviceOf(numbers(12_000));
  expect([...(await findExisting(fake.app, ['5', '99999'], 'name'))]).toEqual(['5']);
  expect(fake.of('get_data').map(({ data_id: id }) => id)).toEqual(['5', '99999', '99999', '5', '99999']);
  // Always half a second before the second read, so that a brief fault is over.
  expect(fake.waits.filter((wait) => wait > 0)).toEqual([500]);
  // Another record must be readable, in an application that is running.
  expect([fake.of('list_data').length, fake.of('get_app').length]).toEqual([0, 1]);

  // A page of 5,000 records costs the service about as much as reading 25 records one by one.
  expect((await findExisting(fake.app, numbers(60), 'name')).size).toBe(60);
  expect([fake.of('get_data').length, fake.of('list_data').length]).toEqual([65, 0]);
  expect((await findExisting(fake.app, numbers(64), 'name')).size).toBe(64);
  expect([fake.of('get_data').length, fake.of('list_data').length]).toEqual([65, 2]);
});

test('a record that refuses to be read until others have answered is there', async () => {
  let refusals = 2;
  const fake = new FakeService([], ({ action, data_id: id }) => {
    if (action === 'count_data') return { allcnt: 2 };
    return id === '1' && refusals-- > 0 ? 'refused' : { record: { ID: val(id) } };
  });
  expect([...(await findExisting(fake.app, ['1', '2'], 'name'))].sort()).toEqual(['1', '2']);
});

test.each([['1'], ['1', '2']])('what was deleted and then refused is deleted: %s', async (...ids) => {
  const { fake, held } = serviceOf(numbers(3), {
    onDelete: (named) => {
      named.forEach((id) => held.delete(id));
      return 'refused';
    },
  });
  const { deleted, failed } = await deleteRecords(fake.app, ids);
  expect([[...deleted], failed.size]).toEqual([ids, 0]);
});

test('a lost request leaves a doubt about what remains, whatever the next one comes to', async () => {
  for (const second of ['refused', 'unauthorized', 'lost'] as const) {
    let times = 0;
    const { fake } = serviceOf(numbers(3), { onDelete: () => (++times === 1 ? 'lost' : second) });
    const { failed } = await deleteRecords(fake.app, ['1']);
    expect(failed.get('1')?.kind).toBe('outcomeUnknown');
  }
});

test('an application that does not answer says nothing about its records', async () => {
  const fake = new FakeService([], () => 'refused');
  await expect(findExisting(fake.app, ['1'], 'name')).rejects.toThrow('The service refused: no');
});

describe('a refused record counts as missing only if', () => {
  const read = async (fake: FakeService, ids = ['99999']) => await findExisting(fake.app, ids, 'name');

  test('another record reads', async () => {
    const fake = new FakeService([], ({ action }) => {
      if (action === 'count_data') return { allcnt: 12_000 };
      return action === 'list_data' ? { list: { item: [{ ID: val('1') }] } } : 'refused';
    });
    await expect(read(fake)).rejects.toThrow(/refuses to return records that may exist, and also one/);
  });

  test.each(['maintenance', 'stopped'])('the application is not in %s afterwards', async (status) => {
    const { fake } = serviceOf(numbers(12_000));
    fake.definition = { id: '301', name: 'Goods', app_status: status };
    await expect(read(fake)).rejects.toThrow(`The application "Goods" is not running (${status})`);
    // The same by a scan.
    await expect(read(fake, numbers(12_001))).rejects.toThrow(/is not running/);
  });
});

test('ids are sent two hundred at a time', async () => {
  const { fake, held } = serviceOf(numbers(450));
  const { deleted, failed } = await deleteRecords(fake.app, numbers(450));
  expect([deleted.size, failed.size, held.size]).toEqual([450, 0, 0]);
  expect(fake.of('delete_data').map(({ data_id: ids = '' }) => ids.split(',').length)).toEqual([
    200, 200, 50,
  ]);
});

test('a refused request is halved until only the refused record is left', async () => {
  const { fake } = serviceOf(numbers(200), {
    onDelete: (named) => (named.includes('77') ? 'refused' : null),
  });
  const { deleted, failed } = await deleteRecords(fake.app, numbers(200));
  expect([...failed.keys()]).toEqual(['77']);
  expect(deleted.size).toBe(199);
  expect(fake.of('delete_data').length).toBeLessThanOrEqual(1 + 2 * 8);
});

test('a smaller count is not halved: the service has deleted all that it would', async () => {
  const { fake } = serviceOf(numbers(200), { locked: ['5', '6'] });
  const { failed } = await deleteRecords(fake.app, numbers(200));
  expect([...failed].map(([id, { message }]) => [id, message])).toEqual([
    ['5', 'The service did not delete the record 5'],
    ['6', 'The service did not delete the record 6'],
  ]);
  expect(fake.of('delete_data')).toHaveLength(1);
});

test('after a lost answer, only the remaining ids are sent again, once', async () => {
  let times = 0;
  const { fake } = serviceOf(numbers(4), { onDelete: () => (++times === 1 ? 'lost' : null) });
  const { deleted } = await deleteRecords(fake.app, numbers(4));
  expect(deleted.size).toBe(4);

  const never = serviceOf(numbers(4), { onDelete: () => 'lost' });
  const { failed } = await deleteRecords(never.fake.app, numbers(4));
  // A request without an answer may be carried out later.
  expect([...failed.values()].map(({ kind }) => kind)).toEqual(Array(4).fill('outcomeUnknown'));
  expect(never.fake.of('delete_data')).toHaveLength(2);
});

test('a failure that does not concern the records ends the run for all remaining ones', async () => {
  const { fake } = serviceOf(numbers(600), { onDelete: () => 'unauthorized' });
  const { deleted, failed } = await deleteRecords(fake.app, numbers(600));
  expect([deleted.size, failed.size]).toEqual([0, 600]);
  expect(fake.of('delete_data')).toHaveLength(1);
});

test('a cancelled run sends no further request', async () => {
  const { fake } = serviceOf(numbers(600));
  let asked = 0;
  const { deleted } = await deleteRecords(fake.app, numbers(600), (ids) => (++asked <= 2 ? ids : []));
  expect(deleted.size).toBe(400);
});
