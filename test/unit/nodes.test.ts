import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeProperties, INodeType } from 'n8n-workflow';

import { ApplicationDataServiceApi } from '../../credentials/ApplicationDataServiceApi.credentials';
import { ROOT } from '../../docs/generate/root';
import { FIELDS_BESIDE } from '../../nodes/ApplicationDataService/editor/partLists';
import { OPERATIONS } from '../../nodes/ApplicationDataService/operations/registry';
import { ApplicationDataService } from '../../nodes/ApplicationDataService/ApplicationDataService.node';
import { ApplicationDataServiceTrigger } from '../../nodes/ApplicationDataService/ApplicationDataServiceTrigger.node';
import { ApplicationDataServiceWebhookTrigger } from '../../nodes/ApplicationDataService/ApplicationDataServiceWebhookTrigger.node';

const NODES: readonly INodeType[] = [
  new ApplicationDataService(),
  new ApplicationDataServiceTrigger(),
  new ApplicationDataServiceWebhookTrigger(),
];
const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;
const PACKAGE = 'n8n-nodes-application-data-service';

test.each(NODES)('$description.displayName tells the workflow builder what it is for', ({ description }) => {
  const { searchHint, relatedNodes = [] } = description.builderHint ?? {};
  expect(searchHint).toMatch(/\w/);
  expect(JSON.stringify(description.properties)).not.toContain('"builderHint":{}');
  const names = NODES.map((node) => `${PACKAGE}.${node.description.name}`);
  expect(relatedNodes.map(({ nodeType }) => nodeType).filter((name) => !names.includes(name))).toEqual([]);
  expect(relatedNodes.length).toBeGreaterThan(0);
});

test.each(NODES)('a new $description.displayName has its own name', ({ description }) => {
  expect(description.defaults.name).toBe(description.displayName);
});

test('no hint contains an expression, and every parameter that a builder cannot guess has one', () => {
  const properties = NODES.flatMap(({ description }) => description.properties);
  const hints = properties.flatMap(({ builderHint }: INodeProperties) => builderHint?.propertyHint ?? []);
  expect(hints.filter((hint) => hint.includes('={{'))).toEqual([]);
  for (const name of ['application', 'parts', 'row', 'filters']) {
    const without = properties.filter((each) => each.name === name && each.builderHint === undefined);
    expect([name, without.length]).toEqual([name, 0]);
  }
});

/** Every `hint` in a description, at any depth. */
function hintsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'hint' && typeof inner === 'string' ? [inner] : hintsIn(inner),
  );
}

test('no hint is longer than n8n shows it', () => {
  const descriptions = [...NODES.map(({ description }) => description), new ApplicationDataServiceApi()];
  const hints = descriptions.flatMap((description) => hintsIn(description));
  expect(hints.length).toBeGreaterThan(10);
  expect(hints.filter((hint) => hint.length > 120)).toEqual([]);
});

// n8n's UX guidelines for what its list of actions shows, and for examples in fields; its lint sees neither.
test('actions omit articles, in sentence case, and examples say that they are one', () => {
  const { properties } = NODES[0]!.description;
  const operations = properties.filter(({ name }) => name === 'operation');
  const actions = operations.flatMap(({ options = [] }) =>
    options.map((option) => ('action' in option ? option.action! : '')),
  );
  expect(actions.length).toBe(OPERATIONS.length);
  expect(actions.filter((action) => /\b(an?|the)\b/i.test(action))).toEqual([]);
  expect(actions.filter((action) => !/^[A-Z][a-z ]+$/.test(action))).toEqual([]);
  for (const { options = [] } of operations) {
    const names = options.map(({ name }) => name);
    expect(names).toEqual([...names].sort());
  }
  const fields = NODES.flatMap(({ description }) => listsIn(description.properties)).flat();
  const examples = fields.flatMap(({ modes = [], placeholder }) => [
    ...(placeholder === undefined ? [] : [placeholder]),
    ...modes.flatMap((mode) => mode.placeholder ?? []),
  ]);
  expect(examples.length).toBeGreaterThan(20);
  expect(examples.filter((text) => !/^(e\.g\. |Select an? \w+\.\.\.$|Add )/.test(text))).toEqual([]);
});

/** The lists of fields in a description, at any depth: those of a node, and of each collection. */
function listsIn(properties: readonly INodeProperties[]): (readonly INodeProperties[])[] {
  const inner = properties.flatMap(({ type, options = [] }) =>
    type === 'collection'
      ? [options as INodeProperties[]]
      : options.flatMap((option) => ('values' in option ? [option.values] : [])),
  );
  return [properties, ...inner.flatMap(listsIn)];
}

