import { UserError } from '../util/userError';
import { codecOf } from '../parts/codecs';
import { namePart } from '../parts/model/errors';
import { findPart } from '../parts/model/lookup';
import type { Part } from '../parts/model/part';
import { isObject } from '../parts/values/shapes';
import { readText } from '../parts/values/wire';
import { filterText } from './filters';
import { chosenParts } from '../parts/choose/chosenParts';
import type { QueryContext } from './queryContext';
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
  return {
    filter: filterText(saved.filters, saved.filterJson, context),
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

/** The parts that may be searched by keyword, or those of them that were chosen. */
function searchedParts(choice: unknown, context: QueryContext): readonly Part[] {
  const chosen = chosenParts(context.parts, choice, context.keyMode);
  if (chosen.length === 0) return context.parts.filter((part) => codecOf(part).searchable);
  for (const part of chosen) {
    if (codecOf(part).searchable) continue;
    throw new UserError(
      `Part ${namePart(part)} cannot be searched by keyword: the service does not look into parts of type ${part.type}`,
      'Choose other keyword parts, or use a filter for this part.',
    );
  }
  return chosen;
}

/** @throws UserError for a part that the service cannot sort by (service-facts, "Keyword and sort"). */
function readSort(saved: unknown, parts: readonly Part[]): RecordQuery['sort'] {
  const by = isObject(saved) ? saved.by : undefined;
  const text = isObject(by) ? readText(by.part).trim() : '';
  if (!isObject(by) || text === '') return undefined;
  const part = findPart(parts, text);
  if (codecOf(part).sortable) return { part, order: by.order === 'desc' ? 'desc' : 'asc' };
  const sortable = parts.filter((each) => codecOf(each).sortable).map(({ name }) => name);
  throw new UserError(
    `Records cannot be sorted by part ${namePart(part)}: the service does not sort by parts of type ${part.type}`,
    `Choose another part, or add a Sort node after this one. Sorting works by: ${sortable.join(', ')}.`,
  );
}
