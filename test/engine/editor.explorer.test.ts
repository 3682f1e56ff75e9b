import type {
  ILoadOptionsFunctions,
  INodeListSearchResult,
  INodeParameters,
  INodePropertyOptions,
  INodeType,
} from 'n8n-workflow';

import { ApplicationDataService } from '../../nodes/ApplicationDataService/ApplicationDataService.node';
import { ApplicationDataServiceTrigger } from '../../nodes/ApplicationDataService/ApplicationDataServiceTrigger.node';
import { ApplicationDataServiceWebhookTrigger } from '../../nodes/ApplicationDataService/ApplicationDataServiceWebhookTrigger.node';
import { Engine } from '../support/engine';
import { Sandbox } from '../support/sandbox';
import { like } from './support/like';
import { byId } from './support/saved';

/**
 * n8n's resource explorer lets an assistant call the list methods by name, with a credential and the parameters known
 * so far, but without a path. The descriptions name the methods.
 */
const NODES: readonly INodeType[] = [
  new ApplicationDataService(),
  new ApplicationDataServiceTrigger(),
  new ApplicationDataServiceWebhookTrigger(),
];

let sandbox: Sandbox;
let engine: Engine;
let parts: Readonly<Record<string, string>>;

beforeAll(async () => {
  sandbox = await Sandbox.borrow();
  engine = new Engine({ baseUrl: sandbox.baseUrl, accessKey: sandbox.accessKey });
  parts = await sandbox.partIds('customers');
  await sandbox.changeRecord('301', '1', { Documents: [{ name: 'a.txt', text: 'a' }] });
});
afterAll(async () => await sandbox.stop());

/** A method as n8n calls it: for a list of options, or for a resource locator with a search text. */
type Listed = (
  this: ILoadOptionsFunctions,
  filter?: string,
  token?: string,
) => Promise<INodePropertyOptions[] | INodeListSearchResult>;

async function explore(
  node: INodeType,
  method: string,
  parameters: INodeParameters,
  filter?: string,
): Promise<{ name: string; value: unknown }[]> {
  const { listSearch = {}, loadOptions = {} } = node.methods ?? {};
  const listed = (listSearch[method] ?? loadOptions[method]) as Listed;
  const found = await listed.call(engine.editor(parameters, ''), filter);
  return (Array.isArray(found) ? found : found.results).map(({ name, value }) => ({ name, value }));
}

/** The method of each list of a node, with the hint that the explorer also returns. */
function methodsOf({ description }: INodeType): Map<string, string> {
  const methods = new Map<string, string>();
  const look = (value: unknown, hint: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { loadOptionsMethod, searchListMethod } = value as Record<string, unknown>;
    const method = loadOptionsMethod ?? searchListMethod;
    if (typeof method === 'string' && !methods.has(method)) methods.set(method, hint);
    const own = (value as { builderHint?: { propertyHint?: string } }).builderHint?.propertyHint;
    for (const inner of Object.values(value)) look(inner, own ?? hint);
  };
  for (const property of description.properties) look(property, '');
  return methods;
}

const LISTS = NODES.flatMap((node) =>
  [...methodsOf(node)].map(([method, hint]) => ({
    title: `${node.description.name}: ${method}`,
    node,
    method,
    hint,
  })),
);

test('every list has a method, and says what it needs', () => {
  expect(LISTS.length).toBeGreaterThan(12);
  for (const { title, node, method, hint } of LISTS) {
    const { listSearch = {}, loadOptions = {} } = node.methods ?? {};
    expect([title, typeof (listSearch[method] ?? loadOptions[method])]).toEqual([title, 'function']);
    if (method !== 'getLabels') expect([title, hint]).toEqual([title, like('application')]);
  }
});

test.each(LISTS)('$title lists the choices for the parameters known so far', async ({ node, method }) => {
  const condition = [{ part: parts.Company! }, { part: parts.Rank! }];
  const application = byId('getTableParts getRowParts searchRows'.includes(method) ? '302' : '301');
  const [table] = await explore(NODES[0]!, 'getTableParts', {
    application: { ...application, value: '302' },
  });
  const found = await explore(node, method, {
    application,
    tablePart: String(table!.value),
    recordId: '1',
    attachmentPart: method === 'searchFiles' ? parts.Documents! : '',
    filters: { condition },
  });
  expect(found.length).toBeGreaterThan(0);
  expect(found.filter(({ name, value }) => name === '' || typeof value !== 'string' || value === '')).toEqual(
    [],
  );
});

test('the options of a part are those of the last condition', async () => {
  const ask = async (...names: string[]): Promise<unknown[]> => {
    const condition = names.map((name) => ({ part: parts[name] ?? name }));
    const found = await explore(NODES[0]!, 'getPartChoices', { application: '301', filters: { condition } });
    return found.map(({ value }) => value);
  };
  expect(await ask('Company', 'Rank')).toEqual(['A', 'B', 'C']);
  expect(await ask('Rank', 'Company')).toEqual([]);
  expect(await ask()).toEqual([]);
});

test('without an application, there are no parts, and records are refused with a hint', async () => {
  expect(await explore(NODES[0]!, 'getParts', {})).toEqual([]);
  await expect(explore(NODES[0]!, 'searchRecords', {})).rejects.toThrow('the application is not selected');
});
