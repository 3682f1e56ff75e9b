import { chosenParts } from '../parts/choose';
import type { MatchMode } from '../parts/conditions/condition';
import { RecordTest } from '../parts/conditions/recordTest';
import { namePart, typeLabel } from '../parts/model/errors';
import { findPart } from '../parts/model/lookup';
import type { Part } from '../parts/model/part';
import { describeList } from '../parts/values/describe';
import { givenJson } from '../parts/values/given';
import { isBlank, isObject, readItems, readText } from '../parts/values/shapes';
import { type FilterObject, filterText, type RecordQuery } from '../service/read/recordList';
import type { CheckedList, Selection } from '../service/read/selection';
import { attempt } from '../util/concurrently';
import { UserError } from '../util/userError';
import { type QueryContext, readCheckedConditions, type ReadCondition, readConditions } from './filters';
import { partList, partsList } from './properties';
import {
  anySetting,
  oneOf,
  type PartChoice,
  partsSetting,
  type Setting,
  textSetting,
  wordIn,
} from './setting';

export const keyword = textSetting({
  displayName: 'Keyword',
  name: 'keyword',
  type: 'string',
  default: '',
  description:
    'Return only records in which the service finds this text. The application can limit where it looks. It does not search numbers, dates and times.',
});

export const keywordParts = keywordPartsBeside('the returned parts, which the service always searches');
/** Counting returns no parts: of the others, only those are searched that the node reads to check filters. */
export const countKeywordParts = keywordPartsBeside('those of filters that the node itself checks');

function keywordPartsBeside(others: string): Setting<PartChoice> {
  const description = `Parts to search for the keyword, in addition to ${others}. If empty, all parts.`;
  const list = partsList('getKeywordParts', description);
  return partsSetting({ displayName: 'Keyword Part Names or IDs', name: 'keywordParts', ...list }, 'nothing');
}

/** The parts to search by keyword. @throws UserError for one that is not (service-facts, "Keyword and sort") */
function partsToSearch(choice: unknown, context: QueryContext): readonly Part[] {
  const chosen = chosenParts(context.parts, choice, context.keyMode);
  if (chosen.length === 0) return context.parts.filter((part) => part.codec.searchable);
  const other = chosen.find((part) => !part.codec.searchable);
  if (other === undefined) return chosen;
  throw new UserError(
    `Part ${namePart(other)} cannot be searched by keyword: the service does not look into parts of type ${typeLabel(other)}`,
    'Select other keyword parts, or use a filter for this part.',
  );
}

export const sort = anySetting({
  displayName: 'Sort',
  name: 'sort',
  type: 'fixedCollection',
  placeholder: 'Add sort rule',
  default: {},
  description:
    'Order of the records. The default is the record ID. With another order, a record that moves while several pages are read can be missed.',
  options: [
    {
      displayName: 'By',
      name: 'by',
      values: [
        { displayName: 'Part Name or ID', name: 'part', ...partList('getSortParts', 'Part to sort by.') },
        {
          displayName: 'Order',
          name: 'order',
          type: 'options',
          options: [
            { name: 'Ascending', value: 'asc' },
            { name: 'Descending', value: 'desc' },
          ],
          default: 'asc',
        },
      ],
    },
  ],
});

/** @throws UserError for a part that the service cannot sort by (service-facts, "Keyword and sort"). */
function readSort(saved: unknown, parts: readonly Part[]): RecordQuery['sort'] {
  const by = isObject(saved) ? saved.by : undefined;
  const text = isObject(by) ? wordIn(by.part) : '';
  if (!isObject(by) || text === '') return undefined;
  // A name may begin or end with a space.
  const part = findPart(parts, readText(by.part) || text);
  if (part.codec.sortable) return { part, order: oneOf(['asc', 'desc'], wordIn(by.order, 'asc'), 'order') };
  const sortable = parts.filter((each) => each.codec.sortable).map(({ name }) => name);
  throw new UserError(
    `Records cannot be sorted by part ${namePart(part)}: the service does not sort by parts of type ${typeLabel(part)}`,
    `Select another part, or add a Sort node after this one. Sorting works by: ${describeList(sortable, 20)}.`,
  );
}

const EXAMPLE = '{"item": [{"field_id": "101", "operator": "contains", "value": "Acme"}]}';

export const filterJson = anySetting(
  {
    displayName: 'Filter (JSON)',
    name: 'filterJson',
    type: 'json',
    default: '',
    placeholder: `e.g. ${EXAMPLE}`,
    description:
      "Conditions in the service's own format, with any operator it supports. Applied in addition to the filters.",
  },
  'nothing',
);

