import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import * as ts from 'typescript';

import { ROOT } from '../../docs/generate/messages/sources';
import { OPERATIONS, propertiesOf } from '../../nodes/ApplicationDataService/operations/registry';
import { webhookProperties } from '../../nodes/ApplicationDataService/webhook/webhookProperties';
import { triggerProperties } from '../../nodes/ApplicationDataService/trigger/node/triggerProperties';

type Saved = Readonly<Record<string, unknown>>;

interface Parsed {
  readonly config: Saved;
  readonly error?: unknown;
}

const isObject = (value: unknown): value is Saved =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The saved parameters that docs/parameters.md shows. A block may contain several. */
function examples(): Saved[] {
  const page = readFileSync(join(ROOT, 'docs/parameters.md'), 'utf8');
  const blocks = [...page.matchAll(/^```jsonc\n(.*?)^```$/gms)].map(([, block = '']) => block);
  return blocks
    .flatMap((block) => block.split(/^(?=\{)/m))
    .filter((text) => text.trim() !== '')
    .map((text) => {
      const { config, error } = ts.parseConfigFileTextToJson('parameters.md', text) as Parsed;
      expect([text, error]).toEqual([text, undefined]);
      return config;
    });
}

/** The problems of saved parameters. There are none if the registry has each parameter and each choice. */
function problems(saved: Saved, properties: readonly INodeProperties[], path = ''): string[] {
  return Object.entries(saved).flatMap(([name, value]) => {
    const property = properties.find((each) => each.name === name);
    if (property === undefined) return [`${path}${name}: there is no such parameter`];
    const { type, options = [], typeOptions } = property;
    const place = `${path}${name}.`;
    if (type === 'collection')
      return isObject(value) ? problems(value, options as INodeProperties[], place) : [place];
    if (type === 'fixedCollection') return groupProblems(value, options as INodePropertyCollection[], place);
    // The values of an expression, or of a loaded list, are not known here.
    if (type !== 'options' || typeOptions?.loadOptionsMethod !== undefined) return [];
    const choices = (options as INodePropertyOptions[]).map((choice) => choice.value);
    return choices.includes(value as string)
      ? []
      : [`${path}${name}: there is no choice ${JSON.stringify(value)}`];
  });
}

function groupProblems(value: unknown, groups: readonly INodePropertyCollection[], place: string): string[] {
  return Object.entries(value as Saved).flatMap(([name, entries]) => {
    const group = groups.find((each) => each.name === name);
    if (group === undefined) return [`${place}${name}: there is no such group`];
    return [entries].flat().flatMap((entry) => problems(entry as Saved, group.values, `${place}${name}.`));
  });
}

/** Saved parameters without those of n8n and of the registry. */
function without(saved: Saved, names: readonly string[]): Saved {
  return Object.fromEntries(Object.entries(saved).filter(([name]) => !names.includes(name)));
}

/** Names of parameters and of the options in them. */
function namesOf(properties: readonly INodeProperties[]): string[] {
  const saved = properties.filter(({ type }) => type !== 'notice');
  return saved.flatMap(({ name, type, options }) =>
    type === 'collection'
      ? namesOf((options ?? []) as INodeProperties[]).map((each) => `${name}.${each}`)
      : [name],
  );
}

const all = examples();
const ofOperations = all.filter((example) => 'operation' in example);
const ofWebhook = all.filter((example) => 'events' in example && !('pollTimes' in example));
const ofTrigger = all.filter((example) => 'pollTimes' in example);

test('every operation has an example', () => {
  const shown = ofOperations.map(({ resource, operation }) => `${String(resource)}.${String(operation)}`);
  expect([...new Set(shown)].sort()).toEqual(
    OPERATIONS.map(({ resource, value }) => `${resource}.${value}`).sort(),
  );
});

test.each(
  ofOperations.map(
    (example) => [`${String(example.resource)}.${String(example.operation)}`, example] as const,
  ),
)('the example of %s uses existing parameters and choices', (name, example) => {
  const operation = OPERATIONS.find(({ resource, value }) => `${resource}.${value}` === name);
  const properties = operation === undefined ? [] : propertiesOf(operation);
  expect(problems(without(example, ['resource', 'operation']), properties)).toEqual([]);
});

test.each([
  ['trigger', ofTrigger, triggerProperties],
  ['webhook trigger', ofWebhook, webhookProperties],
])('the example of the %s has all its parameters, and no others', (_, examplesOf, properties) => {
  expect(examplesOf).toHaveLength(1);
  const saved = without(examplesOf[0]!, ['pollTimes']);
  expect(problems(saved, properties)).toEqual([]);
  const names = namesOf(properties).filter((name) => name !== 'application');
  const options = Object.keys(saved.options as Saved).map((name) => `options.${name}`);
  expect([...Object.keys(saved).filter((name) => name !== 'options'), ...options].sort()).toEqual(
    names.sort(),
  );
});

test('every parameter is on the page', () => {
  const page = readFileSync(join(ROOT, 'docs/parameters.md'), 'utf8');
  const names = OPERATIONS.flatMap((operation) => namesOf(propertiesOf(operation))).map((name) =>
    name.replace('options.', ''),
  );
  expect([...new Set(names)].filter((name) => !new RegExp(`["\`]${name}["\`]`).test(page))).toEqual([]);
});
