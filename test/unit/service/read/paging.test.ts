import fc from 'fast-check';

import { MAX_LIST_LENGTH } from '../../../../nodes/ApplicationDataService/service/http/client';
import { ServiceError } from '../../../../nodes/ApplicationDataService/service/http/errors';
import {
  type PageRange,
  pagesOf,
  type PageSource,
  type PageTerms,
} from '../../../../nodes/ApplicationDataService/service/read/paging';

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index));

/** The requests for so many pages of full length. */
const starts = (pages: number): string[] =>
  Array.from({ length: pages }, (_, page) => `${page * 4950} ${MAX_LIST_LENGTH}`);

interface Manner extends Partial<Pick<PageSource<string>, 'idOf' | 'count'>> {
  /** Happens after a page was given. */
  readonly between?: (page: number) => void;
  /** The page at an offset, if it is another than of the list. */
  readonly give?: (offset: number, limit: number) => readonly string[];
}

/** A service with a list that may change; notes the offset and limit of each page: "4950 5000". */
function serviceOf(list: { ids: string[] }, { between, give, ...more }: Manner = {}) {
  const asked: string[] = [];
  const source: PageSource<string> = {
    fetchPage: async ({ offset, limit }) => {
      asked.push(`${offset} ${limit}`);
      if (asked.length > 60) throw new Error('asked without end');
      const page = give?.(offset, limit) ?? list.ids.slice(offset, offset + limit);
      between?.(asked.length);
      return await Promise.resolve(page);
    },
    idOf: (id) => id,
    ...more,
  };
  return { source, asked };
}

async function read(source: PageSource<string>, terms?: PageTerms): Promise<string[]> {
  const all: string[] = [];
  for await (const page of pagesOf(source, terms)) all.push(...page);
  return all;
}

function fail(failure: Error): never {
  throw failure;
}

/** The failure of a page that took too long, as the client throws it. */
const late = new ServiceError('lost', 'late', '', { isSlow: true });
const gateway = new ServiceError('busy', '504', '', { status: 504 });

describe('pages', () => {
  test.each([0, 1, MAX_LIST_LENGTH - 1, MAX_LIST_LENGTH, MAX_LIST_LENGTH + 1, 12_345])(
    'of %i records give each once',
    async (count) => {
      const ids = numbered(count);
      expect(await read(serviceOf({ ids }).source)).toEqual(ids);
      expect(await read(serviceOf({ ids }, { idOf: () => null }).source)).toEqual(ids);
    },
  );

  test.each<[string, number, PageTerms, readonly string[]]>([
    ['all of a list', 9000, {}, ['0 5000', '4950 5000']],
    ['a limit within a page', 9000, { limit: 50 }, ['0 50']],
    ['a limit beyond a page', 20_000, { limit: 7000 }, ['0 5000', '4950 2100']],
    ['who may stop after the first page', 9000, { first: 250 }, ['0 250', '200 5000', '5150 5000']],
    ['a limit of many pages', 40_000, { limit: 26_000 }, [...starts(4), '19800 5000', '24750 1300']],
    ['a long list', 17_000, {}, [...starts(4)]],
    ['all of a list by shorter pages', 900, { length: 400 }, ['0 400', '350 400', '700 400']],
    ['a first page longer than the service gives', 6000, { first: 9000 }, ['0 5000', '4950 5000']],
  ])('are asked for: %s', async (_, count, terms, requests) => {
    const { source, asked } = serviceOf({ ids: numbered(count) });
    expect(await read(source, terms)).toEqual(numbered(Math.min(count, terms.limit ?? count)));
    expect(asked).toEqual(requests);
  });

  test('hold no more than the limit, also of a service that gives more than it was asked for', async () => {
    const { source } = serviceOf({ ids: [] }, { give: () => numbered(100) });
    expect(await read(source, { limit: 7 })).toEqual(numbered(7));
  });

  test.each([
    ['is on its way while one is worked on', {}, 1, ['0 5000', '4950 5000']],
    ['is on its way, and no other', {}, 26, ['0 5000', '4950 5000', '9900 5000']],
    ['is on its way, and no other, in a long list', {}, 76, starts(5)],
    ['is not asked for before it is wanted by who may stop after the first', { first: 5000 }, 25, ['0 5000']],
  ])('the next one %s', async (_, terms, slices, requests) => {
    const { source, asked } = serviceOf({ ids: numbered(40_000) });
    const pages = pagesOf(source, terms);
    for (let slice = 0; slice < slices; slice++) await pages.next();
    expect(asked).toEqual(requests);
  });

  test('fail if one fails, after those before it', async () => {
    const give = (offset: number): string[] => (offset === 0 ? numbered(5000) : fail(new Error('cut off')));
    let length = 0;
    const reading = (async () => {
      for await (const page of pagesOf(serviceOf({ ids: [] }, { give }).source)) length += page.length;
    })();
    await expect(reading).rejects.toThrow('cut off');
    expect(length).toBe(5000);
  });
});