/** What a user gave as a filter, in any form; `null` for none. @throws UserError for what a service might ignore */
export function readFilterJson(saved: unknown): FilterObject | null {
  if (isBlank(saved)) return null;
  const parsed = typeof saved === 'string' ? givenJson(saved) : saved;
  const filter: unknown = Array.isArray(parsed) ? { item: parsed as unknown[] } : parsed;
  if (!isObject(filter)) throw invalid(parsed === undefined ? 'is not valid JSON' : 'is not an object');
  // A service might ignore what it does not know, and list everything.
  if ('field_id' in filter || 'operator' in filter)
    throw invalid('contains a condition outside its list "item"');
  const { item, ...others } = filter;
  if (!Array.isArray(item) || !item.every(isObject)) throw invalid('contains no list of conditions, "item"');
  return item.length + Object.keys(others).length === 0 ? null : filter;
}

/** The `filter` of list_data and count_data, if any. @throws UserError if nothing can be added to the filter JSON */
export function combinedFilter(
  conditions: readonly FilterObject[],
  json: FilterObject | null,
): string | undefined {
  if (conditions.length === 0) return json === null ? undefined : JSON.stringify(json);
  const { item, ...others } = json ?? {};
  if (Object.keys(others).length === 0) return filterText([...conditions, ...readItems({ item })]);
  throw new UserError(
    `The filter JSON contains more than conditions (${describeList(Object.keys(others))}), so filters cannot be added to it`,
    'Write all conditions into the filter JSON, or remove everything except "item".',
  );
}

function invalid(reason: string): UserError {
  return new UserError(`The filter JSON ${reason}`, `It has this form: ${EXAMPLE}`);
}

/** A query as nodes save it (parameters.md, Get Many), with expressions resolved. What is absent does not narrow it. */
export type SavedQuery = { readonly match?: MatchMode } & Partial<
  Readonly<Record<'filters' | 'filterJson' | 'keyword' | 'keywordParts' | 'sort' | 'partsToReturn', unknown>>
>;

export interface Narrowing {
  readonly filter?: string | undefined;
  readonly test: RecordTest | null;
  readonly keyword?: string | undefined;
  /** Parts in which the service looks for the keyword, if it is asked for them; none without one. */
  readonly searched: readonly Part[];
}

/**
 * Which records a query means where one list must do. The node checks all conditions where one is enough, and where one
 * is about another application's value: while that is under maintenance, the service lists nothing, and the node sees
 * why.
 */
export function readNarrowing(saved: SavedQuery, context: QueryContext): Narrowing {
  const { keyword, parts: searched, lists } = readQuery(saved, context, true);
  const isOne = lists.length === 1;
  const own = attempt(() => readCheckedConditions(saved.filters, context));
  // An operator of the service's own is asked in any case.
  if (!isOne && 'error' in own) throw own.error;
  const isChecked = 'value' in own && (!isOne || own.value.some(({ part }) => part.reference));
  const { match = 'all' } = saved;
  const { filter, conditions } = isChecked
    ? { filter: combinedFilter([], readFilterJson(saved.filterJson)), conditions: own.value }
    : lists[0];
  const test = conditions.length === 0 ? null : new RecordTest(conditions, match, context.keyMode);
  return { filter, test, keyword, searched };
}

/**
 * A saved query, without a limit. With a keyword it asks for more parts than are wanted, see `recordPresenter`.
 * @param isCount wants no parts, and no order: the parts of the query are those in which the keyword is looked for.
 */
export function readQuery(saved: SavedQuery, context: QueryContext, isCount = false): Selection {
  const chosen = isCount ? [] : chosenParts(context.parts, saved.partsToReturn, context.keyMode);
  const wanted = isCount || chosen.length > 0 ? chosen : context.parts;
  const keyword = readText(saved.keyword).trim() || undefined;
  const searched = keyword === undefined ? [] : partsToSearch(saved.keywordParts, context);
  const lists = listsOf(saved, context);
  const sort = isCount ? undefined : readSort(saved.sort, context.parts);
  return { lists, parts: [...new Set([...wanted, ...searched])], keyMode: context.keyMode, keyword, sort };
}

/** Where one condition is enough, the service is asked for each, and the node checks its own in one read. */
function listsOf(
  { match = 'all', filters, filterJson }: SavedQuery,
  context: QueryContext,
): Selection['lists'] {
  const read = readConditions(filters, context);
  const json = readFilterJson(filterJson);
  const listOf = (conditions: readonly ReadCondition[]): CheckedList => {
    const sent = conditions.map(({ filter }) => filter).filter((filter) => filter !== undefined);
    return {
      filter: combinedFilter(sent, json),
      conditions: conditions.flatMap(({ check }) => check ?? []),
      match,
    };
  };
  if (match === 'all') return [listOf(read)];
  const asked = read.filter(({ filter }) => filter !== undefined);
  const checked = read.filter(({ filter }) => filter === undefined);
  const own = checked.length > 0 || asked.length === 0 ? [listOf(checked)] : [];
  return [...asked.map((condition) => listOf([condition])), ...own] as [CheckedList, ...CheckedList[]];
}