// Before n8n 2.35, a name that is no field of the same list ends every run with "Could not resolve parameter dependencies".
test('what shows a field is a field beside it, or a path from the top', () => {
  const lists = NODES.flatMap(({ description }) => listsIn(description.properties));
  expect(lists.length).toBeGreaterThan(20);
  const unknown = lists.flatMap((list) => {
    const names = new Set(list.map(({ name }) => name));
    return list.flatMap(({ name, displayOptions = {} }) =>
      Object.values(displayOptions)
        .flatMap((rule: object) => Object.keys(rule))
        .filter((each) => !names.has(each) && !/^[/@]/.test(each))
        .map((each) => `${name}: ${each}`),
    );
  });
  expect(unknown).toEqual([]);
});

test('a field that names where a file goes must be filled in', () => {
  const all = NODES.flatMap(({ description }) => listsIn(description.properties)).flat();
  const fields = all.filter(({ name, options }) => name === 'binaryPropertyName' && options === undefined);
  expect(fields.length).toBeGreaterThan(1);
  expect(fields.filter(({ required }) => required !== true)).toEqual([]);
});

test('a condition asks for no value where the operator takes none', () => {
  const lists = NODES.flatMap(({ description }) => listsIn(description.properties));
  const conditions = lists.filter((list) => list.some(({ name }) => name === 'operator'));
  expect(conditions.length).toBeGreaterThan(2);
  for (const list of conditions) {
    const values = list.filter(({ name }) => ['value', 'valueType'].includes(name));
    expect(values.length).toBeGreaterThan(2);
    for (const { displayOptions } of values)
      expect(displayOptions?.hide?.operator).toEqual(expect.arrayContaining(['isNull', 'isNotNull']));
  }
});

describe('n8n names what a language model fills in', () => {
  /** It has no button for lists. */
  const isFilledIn = ({ type, noDataExpression }: INodeProperties): boolean =>
    !['options', 'collection', 'fixedCollection', 'notice'].includes(type) && noDataExpression !== true;

  test('after the last field of a name, which must be that field', () => {
    for (const list of NODES.flatMap(({ description }) => listsIn(description.properties).slice(1)))
      for (const field of list.filter(isFilledIn))
        expect(list.findLast(({ name }) => name === field.name)).toBe(field);
  });

  test('after labels, which are no labels of parts', () => {
    const { properties } = NODES[0]!.description;
    const keysOf = ({ displayOptions }: INodeProperties): string[] => {
      const { resource = [], operation = [] } = displayOptions?.show ?? {};
      return resource.flatMap((noun) => operation.map((verb) => `${noun as string} ${verb as string}`));
    };
    const mapped = properties.filter(({ type }) => type === 'resourceMapper').flatMap(keysOf);
    expect(mapped.length).toBeGreaterThan(5);
    const beside = properties.filter(
      (each) => isFilledIn(each) && keysOf(each).some((key) => mapped.includes(key)),
    );
    const labels = new Set(beside.map(({ displayName }) => displayName));
    expect([...labels].sort()).toEqual(FIELDS_BESIDE);
  });
});

/** How bright a colour is, as WCAG 2 reckons it. */
function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test.each(globSync('icons/*.svg', { cwd: ROOT }))("%s is seen on n8n's background", (file) => {
  const background = luminance(file.endsWith('.dark.svg') ? '#2d2d2d' : '#ffffff');
  const svg = readFileSync(join(ROOT, file), 'utf8');
  // The sheets and the flash stand on the background; the lines are written on a sheet.
  const shapes = [...svg.matchAll(/<(?:rect|path)[^>]* fill="(#\w{6})"/g)].map((match) =>
    luminance(match[1]!),
  );
  expect(shapes.length).toBeGreaterThan(1);
  const contrasts = shapes.map(
    (shape) => (Math.max(shape, background) + 0.05) / (Math.min(shape, background) + 0.05),
  );
  expect(Math.min(...contrasts)).toBeGreaterThan(3);
});

test('the published texts are in English', () => {
  const codex = globSync('nodes/**/*.node.json', { cwd: ROOT });
  const files = ['package.json', 'README.md', ...codex, ...globSync('credentials/*.ts', { cwd: ROOT })];
  expect(files.filter((file) => JAPANESE.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
  const descriptions = NODES.map(({ description }) => JSON.stringify(description));
  expect(descriptions.filter((text) => JAPANESE.test(text))).toEqual([]);
});

test.each(NODES)('$description.displayName is found by the names of the product', ({ description }) => {
  const file = `nodes/ApplicationDataService/${description.displayName.replaceAll(' ', '')}.node.json`;
  const { alias } = JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as { alias: string[] };
  expect(alias).toEqual(
    expect.arrayContaining(['AppSuite', 'app suite', "desknet's", 'form data', 'records', 'groupware']),
  );
});
