import { readFlag, readItems, readText } from '../values/shapes';

/** A normalized part definition of `get_app` (interface.md, "Part definition"). */
export interface Part {
  /** Part ID: names the part in filters, sorting and downloads. */
  readonly id: string;
  readonly name: string;
  /** Part identifier (`field_alias`); empty when the part has none. */
  readonly identifier: string;
  /** Part type code, e.g. `textbox`; of a reference part the source part's, `rel_field` on a reference error. */
  readonly type: string;
  readonly readOnly: boolean;
  /** Whether the service itself created the part. For a reference part, the flag of the source part. */
  readonly system: boolean;
  readonly reference: boolean;
  readonly options: readonly string[];
  readonly allowOther: boolean;
  /** Unit of time entry in minutes; `null` if the service names none. */
  readonly timeUnit: number | null;
  readonly children: readonly Part[];
}

/** Whether the application keys part values by part name or by part identifier (interface.md, convention 5). */
export type KeyMode = 'name' | 'identifier';

/** Reads one item of `fields.item` (or of `child.list.item`) of `get_app`. */
export function readPart(item: unknown): Part {
  const raw = (typeof item === 'object' && item !== null ? item : {}) as Record<string, unknown>;
  const child = (raw.child ?? {}) as { list?: unknown };
  const unit = Number(readText(raw.time_unit));
  return {
    id: readText(raw.id),
    name: readText(raw.name),
    identifier: readText(raw.field_alias),
    type: readText(raw.type),
    readOnly: readFlag(raw.readonly),
    system: readFlag(raw.system),
    reference: readFlag(raw.is_ref),
    options: readText(raw.options)
      .split('\t')
      .filter((option) => option !== ''),
    allowOther: readFlag(raw.allow_other),
    timeUnit: Number.isFinite(unit) && unit > 0 ? unit : null,
    children: readItems(child.list).map(readPart),
  };
}
