import fc from 'fast-check';

import { MAX_PAGE_LENGTH, readPages } from '../../../nodes/ApplicationDataService/service/paging';

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
    },
    limit,
  );
  for await (const page of pagesOf) read.push(...page);
  return read;
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index));

describe('readPages', () => {
  test.each([0, 1, MAX_PAGE_LENGTH - 1, MAX_PAGE_LENGTH, MAX_PAGE_LENGTH + 1, 12_345])(
    'reads %i records once each',
    async (count) => {
      expect(await readAll({ ids: numbered(count) })).toEqual(numbered(count));
    },
  );

  it('asks once for a limit within a page', async () => {
    let calls = 0;
    const read = await readAll({ ids: numbered(9000) }, 50, () => calls++);
    expect([read.length, calls]).toEqual([50, 1]);
  });

  it('stops at a limit beyond a page', async () => {
    expect(await readAll({ ids: numbered(20_000) }, 7000)).toEqual(numbered(7000));
  });

  it('loses and repeats nothing when records are deleted or added while it reads', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            page: fc.integer({ min: 1, max: 4 }),
            at: fc.integer({ min: 0, max: 14_999 }),
            count: fc.integer({ min: 1, max: 3000 }),
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
          expect(new Set(read).size).toBe(read.length);
          const missing = numbered(15_000).filter((id) => !gone.has(id) && !read.includes(id));
          expect(missing).toEqual([]);
        },
      ),
      { numRuns: 15 },
    );
  }, 60_000);
});
