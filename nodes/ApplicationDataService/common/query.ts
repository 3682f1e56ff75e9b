import type { Part } from '../parts/model/part';
import { readText } from '../parts/values/wire';
import { readConditions } from './conditions';
import { combinedFilter, readFilterJson } from './filterJson';
import { readSort } from './sort';
import { chosenParts } from '../parts/choose/chosenParts';
import { searchedParts } from './keyword';
import { operatorLabel } from './filters';
import type { QueryContext } from './queryContext';
import type { Condition } from '../parts/conditions/condition';
import { UserError } from '../util/userError';
import type { RecordQuery } from '../service/read/records';

/** Narrowing as nodes save it (parameters.md, Get Many), expressions resolved; what is absent narrows nothing. */
export interface SavedNarrowing {
  /** `{condition: [{part, operator, customOperator, value, valueType}]}` */
  readonly filters?: unknown;
  readonly filterJson?: unknown;
  readonly keyword?: unknown;
  readonly keywordParts?: unknown;
}

/** A whole query as nodes save it. */
export interface SavedQuery extends SavedNarrowing {
  /** `{by: {part, order}}` */
  readonly sort?: unknown;
  readonly partsToReturn?: unknown;
}

/** Which records are meant, as the service takes it. */
export interface Narrowing {
  readonly filter?: string | undefined;
  readonly keyword?: string | undefined;
  /**
   * Parts to ask for besides those wanted, because the service looks for the keyword in what it is asked for
   * (interface.md, "list_data"). None without a keyword.
   */
  readonly searched: readonly Part[];
}

/**
 * Which records a saved query means; for counting and scanning, too.
 * @throws UserError or UserError, worded for the user, when it cannot be asked.
 */
export function readNarrowing(saved: SavedNarrowing, context: QueryContext): Narrowing {
  const keyword = readText(saved.keyword).trim();
  const { asked, checked } = readConditions(saved.filters, context);
  if (checked.length > 0) throw onlyAsked(checked);
  return {
    filter: combinedFilter(asked, readFilterJson(saved.filterJson)),
    keyword: keyword === '' ? undefined : keyword,
    searched: keyword === '' ? [] : searchedParts(saved.keywordParts, context),
  };
}

/**
 * A saved query as `readRecords` takes it, without a limit. With a keyword it asks for more parts than are wanted:
 * `recordPresenter` narrows the records to the parts to return.
 * @throws UserError or UserError, worded for the user, when it cannot be asked.
 */
export function readRecordQuery(saved: SavedQuery, context: QueryContext): RecordQuery {
  const { filter, keyword, searched } = readNarrowing(saved, context);
  const chosen = chosenParts(context.parts, saved.partsToReturn, context.keyMode);
  const wanted = chosen.length === 0 ? context.parts : chosen;
  return {
    parts: [...new Set([...wanted, ...searched])],
    keyMode: context.keyMode,
    filter,
    keyword,
    sort: readSort(saved.sort, context.parts),
  };
}

function onlyAsked([condition]: readonly Condition[]): UserError {
  return new UserError(
    `The filters hold an operator that the service does not know ("${operatorLabel(condition?.operator ?? '')}")`,
    'Choose Equals, Contains, Is Greater Than or Equal To, Is Empty or Custom here.',
  );
}
