import type { IDataObject } from 'n8n-workflow';

import { readText } from '../../../nodes/ApplicationDataService/parts/values/shapes';
import type { StoredRecord } from '../../support/sandbox';

/** The node's output for an item; `null` if the node failed and has no output for single items. */
export type Said = IDataObject | null;

/**
 * What two items do: each creates a record; both set the price of one record, one after the other; each adds a row or a
 * file to one record; each deletes a record.
 */
export type Wish = 'own' | 'price' | 'row' | 'file' | 'gone';

/** Whether the node says that an item was done. */
type Claim = 'done' | 'notDone' | 'perhaps';

export function claimOf(said: Said | undefined): Claim {
  if (said === null || said === undefined) return 'perhaps';
  if (typeof said.error !== 'string') return 'done';
  if (/outcome unknown|did not return its ID|not known whether/.test(said.error)) return 'perhaps';
  return /is (created|updated|unchanged), but|was written, but|wrote this item/.test(said.error)
    ? 'done'
    : 'notDone';
}

/** What holds where the service may refuse what it has done. */
export interface Untruth {
  /** A record that was added may be said not to be, and so may plain values that were written without a guard. */
  readonly refusesDone: boolean;
  /** The node runs again. It adds the record a second time, because the service says that there is no first one. */
  readonly repeats: boolean;
}

/**
 * A sentence about a difference between what the node reported and what the service stores; `null` if there is none.
 */
export function judge(
  wish: Wish,
  items: readonly IDataObject[],
  said: readonly Said[],
  stored: readonly StoredRecord[],
  { refusesDone, repeats }: Untruth = { refusesDone: false, repeats: false },
): string | null {
  const believes = refusesDone && (wish === 'own' || wish === 'price');
  const claims = items
    .map((_, index) => claimOf(said[index]))
    .map((claim) => (believes && claim === 'notDone' ? 'perhaps' : claim));
  // The second item of a key adds its record, too, if the first one is said not to be there.
  const most = believes && (repeats || wish === 'price') ? 2 : 1;
  const problems =
    wish === 'price'
      ? [priceProblem(items, claims, stored, most)]
      : items.map(eachOf(wish, claims, stored, most));
  const problem = problems.find((each) => each !== null) ?? null;
  return problem === null ? null : `${problem}: the node said ${JSON.stringify(said)}`;
}

/** Checks each item by itself: what it asks for exists once or not at all, as the node reported. */
function eachOf(wish: Wish, claims: readonly Claim[], stored: readonly StoredRecord[], most: number) {
  return (item: IDataObject, index: number): string | null => {
    const name = readText(item.n);
    const found = countOf(wish, name, stored);
    const [least, largest] = { done: [1, most], notDone: [0, 0], perhaps: [0, most] }[claims[index]!];
    if (found >= least! && found <= largest!) return firstRowProblem(wish, stored);
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

/** Checks that the existing row stays, whatever is added. */
function firstRowProblem(wish: Wish, stored: readonly StoredRecord[]): string | null {
  return wish !== 'row' || countOf('row', 'first', stored) === 1 ? null : 'the row that was there is gone';
}

/** Checks the price of one record: that of the last item that was done. An item in doubt may or may not have set it. */
function priceProblem(
  items: readonly IDataObject[],
  claims: readonly Claim[],
  stored: readonly StoredRecord[],
  most: number,
): string | null {
  const records = stored.filter(({ values }) => values.Name === items[0]?.n);
  if (records.length > most) return `there are ${records.length} records of one key`;
  // Either nothing or the price before; then the possible results of each item.
  let possible: (string | undefined)[] = items[0]?.n === 'Bolt' ? ['0'] : [undefined];
  items.forEach(({ p }, index) => {
    const price = readText(p);
    const claim = claims[index];
    possible = claim === 'done' ? [price] : claim === 'perhaps' ? [...possible, price] : possible;
  });
  const price = records.at(-1)?.values.Price as string | undefined;
  return possible.includes(price)
    ? null
    : `the price is ${price ?? 'none'}, not one of ${possible.join(', ')}`;
}
