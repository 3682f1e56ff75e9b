import fc from 'fast-check';

import { MAX_LIST_LENGTH } from '../../../../nodes/ApplicationDataService/service/http/client';
import { type Proof, readPages } from '../../../../nodes/ApplicationDataService/service/read/paging';

async function readAll(
  source: { ids: string[] },
  limit?: number,
  between: (page: number) => void = () => undefined,
): Promise<string[]> {
  const read: string[] = [];
  let pages = 0;
  const pagesOf = readPages<string>(
    {
      fetchPage: async (offset, length) => {
        const page = source.ids.slice(offset, offset + length);
        between(++pages);
        return await Promise.resolve(page);
      },
      idOf: (id) => id,
      pause,
    },
    limit,
  );
  for await (const page of pagesOf) read.push(...page);
  return read;
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index));

function page(ids: readonly string[]) {
  return async (offset: number, length: number): Promise<string[]> =>
    await Promise.resolve(ids.slice(offset, offset + length));
}

/** Lets other code run between two slices. */
const pause = async () => await new Promise<void>((resolve) => setImmediate(resolve));

describe('readPages', () => {
  test.each([0, 1, MAX_LIST_LENGTH - 1, MAX_LIST_LENGTH, MAX_LIST_LENGTH + 1, 12_345])(
    'reads %i records once each',
    async (count) => {
      expect(await readAll({ ids: numbered(count) })).toEqual(numbered(count));
    },
  );

  it('requests once for a limit within a page', async () => {
    let calls = 0;
    const read = await readAll({ ids: numbered(9000) }, 50, () => calls++);
    expect([read.length, calls]).toEqual([50, 1]);
  });

  it('stops at a limit beyond a page', async () => {
    expect(await readAll({ ids: numbered(20_000) }, 7000)).toEqual(numbered(7000));
  });

  it('keeps the limit if the service returns more records than requested', async () => {
    const pages = readPages<string>(
      {
        fetchPage: async (offset) => await Promise.resolve(numbered(100).slice(offset)),
        idOf: (id) => id,
        pause,
      },
      7,
    );
    const read: string[] = [];
    for await (const records of pages) read.push(...records);
    expect(read).toEqual(numbered(7));
  });

  it('requests no page beyond the limit', async () => {
    let calls = 0;
    await readAll({ ids: numbered(20_000) }, 7000, () => calls++);
    expect(calls).toBe(2);
  });

  it('requests on the last page the rest, and the overlap with the page before', async () => {
    const asked: [number, number][] = [];
    const source = {
      fetchPage: async (offset: number, length: number) => {
        asked.push([offset, length]);
        return await page(numbered(60_000))(offset, length);
      },
      idOf: (id: string) => id,
      pause,
      isAlone: () => true,
      count: async () => await Promise.resolve(60_000),
    };
    const read: string[] = [];
    for await (const records of readPages(source, 30_100)) read.push(...records);
    expect(read).toEqual(numbered(30_100));
    expect(asked.slice(-2)).toEqual([
      [24_750, 5000],
      [29_700, 400],
    ]);
  });

  it.each([
    [1, true, [0, 4950]],
    [51, true, [0, 4950, 9900, 14_850, 19_800, 24_750, 29_700, 34_650]],
    [51, false, [0, 4950, 9900, 14_850, 19_800, 24_750, 29_700]],
    [200, true, [0, 4950, 9900, 14_850, 19_800, 24_750, 29_700, 34_650, 39_600]],
  ])(
    'requests the next pages while one is processed (%i slices, alone: %s)',
    async (slices, alone, offsets) => {
      const asked: number[] = [];
      const pages = readPages<string>({
        fetchPage: async (offset, length) => {
          asked.push(offset);
          return await Promise.resolve(numbered(40_000).slice(offset, offset + length));
        },
        idOf: (id) => id,
        pause,
        isAlone: () => alone,
        count: async () => await Promise.resolve(40_000),
      });
      for (let slice = 0; slice < slices; slice++) await pages.next();
      expect(asked).toEqual(offsets);
    },
  );

  it('fails if a page fails, after the pages before it', async () => {
    let read = 0;
    const pages = readPages<string>({
      fetchPage: async (offset, length) => {
        if (offset > 0) throw new Error('cut off');
        return await Promise.resolve(numbered(length));
      },
      idOf: (id) => id,
      pause,
    });
    const reading = (async () => {
      for await (const records of pages) read += records.length;
    })();
    await expect(reading).rejects.toThrow('cut off');
    expect(read).toBe(5000);
  });

  it('reads page after page if records contain no id', async () => {
    const source = { fetchPage: page(numbered(11_000)), idOf: () => null, pause };
    const read: string[] = [];
    for await (const records of readPages(source)) read.push(...records);
    expect(read).toEqual(numbered(11_000));
  });

  it('steps back as often as deletions require it', async () => {
    const source = { ids: numbered(40_000) };
    const read = await readAll(source, undefined, (page) => {
      if (page === 5) source.ids.splice(0, 22_000);
    });
    expect(read.slice(0, 20_000)).toEqual(numbered(20_000));
    expect(read.filter((id) => Number(id) >= 22_000)).toEqual(numbered(40_000).slice(22_000));
  });

  it('ends for a list that has another order each time', async () => {
    const ids = numbered(12_000);
    let calls = 0;
    const source = {
      fetchPage: async (offset: number, length: number) => {
        calls++;
        const turned = [...ids.slice(calls * 997), ...ids.slice(0, calls * 997)];
        return await page(turned)(offset, length);
      },
      idOf: (id: string) => id,
      pause,
    };
    const read: string[] = [];
    const reading = (async () => {
      for await (const records of readPages(source)) read.push(...records);
    })();
    await reading.catch((error: unknown) => expect(String(error)).toMatch(/same records again and again/));
    expect(new Set(read).size).toBe(read.length);
    expect(calls).toBeLessThan(50);
  });

  it.each([
    ['a full page', 5000, {}],
    ['a short page', 70, { proof: 'strict', count: async () => await Promise.resolve(190) }],
    ['records without ids', 5000, { idOf: (): null => null, count: async () => await Promise.resolve(7000) }],
    ['records without ids, and no count', 5000, { idOf: (): null => null }],
  ] as const)('ends with an error where the service ignores the offset: %s', async (_, length, more) => {
    let calls = 0;
    const source = {
      fetchPage: async () => {
        if (++calls > 20) throw new Error('asked without end');
        return await Promise.resolve(numbered(length));
      },
      idOf: (id: string): string | null => id,
      pause,
      ...more,
    };
    const reading = async (): Promise<void> => {
      for await (const records of readPages<string>(source)) expect(records.length).toBeGreaterThan(0);
    };
    await expect(reading()).rejects.toThrow('returns the same records again and again');
    expect(calls).toBeLessThanOrEqual(4);
  });

  it('reads records without ids that are all alike', async () => {
    const alike = numbered(12_000).map(() => 'Open');
    const source = {
      fetchPage: page(alike),
      idOf: () => null,
      pause,
      count: async () => await Promise.resolve(alike.length),
    };
    let length = 0;
    for await (const records of readPages<string>(source)) length += records.length;
    expect(length).toBe(12_000);
  });

  it('counts an entry that is no record for the length of its page', async () => {
    const list = numbered(7000).map((id, index) => (index === 9 ? null : id));
    const source = {
      fetchPage: async (offset: number, length: number) =>
        await Promise.resolve(list.slice(offset, offset + length)),
      idOf: (id: string) => id,
      pause,
    };
    const read: string[] = [];
    for await (const records of readPages<string>(source)) read.push(...records);
    expect(read).toHaveLength(6999);
  });

  it('loses and repeats nothing if records are deleted or added while it reads', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            page: fc.integer({ min: 1, max: 4 }),
            at: fc.integer({ min: 0, max: 14_999 }),
            count: fc.integer({ min: 1, max: 9000 }),
          }),
          { maxLength: 3 },
        ),
        fc.integer({ min: 0, max: 200 }),
        async (deletions, added) => {
          const source = { ids: numbered(15_000) };
          const gone = new Set<string>();
          const read = await readAll(source, undefined, (page) => {
            for (const deletion of deletions.filter((each) => each.page === page)) {
              for (const id of source.ids.splice(deletion.at, deletion.count)) gone.add(id);
            }
            if (page === 2) source.ids.push(...Array.from({ length: added }, (_, index) => `new-${index}`));
          });
          const seen = new Set(read);
          expect(seen.size).toBe(read.length);
          const missing = numbered(15_000).filter((id) => !gone.has(id) && !seen.has(id));
          expect(missing).toEqual([]);
        },
      ),
      { numRuns: 15 },
    );
  }, 60_000);
});

