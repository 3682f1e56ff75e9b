import { deleteRecords } from '../../../../nodes/ApplicationDataService/service/write/deletion';
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

test('one that vanished before a refused request leaves no other undeleted', async () => {
  let times = 0;
  const { fake, held } = serviceOf(numbers(200), {
    onDelete: (named) => {
      if (++times === 1) held.delete('9');
      return named.some((id) => !held.has(id) || id === '77') ? 'refused' : null;
    },
  });
  const { deleted, failed } = await deleteRecords(fake.app, numbers(200));
  expect([...failed.keys()]).toEqual(['77']);
  expect([deleted.size, held.size]).toEqual([199, 1]);
});

test('what ends it is the failure of all that was not begun', async () => {
  const { fake } = serviceOf(numbers(600));
  let asked = 0;
  const { deleted, failed } = await deleteRecords(fake.app, numbers(600), (ids) => {
    if (++asked === 2) throw new Error('away');
    return ids;
  });
  expect([deleted.size, failed.size, asked]).toEqual([200, 400, 2]);
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
