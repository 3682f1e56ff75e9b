import { itemsOf, type RunSettings, type Workplace } from './workplace';

/** Goods by name, for the engine tests of Sync; a list contains some of them. */
export const GOODS = [
  { Name: 'Bolt', Price: '1' },
  { Name: 'Nut', Price: '7' },
  { Name: 'Old', Price: '9' },
  { Name: 'Older', Price: '9' },
  { Name: 'Rest', Price: '9' },
];

export const COF = { onError: 'continueRegularOutput' } as const;

/** Sync by name, with items of `n` and `p`. */
export const byName: RunSettings = {
  values: { Name: '={{ $json.n }}', Price: '={{ $json.p }}' },
  matchBy: ['Name'],
};
export const removing: RunSettings = { ...byName, missing: 'delete' };

/** Changes the first record, and leaves two out. */
export const list = itemsOf({ n: 'Bolt', p: 2 }, { n: 'Nut', p: 7 }, { n: 'Rest', p: 9 });

/** The stored prices, by name. */
export async function pricesIn(place: Workplace): Promise<Record<string, unknown>> {
  return Object.fromEntries<unknown>(
    (await place.stored()).map(({ values: { Name, Price } }) => [String(Name), Price]),
  );
}

/** Eight records, half of which may be removed. */
export const NAMES = ['Bolt', 'Nut', 'Cap', 'Hat', 'Pin', 'Cog', 'Rod', 'Axe'];

export async function openNamed(place: Workplace, names: readonly string[] = NAMES): Promise<void> {
  await place.open({ records: names.map((Name) => ({ Name, Price: '1' })) });
}

/** Sync by name that removes, with items of `n`. */
export const removingNamed: RunSettings = {
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
