import { itemsIn, type Row } from './table';
import type { RunSettings, Workplace } from './workplace';

/** Items of names and prices. */
export const pairs = (text: string): Record<string, string>[] => itemsIn('n p', text);

/** Goods by name, for the engine tests of Sync; a list contains some of them. */
const GOODS = pairs('Bolt 1, Nut 7, Old 9, Older 9, Rest 9').map(({ n, p }) => ({ Name: n, Price: p }));

/** Sync by name, with items of `n` and `p`. */
export const byName: RunSettings = {
  ...{ operation: 'sync', values: { Name: '={{ $json.n }}', Price: '={{ $json.p }}' }, matchBy: ['Name'] },
};
export const removing: RunSettings = { ...byName, missing: 'delete' };
/** Changes the first record, and leaves two out. */
export const list = pairs('Bolt 2, Nut 7, Rest 9');
export const goods = { application: { records: GOODS }, items: list };

/** Eight records, half of which may be removed. */
export const NAMES = ['Bolt', 'Nut', 'Cap', 'Hat', 'Pin', 'Cog', 'Rod', 'Axe'];
export const recordsOf = (...names: readonly string[]): Pick<Row, 'application'> => ({
  application: { records: names.map((Name) => ({ Name, Price: '1' })) },
});
export const eight = recordsOf(...NAMES);
/** Sync by name that removes, with items of `n`. */
export const removingNamed: RunSettings = {
  ...{ ...removing, values: { Name: '={{ $json.n }}', Price: '={{ $json.p ?? 2 }}' } },
};
export const named = (...names: readonly string[]): { n: string }[] => names.map((n) => ({ n }));
export const most = { options: { allowMostRemovals: true } };
export const untouched = { sent: { insert_data: 0, update_data: 0, delete_data: 0 } };

export async function assertUntouched(place: Workplace, count = NAMES.length): Promise<void> {
  const actions = await place.actions();
  expect(actions.filter((action) => /^(insert|update|delete)_data$/.test(action))).toEqual([]);
  expect(await place.stored()).toHaveLength(count);
}
