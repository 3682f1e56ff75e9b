import { readPages } from '../../../../nodes/ApplicationDataService/service/read/paging';

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index));

function page(ids: readonly string[]) {
  return async (offset: number, length: number): Promise<string[]> =>
    await Promise.resolve(ids.slice(offset, offset + length));
}

/** Between two slices, what waits goes first. */
const pause = async () => await new Promise<void>((resolve) => setImmediate(resolve));

describe('a service that gives fewer records at a time than it is asked for', () => {
  const all = Array.from({ length: 730 }, (_, index) => String(index + 1));
  let calls = 0;
  const source = (most: number, count?: () => Promise<number>) => ({
    fetchPage: async (offset: number, limit: number) => {
      calls++;
      return await Promise.resolve(all.slice(offset, offset + Math.min(limit, most)));
    },
    idOf: (id: string) => id,
    pause,
    ...(count && { count }),
  });
  const readAtMost = async (
    most: number,
    { limit, count }: { readonly limit?: number; readonly count?: () => Promise<number> } = {},
  ): Promise<string[]> => {
    calls = 0;
    const records: string[] = [];
    for await (const page of readPages(source(most, count), limit)) records.push(...page);
    return records;
  };
  const read = async (count: () => Promise<number>): Promise<string[]> => await readAtMost(97, { count });

  it('is read to its end where the list must be whole', async () => {
    expect(await read(async () => await Promise.resolve(730))).toEqual(all);
  });

  it('is read to an empty page where the count does not agree', async () => {
    expect(await read(async () => await Promise.resolve(9999))).toEqual(all);
  });

  it.each([50, 64, 100, 128, 250, 256, 500, 512])(
    'is read to its end elsewhere, too, where the number looks like a limit: %i',
    async (most) => {
      expect(await readAtMost(most)).toEqual(all);
      expect(await readAtMost(most, { limit: 600 })).toEqual(all.slice(0, 600));
    },
  );

  it.each([1, 10, 49, 63, 97, 117, 729])('is taken at its word where it does not: %i', async (most) => {
    expect(await readAtMost(most)).toHaveLength(most);
    expect(calls).toBe(1);
  });

  it('may be one that has no more records, which costs one request', async () => {
    const few = all.splice(700);
    expect(await readAtMost(5000)).toEqual(all);
    expect(calls).toBe(2);
    expect(await readAtMost(5000, { limit: 700 })).toEqual(all);
    expect(calls).toBe(1);
    all.push(...few);
  });

  it('costs no more after a longer page: so many records can be returned at once', async () => {
    const asked: number[] = [];
    const fetchPage = async (offset: number, length: number): Promise<string[]> => {
      asked.push(offset);
      return await page(numbered(5950))(offset, length);
    };
    for await (const each of readPages<string>({ fetchPage, idOf: (id) => id, pause })) void each;
    expect(asked).toEqual([0, 4950]);
  });

  it('comes to an end where the order is another one each time', async () => {
    let turns = 0;
    const fetchPage = async (offset: number, length: number): Promise<string[]> => {
      const turn = (++turns * 97) % 700;
      return await page([...all.slice(turn, 700), ...all.slice(0, turn)])(offset, Math.min(length, 100));
    };
    const read: string[] = [];
    for await (const each of readPages<string>({ fetchPage, idOf: (id) => id, pause })) read.push(...each);
    expect(new Set(read).size).toBe(read.length);
    expect(turns).toBeLessThan(50);
  });
});
