import type { Part } from '../../parts/model/part';

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
