import { Memo } from '../../../../nodes/ApplicationDataService/service/application/session';

describe('Memo', () => {
  it('reads the same question once, also while its answer is not there yet', async () => {
    const recent = new Memo(10);
    const read = jest.fn(async () => await Promise.resolve(7));
    expect(await Promise.all([recent.get('a', read), recent.get('a', read)])).toEqual([7, 7]);
    expect(await recent.get('a', read)).toBe(7);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('reads again after a failure', async () => {
    const recent = new Memo(10);
    const read = jest.fn().mockRejectedValueOnce(new Error('lost')).mockResolvedValueOnce('found');
    await expect(recent.get('a', read)).rejects.toThrow('lost');
    expect(await recent.get('a', read)).toBe('found');
  });

  it('forgets the oldest', async () => {
    const recent = new Memo(2);
    const read = jest.fn(async () => await Promise.resolve(1));
    for (const key of ['a', 'b', 'c', 'b', 'c', 'a']) await recent.get(key, read);
    expect(read).toHaveBeenCalledTimes(4);
  });
});
