import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { code, prose } from './markdown';
import type { Entry } from './sharing';

/** The type of a parameter's value, in words. */
const TYPES: Readonly<Record<string, string>> = {
  boolean: 'on or off',
  collection: 'options',
  fixedCollection: 'group',
  json: 'JSON',
  multiOptions: 'several options',
  number: 'number',
  options: 'choice',
  resourceLocator: 'one from a list, or entered',
  resourceMapper: 'values of parts, mapped one by one or automatically',
  string: 'text',
};

/** The headings of a table of parameters. */
export const PARAMETER_HEADINGS = ['Parameter', 'Saved as', 'Type', 'Default', 'What it does'];

/** Each parameter and each option, with a row for it and for everything inside it. */
export function parameterEntries(properties: readonly INodeProperties[]): Entry[] {
  return properties
    .filter(({ type }) => type !== 'notice')
    .flatMap((property) =>
      property.type === 'collection'
        ? (property.options as INodeProperties[]).map((option) =>
            rowsOf(option, `${property.name}.`, property.displayName),
          )
        : [rowsOf(property, '', '')],
    );
}

function rowsOf(property: INodeProperties, path: string, above: string): string[][] {
  const name = `${path}${property.name}`;
  const shown = above === '' ? property.displayName : `${above} › ${property.displayName}`;
  const row = [shown, code(name), holds(property), defaultOf(property, path), describe(property)];
  return [row, ...childrenOf(property, name, shown)];
}

function holds({ type, typeOptions, required, modes = [] }: INodeProperties): string {
  const word = TYPES[type];
  if (word === undefined) throw new Error(`There is no word for parameters of type ${type}`);
  const password = typeOptions?.password === true ? ', kept secret' : '';
  // A resource locator can also require a value in each of its modes.
  const isRequired = required === true || modes.some(({ validation }) => validation !== undefined);
  return `${word}${password}${isRequired ? ', required' : ''}`;
}

function defaultOf({ default: value, type }: INodeProperties, path: string): string {
  // Adding a switch turns it.
  if (path !== '' && type === 'boolean')
    return `${code(String(value !== true))}, added ${code(String(value === true))}`;
  const values = Array.isArray(value) ? (value as unknown[]) : [value];
  const plain = values.filter((each) => ['string', 'number', 'boolean'].includes(typeof each) && each !== '');
  return plain.length === 0 ? '–' : plain.map((each) => code(String(each))).join(', ');
}

function describe(property: INodeProperties): string {
  const { description = '', hint, placeholder, typeOptions = {} } = property;
  const limits = [
    ...(typeOptions.minValue === undefined ? [] : [`at least ${typeOptions.minValue}`]),
    ...(typeOptions.maxValue === undefined ? [] : [`at most ${typeOptions.maxValue}`]),
  ];
  const sentences = [
    prose(description),
    capitalised(limits.join(', ')),
    capitalised(example(placeholder)),
    prose(hint ?? ''),
    whenShown(property),
  ];
  const text = sentences.filter((sentence) => sentence !== '').map(withStop);
  return [text.join(' '), ...choicesOf(property)].filter((line) => line !== '').join('\n');
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function withStop(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** The choices of a dropdown, or the modes of an application or record. Those with the same text are told together. */
function choicesOf({ type, options = [], modes = [] }: INodeProperties): string[] {
  const choices = type === 'options' || type === 'multiOptions' ? (options as INodePropertyOptions[]) : [];
  const told = new Map<string, string[]>();
  const tell = (name: string, value: string, text: string): unknown =>
    told.set(text, [...(told.get(text) ?? []), `**${name}** ${code(value)}`]);
  for (const { name, value, description = '' } of choices) tell(name, String(value), prose(description));
  for (const { displayName, name, hint = '', placeholder } of modes)
    tell(displayName, name, [prose(hint), example(placeholder)].filter((text) => text !== '').join(', '));
  return [...told].map(([text, names]) => `${names.join(', ')}${text === '' ? '' : `: ${text}`}`);
}

function example(placeholder = ''): string {
  const [, text] = /^e\.g\. (.+)$/.exec(placeholder) ?? [];
  return text === undefined ? '' : `for example ${code(text)}`;
}

function whenShown({ displayOptions = {} }: INodeProperties): string {
  const conditions = (['show', 'hide'] as const).flatMap((way) =>
    Object.entries(displayOptions[way] ?? {}).map(([name, values]) => {
      const list = (values ?? []).map(conditionText).join(', ');
      return `${way === 'show' ? 'Shown' : 'Hidden'} where ${code(name)} is ${list}`;
    }),
  );
  return conditions.join('. ');
}

function conditionText(value: unknown): string {
  if (typeof value !== 'object' || value === null || !('_cnd' in value)) return code(String(value));
  const [[way = '', wanted] = []] = Object.entries(value._cnd as Record<string, unknown>);
  if (way !== 'includes') throw new Error(`There are no words for the condition ${way}`);
  return `a text with ${code(String(wanted))}`;
}

function childrenOf(property: INodeProperties, name: string, shown: string): string[][] {
  const { type, options = [], typeOptions } = property;
  if (type !== 'fixedCollection') return [];
  const several = typeOptions?.multipleValues === true ? '[]' : '';
  return (options as INodePropertyCollection[]).flatMap((group) =>
    group.values.flatMap((child) => rowsOf(child, `${name}.${group.name}${several}.`, shown)),
  );
}
