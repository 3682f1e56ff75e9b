import { chosenParts } from '../parts/choose/chosenParts';
import type { MatchMode } from '../parts/conditions/condition';
import { RecordTest } from '../parts/conditions/recordTest';
import type { Part } from '../parts/model/part';
import { readText } from '../parts/values/shapes';
import type { CheckedList } from '../service/read/checkedList';
import type { Selection } from '../service/read/selection';
import { type QueryContext, readCheckedConditions, readConditions } from './conditions';
import { combinedFilter, readFilterJson } from './filterJson';
import { searchedParts } from './keyword';
import { readSort } from './sort';

/**
 * Filters as nodes save them (parameters.md, Get Many), with expressions resolved. Absent ones do not narrow the list.
 */
export interface SavedNarrowing {
  readonly match?: MatchMode;
  /** `{condition: [{part, operator, customOperator, value, valueType}]}` */
  readonly filters?: unknown;
  readonly filterJson?: unknown;
  readonly keyword?: unknown;
  readonly keywordParts?: unknown;
}

export interface SavedQuery extends SavedNarrowing {
  /** `{by: {part, order}}` */
  readonly sort?: unknown;
  readonly partsToReturn?: unknown;
}

export interface Narrowing {
  readonly filter?: string | undefined;
  /** What the node also checks on each record; `null` for nothing. */
  readonly test: RecordTest | null;
  readonly keyword?: string | undefined;
  /**
   * Parts to ask for besides those wanted, because the service looks for the keyword in what it is asked for
   * (interface.md, "list_data"). None without a keyword.
   */
  readonly searched: readonly Part[];
}

/**
 * Which records a saved query means where one list must do, as in a trigger's scan.
 * @throws UserError, worded for the user, when it cannot be asked.
 */
export function readNarrowing(saved: SavedNarrowing, context: QueryContext): Narrowing {
  const keyword = readText(saved.keyword).trim();
  const { filter, conditions, match } = oneList(saved, context);
  return {
    filter,
    test: conditions.length === 0 ? null : new RecordTest(conditions, match, context.keyMode),
    keyword: keyword === '' ? undefined : keyword,
    searched: keyword === '' ? [] : searchedParts(saved.keywordParts, context),
  };
}

/** The service cannot list records that meet one of several conditions, so the node checks all of them. */
function oneList(saved: SavedNarrowing, context: QueryContext): CheckedList {
  const [list, ...others] = listsOf(saved, context);
  if (others.length === 0) return list;
  const conditions = readCheckedConditions(saved.filters, context);
  return { filter: combinedFilter([], readFilterJson(saved.filterJson)), conditions, match: 'any' };
}

/**
 * A saved query, without a limit. With a keyword it asks for more parts than are wanted: `recordPresenter` narrows the
 * records to the parts to return.
 * @throws UserError, worded for the user, when it cannot be asked.
 */
export function readQuery(saved: SavedQuery, context: QueryContext): Selection {
  const chosen = chosenParts(context.parts, saved.partsToReturn, context.keyMode);
  const wanted = chosen.length === 0 ? context.parts : chosen;
  const { parts, ...others } = readCountQuery(saved, context);
  return {
    ...others,
    parts: [...new Set([...wanted, ...parts])],
    sort: readSort(saved.sort, context.parts),
  };
}

/**
 * The same where no part is wanted: its parts are those in which the service looks for the keyword.
 * @throws UserError, worded for the user, when it cannot be asked.
 */
export function readCountQuery(saved: SavedNarrowing, context: QueryContext): Selection {
  const keyword = readText(saved.keyword).trim();
  return {
    lists: listsOf(saved, context),
    parts: keyword === '' ? [] : searchedParts(saved.keywordParts, context),
    keyMode: context.keyMode,
    keyword: keyword === '' ? undefined : keyword,
  };
}

/**
 * The lists whose records are meant. Where one condition is enough, those that the service knows are asked one by one,
 * and those of the node in one read (parameters.md, Settled questions).
 */
function listsOf(
  { match = 'all', filters, filterJson }: SavedNarrowing,
  context: QueryContext,
): Selection['lists'] {
  const { asked, checked } = readConditions(filters, context);
  const json = readFilterJson(filterJson);
  const all = { filter: combinedFilter(asked, json), conditions: checked, match };
  if (match === 'all') return [all];
  const each = asked.map((condition) => ({
    filter: combinedFilter([condition], json),
    conditions: [],
    match,
  }));
  const own = { filter: combinedFilter([], json), conditions: checked, match };
  const [first, ...others] = checked.length > 0 ? [...each, own] : each;
  return first === undefined ? [all] : [first, ...others];
}
