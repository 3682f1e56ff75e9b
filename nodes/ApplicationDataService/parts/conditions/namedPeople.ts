import { namePart } from '../model/errors';
import type { Part } from '../model/part';
import type { Condition } from './condition';
import { codecOf } from '../codecs';

export interface NamedPerson {
  readonly part: Part;
  readonly name: string;
}

const BY_WHOLE_NAME: ReadonlySet<string> = new Set(['equals', 'oneOf', 'contains', '=']);

/** The people and groups whose names a condition looks for; none if it looks for something else. */
export function namedPeople(
  part: Part,
  operator: string,
  names: readonly string[],
  byId: boolean,
): readonly NamedPerson[] {
  if (codecOf(part).members === undefined || !BY_WHOLE_NAME.has(operator) || byId) return [];
  return names.filter((name) => name !== '').map((name) => ({ part, name }));
}

/** The same of conditions that the node checks. */
export function peopleIn(conditions: readonly Condition[]): readonly NamedPerson[] {
  return conditions.flatMap(({ part, operator, operands, byId }) => {
    const names = operands.map(({ text }) => text);
    return namedPeople(part, operator, names, byId);
  });
}

/** What to say where nothing was found with a name: the interface has no list of people to check it against. */
export function spellingHint({ part, name }: NamedPerson): string {
  const found = `Nothing was found with "${name}" in part ${namePart(part)}: people and groups are compared by their whole name`;
  return /^\d+$/.test(name)
    ? `${found}. If it is an ID, select "ID" under Compare By`
    : `${found}. Check the spelling`;
}
