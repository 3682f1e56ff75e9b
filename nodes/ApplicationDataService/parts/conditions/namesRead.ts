import { possibleKeys } from '../model/keys';
import type { KeyMode, Part } from '../model/part';
import type { RawEntry } from '../types/entries';
import { nearest } from '../values/suggest';
import type { Condition } from './condition';
import { heldValues } from './held';
import type { ConditionOperator } from './operators';
import { shownValue } from './shownValue';

/** A person or group that a condition names, by the whole name. */
export interface SoughtName {
  readonly part: Part;
  readonly text: string;
}

/** One that no record that was read names: probably misspelt. */
export interface UnknownName extends SoughtName {
  /** The name in those records that a person most likely meant. */
  readonly nearest: string | undefined;
}

const PEOPLE_TYPES: ReadonlySet<string> = new Set(['users', 'groups', 'user']);

const BY_WHOLE_NAME: ReadonlySet<ConditionOperator> = new Set([
  'equals',
  'oneOf',
  'contains',
  'notEquals',
  'notContains',
]);

/** Whether a part holds people or groups. */
export function holdsPeople({ type }: Part): boolean {
  return PEOPLE_TYPES.has(type);
}

/** The people and groups that conditions compare whole names with. */
export function soughtNames(conditions: readonly Condition[]): readonly SoughtName[] {
  return conditions
    .filter(({ part, operator, byId }) => holdsPeople(part) && BY_WHOLE_NAME.has(operator) && !byId)
    .flatMap(({ part, operands }) => operands.map(({ text }) => ({ part, text })));
}

/** Collects the names in records, to tell which of those sought are not among them. Without any it costs nothing. */
export class NamesRead {
  private readonly parts: readonly { readonly keys: readonly string[]; readonly part: Part }[];

  private readonly names = new Map<Part, Set<string>>();

  constructor(
    private readonly sought: readonly SoughtName[],
    private readonly keyMode: KeyMode | null,
  ) {
    const parts = [...new Set(sought.map(({ part }) => part))];
    this.parts = parts.map((part) => ({ part, keys: possibleKeys(part, keyMode) }));
  }

  see(record: RawEntry): void {
    for (const { part, keys } of this.parts) {
      const value = shownValue(record, keys, part);
      if (value === null) continue;
      const names = this.names.get(part) ?? new Set();
      this.names.set(part, names);
      for (const { text } of heldValues(part, value, this.keyMode, false)) names.add(text);
    }
  }

  /** The names sought that no record had in the part; none where the part was not shown at all. */
  get unknown(): readonly UnknownName[] {
    return this.sought.flatMap(({ part, text }) => {
      const names = this.names.get(part);
      return names === undefined || names.has(text) ? [] : [{ part, text, nearest: nearest(text, names) }];
    });
  }
}
