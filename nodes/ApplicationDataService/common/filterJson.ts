import { UserError } from '../util/userError';
import { givenJson } from '../parts/values/lists';
import { isBlank, isObject, readItems } from '../parts/values/shapes';
import { filterText, type FilterObject } from '../service/read/filter';
import { anySetting } from './setting';

export const filterJson = anySetting({
  displayName: 'Filter (JSON)',
  name: 'filterJson',
  type: 'json',
  default: '',
  placeholder: 'e.g. {"item": [{"field_id": "101", "operator": "contains", "value": "Acme"}]}',
  description:
    "Conditions in the service's own format, with any operator it supports. Applied in addition to the filters.",
});

const EXAMPLE = '{"item": [{"field_id": "101", "operator": "contains", "value": "Acme"}]}';

/**
 * The filter that a user wrote as JSON, or that an expression returned as an object. A list is read as its conditions.
 * `null` if it has none. Its conditions are the user's own, so any operator is allowed.
 * @throws UserError if it is not a filter: the service might ignore it and return every record.
 */
export function readFilterJson(saved: unknown): FilterObject | null {
  if (isBlank(saved)) return null;
  const parsed = typeof saved === 'string' ? givenJson(saved) : saved;
  if (typeof saved === 'string' && parsed === undefined) {
    throw invalid('is not valid JSON', 'Check quotation marks, commas and brackets.');
  }
  const filter = Array.isArray(parsed) ? { item: parsed as unknown[] } : parsed;
  if (!isObject(filter)) throw invalid('is not an object', '');
  if ('field_id' in filter || 'operator' in filter) {
    throw invalid('is a single condition', 'Put it into the list "item".');
  }
  return 'item' in filter ? withConditions(filter) : withoutItem(filter);
}

/** A form of the service that interface.md does not name may go through, plain values by key are none. */
function withoutItem(filter: Record<string, unknown>): FilterObject | null {
  const values = Object.values(filter);
  if (values.length === 0) return null;
  if (values.some((value) => Array.isArray(value) || isObject(value))) return filter;
  throw invalid('contains no conditions', 'Put them into the list "item".');
}

function withConditions(filter: Record<string, unknown>): FilterObject | null {
  const isList = Array.isArray(filter.item) || isObject(filter.item);
  const conditions = readItems(filter);
  if (!isList || !conditions.every(isObject))
    throw invalid('contains an "item" that is not a list of conditions', '');
  if (conditions.length === 0 && Object.keys(filter).length === 1) return null;
  return { ...filter, item: conditions };
}

/**
 * The `filter` parameter of list_data and count_data: conditions, and those of the filter JSON, all of them.
 * `undefined` if nothing is narrowed.
 * @throws UserError if the filter JSON is such that no condition can be added to it.
 */
export function combinedFilter(
  conditions: readonly FilterObject[],
  json: FilterObject | null,
): string | undefined {
  if (conditions.length === 0) return json === null ? undefined : filterJsonText(json);
  if (json === null) return filterText(conditions);
  const { item, ...others } = json;
  if (Object.keys(others).length === 0)
    return filterJsonText({ item: [...conditions, ...readItems({ item })] });
  throw new UserError(
    `The filter JSON contains more than conditions (${Object.keys(others).join(', ')}), so filters cannot be added to it`,
    'Write all conditions into the filter JSON, or remove everything except "item".',
  );
}

/** @throws UserError for what an expression may give and JSON cannot hold: circles, very large integers. */
function filterJsonText(filter: FilterObject): string {
  try {
    return JSON.stringify(filter);
  } catch {
    throw invalid('cannot be written as JSON', '');
  }
}

function invalid(reason: string, advice: string): UserError {
  return new UserError(`The filter JSON ${reason}`, `${advice} It has this form: ${EXAMPLE}`.trim());
}