describe('a list that changes while it is read', () => {
  test('is asked for again before the place, as far as deletions require it', async () => {
    const list = { ids: numbered(40_000) };
    const all = await read(
      serviceOf(list, { between: (page) => void (page === 5 && list.ids.splice(0, 22_000)) }).source,
    );
    expect(all.slice(0, 20_000)).toEqual(numbered(20_000));
    expect(all.filter((id) => Number(id) >= 22_000)).toEqual(numbered(40_000).slice(22_000));
  });

  test('loses and repeats nothing, whatever is deleted or added', async () => {
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
          const list = { ids: numbered(15_000) };
          const gone = new Set<string>();
          const between = (page: number): void => {
            for (const deletion of deletions.filter((each) => each.page === page)) {
              for (const id of list.ids.splice(deletion.at, deletion.count)) gone.add(id);
            }
            if (page === 2) list.ids.push(...numbered(added).map((id) => `new-${id}`));
          };
          const all = await read(serviceOf(list, { between }).source);
          const seen = new Set(all);
          expect(seen.size).toBe(all.length);
          expect(numbered(15_000).filter((id) => !gone.has(id) && !seen.has(id))).toEqual([]);
        },
      ),
      { numRuns: 15 },
    );
  }, 60_000);

  test('ends, if it has another order each time', async () => {
    const ids = numbered(12_000);
    let calls = 0;
    const give = (offset: number, limit: number) => {
      const start = ++calls * 997;
      return [...ids.slice(start), ...ids.slice(0, start)].slice(offset, offset + limit);
    };
    const all = await read(serviceOf({ ids }, { give }).source).catch((error: unknown) => {
      expect(String(error)).toMatch(/same records again and again/);
      return [];
    });
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('a service that ignores where a page should begin', () => {
  test.each<[string, Manner, number]>([
    ['with IDs', {}, 2],
    ['without IDs', { idOf: () => null, count: async () => await Promise.resolve(7000) }, 3],
    ['without IDs and a count', { idOf: () => null }, 2],
  ])('is an error: %s', async (_, manner, most) => {
    const { source, asked } = serviceOf({ ids: [] }, { give: () => numbered(5000), ...manner });
    await expect(read(source)).rejects.toThrow('returns the same records again and again');
    expect(asked.length).toBeLessThanOrEqual(most + 1);
  });

  test('is none, if its records without IDs are all alike', async () => {
    const ids = numbered(12_000).map(() => 'Open');
    const count = async () => await Promise.resolve(ids.length);
    expect(await read(serviceOf({ ids }, { idOf: () => null, count }).source)).toHaveLength(12_000);
  });
});

describe('a page that takes too long', () => {
  test.each([
    ['for the client', late],
    ['for a proxy', gateway],
  ])('%s is asked for in halves, and so is the rest of the list', async (_, failure) => {
    const list = { ids: numbered(6000) };
    const give = (offset: number, limit: number): string[] =>
      limit > 2000 ? fail(failure) : list.ids.slice(offset, offset + limit);
    const { source, asked } = serviceOf(list, { give });
    const lengths: number[] = [];
    expect(await read(source, { shortened: (length) => lengths.push(length) })).toEqual(numbered(6000));
    expect(lengths).toEqual([2500, 1250]);
    expect(asked).toEqual([
      ...['0 5000', '0 2500', '0 1250'],
      ...['1200 1250', '2400 1250', '3600 1250', '4800 1250'],
    ]);
  });

  test('in the middle of a list shortens the rest, also for who may stop', async () => {
    for (const terms of [{}, { first: 5000 }]) {
      const list = { ids: numbered(9000) };
      const give = (offset: number, limit: number): string[] =>
        offset > 0 && limit > 2500 ? fail(late) : list.ids.slice(offset, offset + limit);
      const { source, asked } = serviceOf(list, { give });
      expect(await read(source, terms)).toEqual(numbered(9000));
      expect(asked).toEqual(['0 5000', '4950 5000', '4950 2500', '7400 2500']);
    }
  });

  test('is not asked for in less than 250: that call may be repeated, and its failure ends the read', async () => {
    const divisible: (boolean | undefined)[] = [];
    const source = {
      fetchPage: async ({ isDivisible }: PageRange) => {
        divisible.push(isDivisible);
        return await Promise.reject<string[]>(late);
      },
      idOf: (id: string) => id,
    };
    await expect(read(source)).rejects.toBe(late);
    // 5000, 2500, 1250, 625, 313, 250
    expect(divisible).toEqual([true, true, true, true, true, false]);
  });

  test('is no reason for another failure to be taken so', async () => {
    const lost = new ServiceError('lost', 'cut', '');
    const { source, asked } = serviceOf({ ids: [] }, { give: () => fail(lost) });
    await expect(read(source)).rejects.toBe(lost);
    expect(asked).toHaveLength(1);
  });
});

describe('a proof', () => {
  /** What the service counts, one after the other. */
  const counting = (...counts: number[]) => {
    let times = 0;
    return async () => await Promise.resolve(counts[Math.min(times++, counts.length - 1)]!);
  };

  test.each<[string, number, readonly number[], number, number]>([
    ['an empty list', 0, [0], 0, 1],
    ['one whose count agrees', 7, [7], 7, 1],
    ['one of which some were deleted since', 7, [3], 7, 1],
    ['a full page', 5000, [5000], 5000, 2],
    ['one that grew at its end, read on once', 7, [9, 9], 9, 2],
  ])('is %s', async (_, length, counts, expected, pages) => {
    const list = { ids: numbered(length) };
    const { source, asked } = serviceOf(list, {
      count: counting(...counts),
      between: (page) => void (page === 1 && counts.length > 1 && list.ids.push('8', '9')),
    });
    expect(await read(source, { isProof: true })).toHaveLength(expected);
    expect(asked).toHaveLength(pages);
  });

  test('is one that grows with each request', async () => {
    const list = { ids: numbered(7) };
    const grow = <T>(given: T): T => (list.ids.push(`new ${list.ids.length}`), given);
    const count = async (): Promise<number> => await Promise.resolve(grow(list.ids.length));
    const { source, asked } = serviceOf(list, { count, between: grow });
    expect((await read(source, { isProof: true })).length).toBeGreaterThan(7);
    expect(asked).toHaveLength(2);
  });

  test.each([
    ['is counted longer than it is listed', 70, [190]],
    ['lists nothing, and counts some', 0, [3]],
  ])('is none, if a list %s', async (_, length, counts) => {
    const { source, asked } = serviceOf({ ids: numbered(length) }, { count: counting(...counts) });
    await expect(read(source, { isProof: true })).rejects.toThrow(
      `The service counts ${counts[0]} records, but lists only ${length}`,
    );
    expect(asked).toHaveLength(2);
  });

  test('counts nothing where nobody needs one', async () => {
    const count = async (): Promise<number> => await Promise.reject<number>(new Error('counted'));
    expect(await read(serviceOf({ ids: numbered(7) }, { count }).source)).toHaveLength(7);
  });
});
