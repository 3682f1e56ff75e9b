import { switches, type SwitchName, type ValueOf } from './switches.ts';

/** The setting of every switch. */
export type Dialect = { -readonly [N in SwitchName]: ValueOf<(typeof switches)[N]> };

/** All switches at their defaults. */
export function defaultDialect(): Dialect {
  return Object.fromEntries(
    Object.entries(switches).map(([name, { fallback }]) => [name, fallback]),
  ) as unknown as Dialect;
}

/**
 * Changes some switches and keeps the others. Nothing changes if a name or a value is unknown.
 * @throws {@link RangeError} naming the switch and the values that it accepts.
 */
export function changeDialect(dialect: Dialect, changes: Readonly<Record<string, unknown>>): void {
  const checked = Object.entries(changes).map(([name, value]) => [name, checkedValue(name, value)]);
  Object.assign(dialect, Object.fromEntries(checked));
}

function checkedValue(name: string, value: unknown): unknown {
  if (!Object.hasOwn(switches, name)) throw new RangeError(`There is no dialect switch "${name}"`);
  const found = switches[name as SwitchName];
  switch (found.kind) {
    case 'choice': {
      if (Object.hasOwn(found.values, String(value))) return String(value);
      throw new RangeError(`The switch "${name}" must be one of: ${Object.keys(found.values).join(', ')}`);
    }
    case 'text': {
      if (typeof value === 'string' && value !== '') return value;
      throw new RangeError(`The switch "${name}" must be a text that is not empty`);
    }
    case 'amount': {
      const number = Number(value);
      if (value !== '' && Number.isInteger(number) && number >= 0) return number;
      throw new RangeError(`The switch "${name}" must be an integer, 0 or more`);
    }
  }
}
