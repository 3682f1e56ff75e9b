import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { code, prose, table } from './markdown';

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

/** A table of parameters and everything inside them, with one row for each. */
export function parameterTable(properties: readonly INodeProperties[]): string {
  const rows = properties
    .filter(({ type }) => type !== 'notice')
    .flatMap((property) => rowsOf(property, '', ''));
  return table(['Parameter', 'Saved as', 'Type', 'Default', 'What it does'], rows);
}

function rowsOf(property: INodeProperties, path: string, above: string): string[][] {
  const name = `${path}${property.name}`;
  const shown = above === '' ? property.displayName : `${above} › ${property.displayName}`;
  const row = [shown, code(name), holds(property), defaultOf(property), describe(property)];
  // The collection itself adds nothing to its options.
  return [...(property.type === 'collection' ? [] : [row]), ...childrenOf(property, name, shown)];
}

function holds({ type, typeOptions, required, modes = [] }: INodeProperties): string {
  const word = TYPES[type];
  if (word === undefined) throw new Error(`There is no word for parameters of type ${type}`);
  const password = typeOptions?.password === true ? ', kept secret' : '';
  // A resource locator can also require a value in each of its modes.
  const isRequired = required === true || modes.some(({ validation }) => validation !== undefined);
  return `${word}${password}${isRequired ? ', required' : ''}`;
}

function defaultOf({ default: value }: INodeProperties): string {
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

/** The choices of a dropdown, or the modes of an application or record, one for each line. */
function choicesOf({ type, options = [], modes = [] }: INodeProperties): string[] {
  const choices = type === 'options' || type === 'multiOptions' ? (options as INodePropertyOptions[]) : [];
  return [
    ...choices.map(({ name, value, description = '' }) => choice(name, String(value), prose(description))),
    ...modes.map(({ displayName, name, hint = '', placeholder }) =>
      choice(displayName, name, [prose(hint), example(placeholder)].filter((text) => text !== '').join(', ')),
    ),
  ];
}

function choice(name: string, value: string, text: string): string {
  return `**${name}** ${code(value)}${text === '' ? '' : `: ${text}`}`;
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
  if (type === 'collection')
    return (options as INodeProperties[]).flatMap((child) => rowsOf(child, `${name}.`, shown));
  if (type !== 'fixedCollection') return [];
  const several = typeOptions?.multipleValues === true ? '[]' : '';
  return (options as INodePropertyCollection[]).flatMap((group) =>
    group.values.flatMap((child) => rowsOf(child, `${name}.${group.name}${several}.`, shown)),
  );
}
