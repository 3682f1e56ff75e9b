import type { INodeProperties } from 'n8n-workflow';

import { describeList, describeValue, shorten } from '../parts/values/describe';
import { isBlank, isEmpty, isObject, isWellFormed, readText } from '../parts/values/shapes';
import { isOmitted } from '../parts/values/given';
import { UserError } from '../util/userError';
import { emptyParameter } from './errors';

/** A parameter or option as n8n shows it, and how it is read: what cannot be read never becomes the default. */
export interface Setting<T> {
  readonly property: INodeProperties;
  readonly absent: T;
  /** An expression that returns nothing is an error; `empty`: an empty text, too, and what an agent leaves empty. */
  readonly refuses?: 'nothing' | 'empty' | undefined;
  /** @throws UserError naming the setting, for a value that cannot be read. */
  read(value: unknown): T;
}

/** Settings by the name under which workflows save them, in the order in which the editor offers them. */
export type Settings = Readonly<Record<string, Setting<unknown>>>;

export type Values<S extends Settings> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never;
};

/** A choice of parts as it is saved: IDs, names or identifiers as a list, or as text of one. */
export type PartChoice = string | readonly string[];

/** @param byAgent a language model chose the value: it fills in everything it is offered, even if only with "null". */
export function readSetting<T>(setting: Setting<T>, saved: unknown, byAgent = false): T {
  const isNothing = saved === undefined || saved === null;
  if (byAgent ? !isOmitted(saved) : !isNothing && saved !== '') return setting.read(saved);
  const { property, absent, refuses } = setting;
  if (refuses === undefined || (refuses === 'nothing' && (!isNothing || byAgent))) return absent;
  throw emptyParameter(`"${property.displayName}"`, acceptedBy(property));
}

/** Reads a collection of settings, such as the options. A key that is not saved means the default. @throws UserError */
export function readSettings<S extends Settings>(settings: S, saved: unknown, byAgent = false): Values<S> {
  const given = isObject(saved) ? saved : {};
  const values = Object.entries(settings).map(([name, setting]) =>
    Object.hasOwn(given, name) ? [name, readSetting(setting, given[name], byAgent)] : [name, setting.absent],
  );
  return Object.fromEntries(values) as Values<S>;
}

/**
 * Refuses expressions in what narrows a trigger that give nothing (`resolved`): everything would be emitted.
 * @param labels by name, as the editor shows them
 */
export function assertExpressionsGiven(
  name: string,
  saved: unknown,
  resolved: unknown,
  labels: ReadonlyMap<string, string>,
  where = '',
): void {
  if (typeof saved === 'string' && saved.startsWith('=')) {
    if (isEmpty(resolved)) throw emptyParameter(`${where}"${labels.get(name) ?? name}"`);
  } else if (typeof saved === 'object' && saved !== null) {
    const given = new Map<string, unknown>(Object.entries(resolved ?? {}));
    for (const [key, each] of Object.entries(saved)) {
      const isFilter = name === 'condition';
      const place = isFilter ? `Filter ${Number(key) + 1}: ` : where;
      // One of several values has no name of its own.
      const called = Array.isArray(saved) && !isFilter ? name : key;
      assertExpressionsGiven(called, each, given.get(key), labels, place);
    }
  }
}

/** @param parse gives `null` for a value that cannot be read */
function settingOf<T>(
  property: INodeProperties,
  absent: T,
  parse: (value: unknown) => T | null,
  refuses?: Setting<T>['refuses'],
): Setting<T> {
  const read = (value: unknown): T => {
    const parsed = parse(value);
    if (parsed !== null) return parsed;
    throw new UserError(
      `"${property.displayName}" must be ${acceptedBy(property)}, not ${describeValue(value)}`,
      'Check the setting, or the expression that returns it.',
    );
  };
  return { property, absent, read, refuses };
}

/** A switch of its own: on or off, also as the text `true` or `false` in any case. */
export function switchSetting(property: INodeProperties): Setting<boolean> {
  const parse = (value: unknown): boolean | null => {
    const text = String(value).trim().toLowerCase();
    if (text === 'true' || value === 1) return true;
    return text === 'false' || value === 0 ? false : null;
  };
  return settingOf(property, property.default === true, parse, 'empty');
}

/** A switch among the options. The editor adds it as the opposite of `absent`, so that this changes something. */
export function optionSwitch(
  absent: boolean,
  property: Omit<INodeProperties, 'type' | 'default'>,
): Setting<boolean> {
  return { ...switchSetting({ ...property, type: 'boolean', default: !absent }), absent };
}

export function choiceSetting<T extends string>(property: INodeProperties): Setting<T> {
  const choices = choicesOf(property);
  const parse = (value: unknown): T | null =>
    (choices.find((choice) => choice === readText(value).trim()) as T | undefined) ?? null;
  return settingOf(property, property.default as T, parse);
}

/** A choice whose default could do what an expression should prevent. */
export function strictChoice<T extends string>(property: INodeProperties): Setting<T> {
  return { ...choiceSetting<T>(property), refuses: 'empty' };
}

export function numberSetting(property: INodeProperties): Setting<number> {
  const least = property.typeOptions?.minValue ?? 1;
  const parse = (value: unknown): number | null => {
    const isNumeric = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
    const number = isNumeric ? Number(value) : NaN;
    return Number.isSafeInteger(number) && number >= least ? number : null;
  };
  return settingOf(property, property.default as number, parse, 'nothing');
}

export function textSetting(property: INodeProperties): Setting<string> {
  const parse = (value: unknown): string | null => {
    const text = readText(value).trim();
    return typeof value !== 'object' && isWellFormed(text) ? text : null;
  };
  return settingOf(property, '', parse, 'nothing');
}

/** A choice of parts. Only with an application can they be looked up (`chosenParts`). @param refuses if it narrows */
export function partsSetting(property: INodeProperties, refuses?: 'nothing'): Setting<PartChoice> {
  const parse = (value: unknown): PartChoice | null => {
    const texts = [value].flat();
    if (texts.some((text) => typeof text !== 'string' && typeof text !== 'number')) return null;
    return Array.isArray(value) ? texts.map(readText) : readText(value);
  };
  return settingOf<PartChoice>(property, [], parse, refuses);
}

export function anySetting(property: INodeProperties, refuses?: 'nothing'): Setting<unknown> {
  return { property, absent: undefined, read: (value) => value, refuses };
}

/** A word within a collection, trimmed; `absent` if nothing is said. What is no text is refused as an unknown word. */
export function wordIn(saved: unknown, absent = ''): string {
  return isBlank(saved) ? absent : readText(saved).trim() || describeValue(saved);
}

/** @throws UserError for a text that is none of the names. @param what they name, e.g. "operator" */
export function oneOf<T extends string>(names: readonly T[], text: string, what: string, advice = ''): T {
  const named = names.find((name) => name === text);
  if (named !== undefined) return named;
  throw new UserError(
    `There is no ${what} "${shorten(text, 60)}"`,
    `Select one of: ${names.join(', ')}. ${advice}`.trim(),
  );
}

function acceptedBy(property: INodeProperties): string {
  const { type, typeOptions } = property;
  if (type === 'boolean') return 'true or false';
  if (type === 'number') return `a whole number of ${typeOptions?.minValue ?? 1} or more`;
  if (type === 'multiOptions') return 'a list of part names or IDs';
  const choices = choicesOf(property);
  return choices.length === 0 ? 'a text' : `one of: ${describeList(choices, 20)}`;
}

function choicesOf({ options = [] }: INodeProperties): string[] {
  return options.flatMap((option) => ('value' in option ? [String(option.value)] : []));
}
