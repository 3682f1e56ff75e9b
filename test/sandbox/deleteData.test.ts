import { useClient } from './support/serviceCall';

/** interface.md, "delete_data (data deletion)". */
const client = useClient();

it.each([
  ['one id', '2', ['1', '3', '4']],
  ['a comma-separated list', '1, 3', ['2', '4']],
  ['a repeated parameter', ['1', '4'], ['2', '3']],
  ['both, with one id twice', ['1,2', '2'], ['3', '4']],
])('accepts %s', async (_case, ids, left) => {
  const count = new Set([ids].flat().flatMap((id) => id.split(/, ?/))).size;
  const answer = await client.ok('delete_data', { app_id: '301', data_id: ids });
  expect(answer).toEqual({ status: 'ok', delete_count: String(count) });
  expect((await client.sandbox.records('301')).map(({ id }) => id)).toEqual(left);
});

it('counts what was actually deleted', async () => {
  const answer = await client.ok('delete_data', { app_id: '301', data_id: '1,99' });
  expect(answer.delete_count).toBe('1');
});
