import { itemsOf, type Given, type Workplace } from './workplace';

/** Goods by name, of which a list has some; as engine tests of Sync begin. */
export const GOODS = [
  { Name: 'Bolt', Price: '1' },
  { Name: 'Nut', Price: '7' },
  { Name: 'Old', Price: '9' },
  { Name: 'Older', Price: '9' },
  { Name: 'Rest', Price: '9' },
];

export const COF = { onError: 'continueRegularOutput' } as const;

/** Sync by name, of items with `n` and `p`. */
export const byName: Given = {
  values: { Name: '={{ $json.n }}', Price: '={{ $json.p }}' },
  matchBy: ['Name'],
};
export const removing: Given = { ...byName, missing: 'delete' };

/** Changes the first record, and leaves two out. */
export const list = itemsOf({ n: 'Bolt', p: 2 }, { n: 'Nut', p: 7 }, { n: 'Rest', p: 9 });

/** What is stored, by name. */
export async function pricesIn(place: Workplace): Promise<Record<string, unknown>> {
  return Object.fromEntries<unknown>(
    (await place.stored()).map(({ values: { Name, Price } }) => [String(Name), Price]),
  );
}

/** Eight records, of which half may go. */
export const NAMES = ['Bolt', 'Nut', 'Cap', 'Hat', 'Pin', 'Cog', 'Rod', 'Axe'];

export async function openNamed(place: Workplace, names: readonly string[] = NAMES): Promise<void> {
  await place.open({ records: names.map((Name) => ({ Name, Price: '1' })) });
}

/** Sync by name that removes, of items with `n`. */
export const removingNamed: Given = {
  values: { Name: '={{ $json.n }}', Price: '={{ $json.p ?? 2 }}' },
  matchBy: ['Name'],
  missing: 'delete',
};
export const named = (...names: readonly string[]): ReturnType<typeof itemsOf> =>
  itemsOf(...names.map((n) => ({ n })));
export const most = { options: { allowMostRemovals: true } };

export async function assertUntouched(place: Workplace, count = NAMES.length): Promise<void> {
  const actions = await place.actions();
  expect(actions.filter((action) => /^(insert|update|delete)_data$/.test(action))).toEqual([]);
  expect(await place.stored()).toHaveLength(count);
}
