import { type EncodedPart, hasUnoffered } from '../../parts/encode';
import type { Part } from '../../parts/model/part';
import type { Entry } from '../../parts/values/shapes';
import type { MatchKey } from '../read/keyedRecords';
import type { WriteTarget } from './form';
import type { DiffTerms, RowChange } from './rows';

/** What to do when the record has changed since the item's revision. */
export type ConflictPolicy = 'overwrite' | 'fail' | 'skip' | 'merge';

/** Files to remove from one part of the record, or of one of its rows. */
export interface FileRemoval {
  readonly kind: 'removeFiles';
  readonly part: Part;
  readonly row?: Removal['row'];
  readonly ids: readonly string[];
}

/** A file that is to be removed from a part of the record, or of one of its rows. */
export interface Removal {
  readonly part: Part;
  readonly row?: { readonly table: Part; readonly id: string };
  readonly id: string;
}

/** What one of several items changes that are written together. */
export type Change = RowChange | FileRemoval;

export interface Update extends WriteTarget {
  readonly values: readonly EncodedPart[];
  /** Of each item that is written together, what it changes; the others say all in `values`. */
  readonly changes?: readonly Change[];
  readonly policy: ConflictPolicy;
  /** Revision that the item is based on; `null` with the policy `overwrite`. */
  readonly revision: number | null;
  /** What the record held before, as far as the item tells: in its json, parts under their keys. */
  readonly before: Entry;
  readonly rowMode: DiffTerms['rowMode'];
  /** Which values: all; those that differ from the record; or all plain ones but the key, once one of them differs. */
  readonly sends: 'all' | 'changes' | 'allOnChange';
  readonly parts: readonly Part[];
  /** The key by which the record was found, or that it is to have. */
  readonly matched?: { readonly parts: readonly Part[]; readonly key: MatchKey } | undefined;
  /**
   * For Sync: what is given is a state that the record is to hold, sent under the revision that was compared, while the
   * record has the key.
   */
  readonly isState: boolean;
}

/** An update of the record that has a key. */
export type KeyedUpdate = Update & { readonly matched: NonNullable<Update['matched']> };

/** Whether each value can be compared by itself, unlike rows and files, which are placed among others. */
export function arePlain(values: Update['values']): boolean {
  return values.every(({ value }) => value.kind === 'text' || value.kind === 'keep');
}

/** Whether a plan needs the record: for all but plain, offered values that are sent whatever it holds. */
export function needsCurrent({ sends, values, changes = [] }: Update): boolean {
  if (sends !== 'all' || changes.length > 0 || !values.some(({ value }) => value.kind !== 'keep'))
    return true;
  return hasUnoffered(values) || !arePlain(values);
}
