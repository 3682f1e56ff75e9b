import { ServiceSession } from '../../../../nodes/ApplicationDataService/service/application/session';
import type { ServiceClient } from '../../../../nodes/ApplicationDataService/service/http/client';

let session: ServiceSession;
beforeEach(() => void (session = new ServiceSession({} as ServiceClient)));

it('reads the same question once, also while its answer is not there yet', async () => {
  const read = jest.fn(async () => await Promise.resolve(7));
  expect(await Promise.all([session.once(['a'], read), session.once(['a'], read)])).toEqual([7, 7]);
  expect(await session.once(['a'], read)).toBe(7);
  expect(read).toHaveBeenCalledTimes(1);
});

it('reads again after a failure', async () => {
  const read = jest.fn().mockRejectedValueOnce(new Error('lost')).mockResolvedValueOnce('found');
  await expect(session.once(['a'], read)).rejects.toThrow('lost');
  expect(await session.once(['a'], read)).toBe('found');
});

it('forgets the oldest of more than 200 answers', async () => {
  const read = jest.fn(async () => await Promise.resolve(1));
  for (let asked = 0; asked <= 200; asked++) await session.once([asked], read);
  for (const again of [200, 1, 0]) await session.once([again], read);
  expect(read).toHaveBeenCalledTimes(202);
});
