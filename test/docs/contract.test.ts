import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeProperties } from 'n8n-workflow';
import * as ts from 'typescript';

import { ROOT } from '../../docs/generate/root';
import { OPERATIONS, propertiesOf } from '../../nodes/ApplicationDataService/operations/registry';
import { webhookProperties } from '../../nodes/ApplicationDataService/webhook/register';
import { triggerProperties } from '../../nodes/ApplicationDataService/trigger/node/settings';
import { problems, type Saved } from './support/savedParameters';

interface Parsed {
  readonly config: Saved;
  readonly error?: unknown;
}

/** The saved parameters that docs/dev/parameters.md shows. A block may contain several. */
function examples(): Saved[] {
  const page = readFileSync(join(ROOT, 'docs/dev/parameters.md'), 'utf8');
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
  const page = readFileSync(join(ROOT, 'docs/dev/parameters.md'), 'utf8');
  const names = OPERATIONS.flatMap((operation) => namesOf(propertiesOf(operation))).map((name) =>
    name.replace('options.', ''),
  );
  expect([...new Set(names)].filter((name) => !new RegExp(`["\`]${name}["\`]`).test(page))).toEqual([]);
});
