import type { IDataObject } from 'n8n-workflow';

import { readText } from '../../../nodes/ApplicationDataService/parts/values/wire';
import type { StoredRecord } from '../../support/sandbox';

/** What the node said of an item; `null` where the node failed, and so said nothing of single items. */
export type Said = IDataObject | null;

/**
 * What two items are to do: each make a record of its own; set the price of one record, the second after the first; each add
 * a row, or a file, to one record; each delete a record.
 */
export type Wish = 'own' | 'price' | 'row' | 'file' | 'gone';

/** How far the node says an item has come. */
type Claim = 'done' | 'notDone' | 'perhaps';

export function claimOf(said: Said | undefined): Claim {
  if (said === null || said === undefined) return 'perhaps';
  if (typeof said.error !== 'string') return 'done';
  if (/outcome unknown|did not return its ID|does not show them/.test(said.error)) return 'perhaps';
  return /is (created|updated|unchanged), but|was written, but|wrote this item/.test(said.error)
    ? 'done'
    : 'notDone';
}

/** A sentence that says where the service holds something else than the node said; `null` where it does not. */
export function judge(
  wish: Wish,
  items: readonly IDataObject[],
  said: readonly Said[],
  stored: readonly StoredRecord[],
): string | null {
  const claims = items.map((_, index) => claimOf(said[index]));
  const problems =
    wish === 'price' ? [priceProblem(items, claims, stored)] : items.map(eachOf(wish, claims, stored));
  const problem = problems.find((each) => each !== null) ?? null;
  return problem === null ? null : `${problem}: the node said ${JSON.stringify(said)}`;
}

/** Each item by itself: what it asks for is there once, or not at all, as the node said. */
function eachOf(wish: Wish, claims: readonly Claim[], stored: readonly StoredRecord[]) {
  return (item: IDataObject, index: number): string | null => {
    const name = readText(item.n);
    const found = countOf(wish, name, stored);
    const allowed = { done: [1], notDone: [0], perhaps: [0, 1] }[claims[index]!];
    if (allowed.includes(found)) return firstRowProblem(wish, stored);
    return `"${name}" is there ${found} times, and the item is ${claims[index]!}`;
  };
}

function countOf(wish: Wish, name: string, stored: readonly StoredRecord[]): number {
  const listed = (part: string, key: string): number =>
    stored
      .flatMap(({ values }) => (values[part] ?? []) as Record<string, unknown>[])
      .filter((each) => each[key] === name || each[key] === `${name}.txt`).length;
  if (wish === 'row') return listed('Lines', 'Item');
  if (wish === 'file') return listed('Photo', 'name');
  const records = stored.filter(({ values }) => values.Name === name).length;
  return wish === 'gone' ? 1 - records : records;
}

/** The row that was there stays, whatever is added. */
function firstRowProblem(wish: Wish, stored: readonly StoredRecord[]): string | null {
  return wish !== 'row' || countOf('row', 'first', stored) === 1 ? null : 'the row that was there is gone';
}

/** One record, whose price is that of the last item that was done; an item in doubt may or may not have set it. */
function priceProblem(
  items: readonly IDataObject[],
  claims: readonly Claim[],
  stored: readonly StoredRecord[],
): string | null {
  const records = stored.filter(({ values }) => values.Name === items[0]?.n);
  if (records.length > 1) return `there are ${records.length} records of one key`;
  // Nothing at all, or the price before; then what each item may have made of it.
  let possible: (string | undefined)[] = items[0]?.n === 'Bolt' ? ['0'] : [undefined];
  items.forEach(({ p }, index) => {
    const price = readText(p);
    const claim = claims[index];
    possible = claim === 'done' ? [price] : claim === 'perhaps' ? [...possible, price] : possible;
  });
  const price = records[0]?.values.Price as string | undefined;
  return possible.includes(price)
    ? null
    : `the price is ${price ?? 'none'}, not one of ${possible.join(', ')}`;
}
