import { codecOf } from '../../parts/codecs';
import { namedPeople, type NamedPerson } from '../../parts/conditions/namedPeople';
import { givenItems, memberText } from '../../parts/conditions/condition';
import { assertNotRounded, refuse } from '../../parts/model/errors';
import type { Part } from '../../parts/model/part';
import { datetime } from '../../parts/types/dates';
import { plainText } from '../../parts/types/text';
import { isObject, parseJson, readItems, readText } from '../../parts/values/shapes';
import { asUserError } from '../../util/userError';

/** A filter, or one condition of it, in the form that the service accepts (interface.md, "list_data"). */
export type FilterObject = Readonly<Record<string, unknown>>;

/**
 * One condition.
 * @param byId whether the value is an ID of a user, a group or an option, not what people see.
 */
export function filterCondition(
  { id }: Pick<Part, 'id'>,
  operator: string,
  value?: string,
  byId = false,
): FilterObject {
  return { field_id: id, operator, ...(value !== undefined && { value }), ...(byId && { type: 'id' }) };
}

/** The text of a filter: conditions that must all be met, and whatever else it holds. */
export function filterText(conditions: readonly unknown[], others: FilterObject = {}): string {
  return JSON.stringify({ ...others, item: conditions });
}

/** The people and groups that the text of a filter names, as far as it has the usual form. */
export function peopleInFilter(filter: string | undefined, parts: readonly Part[]): readonly NamedPerson[] {
  const parsed = filter === undefined ? undefined : parseJson(filter);
  const conditions = isObject(parsed) ? readItems(parsed.item).filter(isObject) : [];
  return conditions.flatMap(({ field_id: id, operator, value, type }) => {
    const part = parts.find((each) => each.id === readText(id));
    if (part === undefined) return [];
    return namedPeople(part, readText(operator), readText(value).split('\t'), type === 'id');
  });
}

export interface ConditionValueOptions {
  readonly byId: boolean;
  /** Refuse a value that the part's type cannot hold; otherwise it is sent as it is (part of a date, say). */
  readonly exact: boolean;
  readonly timezone: string;
}

/**
 * The value of a condition as the service takes it: several joined by a tab. Given as one value, a list, JSON text of a
 * list, or a text with one value a line or between tabs. Empty if there is none.
 * @throws UserError for a value that cannot be compared.
 */
export function conditionValue(part: Part, value: unknown, options: ConditionValueOptions): string {
  return givenItems(value)
    .map((item) => textOf(part, item, options))
    .join('\t');
}

function textOf(part: Part, item: unknown, options: ConditionValueOptions): string {
  assertNotRounded(part, item);
  const member = memberText(item, options.byId);
  const text = member ?? (options.byId ? plainText(item) : valueText(part, item, options));
  if (text === null || text === '') {
    throw refuse(part, item, { reason: 'it is not a value to compare with', accepts: 'a text or a number' });
  }
  if (!text.includes('\t')) return text;
  throw refuse(part, item, {
    reason: 'it contains a tab, which the service uses as a separator',
    accepts: 'a text without tabs',
  });
}

function valueText(part: Part, item: unknown, { exact, timezone }: ConditionValueOptions): string | null {
  // Values with a form of their own in requests have it in filters, too (service-facts, "Filter").
  const { compares, write: writeForm } = codecOf(part);
  const write =
    (compares === undefined ? undefined : writeForm) ??
    (typeof item === 'object' ? datetime.write : undefined);
  if (write === undefined) return plainText(item);
  const written = (): string | null => {
    const sent = write(item, part, { keyMode: 'name', timezone });
    return sent.kind === 'text' ? sent.text : null;
  };
  if (exact || typeof item === 'object') return written();
  try {
    return written();
  } catch (error) {
    // Only a refusal: what no whole value is may still be part of one.
    asUserError(error);
    return plainText(item);
  }
}
