import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';

import { NodeHelpers, type INode } from 'n8n-workflow';

import { ApplicationDataService } from '../../nodes/ApplicationDataService/ApplicationDataService.node';
import { ApplicationDataServiceTrigger } from '../../nodes/ApplicationDataService/ApplicationDataServiceTrigger.node';
import { ApplicationDataServiceWebhookTrigger } from '../../nodes/ApplicationDataService/ApplicationDataServiceWebhookTrigger.node';

const repository = join(__dirname, '..', '..');
const OWN_NODES = 'n8n-nodes-application-data-service.';

const DESCRIPTIONS = [
  new ApplicationDataService(),
  new ApplicationDataServiceTrigger(),
  new ApplicationDataServiceWebhookTrigger(),
].map(({ description }) => description);

/** What n8n itself adds to triggers and tools. */
const BY_N8N = ['pollTimes', 'descriptionType', 'toolDescription'];

/** The list of examples explains these. */
const SMALL = ['create-customer', 'list-applications', 'list-orders'];

interface Workflow {
  readonly name: string;
  readonly nodes: readonly {
    readonly name: string;
    readonly type: string;
    readonly parameters: { readonly content?: string; readonly jsCode?: string };
    readonly credentials?: object;
  }[];
  readonly connections: Readonly<
    Record<string, Readonly<Record<string, readonly (readonly Link[] | null)[]>>>
  >;
}

interface Link {
  readonly node: string;
}

const files = readdirSync(join(repository, 'examples')).filter((file) => file.endsWith('.json'));

describe.each(files)('The example %s', (file) => {
  const text = readFileSync(join(repository, 'examples', file), 'utf8');
  const workflow = JSON.parse(text) as Workflow;

  it('contains what an import accepts, and nothing that belongs to one n8n', () => {
    expect(Object.keys(workflow).sort()).toEqual(['connections', 'name', 'nodes', 'settings']);
    expect(text).not.toMatch(/"(instanceId|versionId|pinData)"/);
  });

  it('names the credential of its nodes, without an id', () => {
    const byName = { applicationDataServiceApi: { id: null, name: 'Application Data Service account' } };
    for (const { type, credentials } of workflow.nodes) {
      expect(credentials).toEqual(type.startsWith(OWN_NODES) ? byName : undefined);
    }
  });

  it('saves only parameters and options that n8n keeps', () => {
    for (const node of workflow.nodes.filter(({ type }) => type.startsWith(OWN_NODES))) {
      const own = DESCRIPTIONS.find(({ name }) => OWN_NODES + name === node.type.replace(/Tool$/, ''))!;
      const saved = Object.fromEntries(
        Object.entries(node.parameters as INode['parameters']).filter(([key]) => !BY_N8N.includes(key)),
      );
      const kept = NodeHelpers.getNodeParameters(own.properties, saved, true, false, node as never, own);
      expect([node.name, kept]).toMatchObject([node.name, saved]);
    }
  });

  it('is explained node by node on its page', () => {
    if (SMALL.includes(file.replace('.json', ''))) return;
    const page = readFileSync(join(repository, 'docs', 'examples', file.replace('.json', '.md')), 'utf8');
    const words = page.replace(/\s+/g, ' ');
    const nodes = workflow.nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
    expect(nodes.map(({ name }) => name).filter((name) => !words.includes(name))).toEqual([]);
  });

  it('connects each of its nodes to existing ones', () => {
    const names = workflow.nodes.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const ends = Object.entries(workflow.connections).flatMap(([from, byType]) => [
      from,
      ...Object.values(byType)
        .flat()
        .flatMap((links) => links ?? [])
        .map(({ node }) => node),
    ]);
    expect(names).toEqual(expect.arrayContaining(ends));
  });

  it('has a note that says what it does', () => {
    const notes = workflow.nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
    expect(notes.map(({ parameters }) => parameters.content).join('\n')).toMatch(/^## \S/);
  });

  it('is run by a separate end-to-end test', () => {
    expect(existsSync(join(repository, 'test', 'e2e', 'examples', file.replace('.json', '.test.ts')))).toBe(
      true,
    );
  });

  it('has a page, unless it is a small one', () => {
    const name = file.replace('.json', '');
    if (SMALL.includes(name)) return;
    const page = readFileSync(join(repository, 'docs', 'examples', `${name}.md`), 'utf8');
    expect(page).toContain(`(../../examples/${file})`);
    expect(page).toContain(`(../images/example-${name}.png)`);
    expect(existsSync(join(repository, 'docs', 'images', `example-${name}.png`))).toBe(true);
  });

  it('is in the list of examples', () => {
    const list = readFileSync(join(repository, 'docs', 'examples', 'README.md'), 'utf8');
    expect(list).toContain(`(../../examples/${file})`);
  });
});

describe('The lines of the example that imports order rows from a spreadsheet', () => {
  const text = readFileSync(join(repository, 'examples', 'order-rows-from-spreadsheet.json'), 'utf8');
  const { nodes } = JSON.parse(text) as Workflow;
  const code = nodes.find(({ name }) => name === 'Check the Lines')?.parameters.jsCode ?? '';
  const check = compileFunction(code, ['$input']) as (input: { all: () => object[] }) => { json: object }[];
  /** The node's output for one line of an Excel file, whose date cells are numbers. */
  const checked = (line: object): object[] => {
    const json = { 'Order No': 'O-1', Item: 'Bolt', Quantity: 1, ...line };
    return check({ all: () => [{ json }] }).map((item) => item.json);
  };

  it('contain a date cell as a date', () => {
    expect(checked({ 'Ordered On': 46_361, Due: '2026-12-31' })).toEqual([
      expect.objectContaining({
        'Ordered On': '2026-12-05',
        rows: [expect.objectContaining({ Due: '2026-12-31' })],
      }),
    ]);
  });

  it.each([[20_261_231], [1e21], [-1e15], ['31.12.2026'], ['2026-02-30']])(
    'are named if a cell is no date: %s',
    (Due) => {
      const refused = `Line 2 has a date in Due that is not one like 2026-12-31: ${Due}.`;
      expect(checked({ Due })).toEqual([{ refused }]);
    },
  );
});