describe('a service that returns fewer records at a time than requested', () => {
  const all = numbered(730);
  const told: [number, number][] = [];
  const known: { longestLast?: number } = {};
  const once = { known, disagrees: (...numbers: [number, number]) => told.push(numbers) };

  async function read(proof: Proof | undefined, length = 730, count: number | null = length) {
    let counts = 0;
    const source = {
      fetchPage: async (offset: number) =>
        await Promise.resolve(all.slice(0, length).slice(offset, offset + 100)),
      idOf: (id: string) => id,
      count: async () => await Promise.resolve((counts++, count)),
      pause,
      ...(proof !== undefined && { proof }),
    };
    let given = 0;
    for await (const page of readPages<string>(source)) given += page.length;
    return [given, counts];
  }

  beforeEach(() => {
    told.length = 0;
    delete known.longestLast;
  });

  it('is believed if the list need not be complete', async () => {
    expect(await read(undefined)).toEqual([100, 0]);
  });

  it('is read until the count agrees if absence is concluded from it, or to an empty page', async () => {
    expect(await read('strict')).toEqual([730, 2]);
    expect((await read('strict', 730, 9999))[0]).toBe(730);
    expect((await read('strict', 730, null))[0]).toBe(730);
  });

  it('is counted once, and read until that agrees', async () => {
    expect(await read(once)).toEqual([730, 1]);
    expect(told).toEqual([]);
  });

  it('is read to an empty page if the count does not agree, which is told with both numbers', async () => {
    expect(await read(once, 730, 9999)).toEqual([730, 1]);
    expect(told).toEqual([[9999, 730]]);
  });

  it('is read to an empty page if it cannot be counted', async () => {
    expect((await read(once, 730, null))[0]).toBe(730);
    expect(told).toEqual([]);
  });

  it('is not counted for a page that is empty, or shorter than one that was proved to be the last', async () => {
    expect(await read(once, 0)).toEqual([0, 0]);
    expect(await read(once, 40)).toEqual([40, 1]);
    expect(await read(once, 39)).toEqual([39, 0]);
    expect(await read(once, 40)).toEqual([40, 1]);
  });
});

test('where nobody can count, a list ends with an empty page: a service may give fewer at a time', async () => {
  const asked: number[] = [];
  const source = {
    fetchPage: async (offset: number) => {
      asked.push(offset);
      return await Promise.resolve(['a', 'b', 'c', 'd', 'e'].slice(offset, offset + 2));
    },
    idOf: (record: string) => record,
    pause: async () => await Promise.resolve(),
    proof: 'strict' as const,
  };
  const found: string[] = [];
  for await (const page of readPages(source)) found.push(...page);
  expect(found).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(asked.at(-1)).toBe(5);
});
