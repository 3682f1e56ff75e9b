import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../docs/generate/root';
import { OPERATIONS } from '../../nodes/ApplicationDataService/operations/registry';
import { ORDERS, RUNS, type Run } from '../engine/support/runs';
import { rowOf } from '../engine/support/rows';
import { useWorkplace, type RunSettings } from '../engine/support/workplace';
import { filesOf } from './support/pages';

/** Runs that differ from the first one in RUNS, by resource, operation and variant. */
const SPECIAL: Readonly<Record<string, Run>> = {
  'record.get, raw': { parameters: { recordId: '1', simplify: false } },
  'record.getAll, Return All': { parameters: { returnAll: true } },
  'record.count, filtered': {
    parameters: { filters: { condition: [{ part: 'Company', operator: 'equals', value: 'Acme' }] } },
  },
  'record.create, Return Record': {
    parameters: { values: { Company: 'Ceres' }, options: { returnRecord: true } },
  },
  'record.update, conflict policy Fail': {
    parameters: { recordId: '1', values: { Company: 'Ceres' }, conflictPolicy: 'fail', revision: 1 },
  },
  'record.upsert, found': {
    parameters: { values: { Company: 'Acme', Secret: 'new' }, matchBy: ['Company'] },
  },
  'record.upsert, nothing changed': { parameters: { values: { Company: 'Acme' }, matchBy: ['Company'] } },
  'record.delete': { parameters: { recordId: '1' } },
  'record.sync': { parameters: { values: { Company: 'Acme', Secret: 'new' }, matchBy: ['Company'] } },
  'record.sync, nothing changed': { parameters: { values: { Company: 'Acme' }, matchBy: ['Company'] } },
  'record.sync, one record removed': {
    parameters: {
      values: { Company: 'Acme' },
      matchBy: ['Company'],
      missing: 'delete',
      options: { allowMostRemovals: true },
    },
  },
  'tableRow.delete': { parameters: { ...rowOf({}), rowId: '1' } },
};

const runs: readonly (readonly [name: string, run: Run])[] = Object.entries({
  ...Object.fromEntries(
    Object.entries(RUNS).flatMap(([name, [first]]) => (first === undefined ? [] : [[name, first]])),
  ),
  ...SPECIAL,
});

/** The most requests that the page lists one by one. */
const MAX_LISTED = 10;

function byFrequency(actions: readonly string[]): string[] {
  const times = (name: string): number => actions.filter((each) => each === name).length;
  return [...actions].sort((one, other) => times(other) - times(one) || one.localeCompare(other));
}

const place = useWorkplace(null);

/** The list of the page: the requests of each execution, by its name. */
function requestsOfPage(): Map<string, string[]> {
  const page = readFileSync(join(ROOT, 'docs/performance.md'), 'utf8');
  return new Map(
    [...page.matchAll(/^- \*\*([^*]+):\*\* (\d+) \(((?:`\w+`(?: × \d+)?,?\s*)+)\)$/gm)].map(
      ([, what = '', count, actions = '']) => {
        const names = [...actions.matchAll(/`(\w+)`(?: × (\d+))?/g)].flatMap(([, name = '', times = '1']) =>
          Array.from({ length: Number(times) }, () => name),
        );
        expect([what, names.length]).toEqual([what, Number(count)]);
        return [what, names];
      },
    ),
  );
}

/** `record.get, raw` as the page names it. */
function shown(name: string): string {
  const [operation = '', ...rest] = name.split(', ');
  const found = OPERATIONS.find(({ resource, value }) => `${resource}.${value}` === operation);
  const resource = { record: 'Record', tableRow: 'Table Row', attachment: 'Attachment', label: 'Label' };
  const of = { ...resource, application: 'Application' }[found!.resource];
  return [`${of} > ${found!.name}`, ...rest].join(', ');
}

test('the page knows each of them, and no others', () => {
  expect([...requestsOfPage().keys()].sort()).toEqual(runs.map(([name]) => shown(name)).sort());
});

/** The docstring above an operation, by its resource and value. */
function docstringOf(resource: string, value: string): string {
  const [file = ''] = filesOf().filter(
    (each) => each.endsWith(`${value}.operation.ts`) && each.includes(`/${resource}/`),
  );
  return (
    /\/\*\*((?:(?!\*\/).)*)\*\/\nexport const \w+ = \w+Operation\(/s.exec(
      readFileSync(join(ROOT, file), 'utf8'),
    )?.[1] ?? ''
  );
}

test.each(OPERATIONS)('above $resource $value stand the actions that it calls', ({ resource, value }) => {
  const pages = [...requestsOfPage()].filter(
    ([name]) => name.split(', ')[0] === shown(`${resource}.${value}`),
  );
  const sent = new Set(pages.flatMap(([, actions]) => actions));
  // Nearly all read the application first.
  if (sent.size > 1) sent.delete('get_app');
  expect(sent.size).toBeGreaterThan(0);
  const named: readonly string[] = docstringOf(resource, value).match(/(?<=`)\w+(?=`)/g) ?? [];
  expect([...sent].filter((action) => !named.includes(action))).toEqual([]);
});

test.each(runs)('%s sends the requests on the page for one item', async (name, run) => {
  await place.open(ORDERS);
  const [record] = await place.stored();
  const [file] = record?.values.Files as { id: string }[];
  const [resource = '', operation = ''] = name.split(/\.|, /);
  const { parameters, binary } = run;
  const input = [{ json: { file: file!.id }, ...(binary && { binary }) }];
  await place.sandbox.clearLog();
  const { error } = await place.run(operation, { resource, ...parameters }, { input });
  expect(error).toBeUndefined();
  const sent = await place.actions();
  // If there are too many to list in order, the page counts them by name, the most frequent first.
  const listed = sent.length > MAX_LISTED ? byFrequency(sent) : sent;
  expect(listed).toEqual(requestsOfPage().get(shown(name)));
});

describe('one more request finds the key mode if the application has identifiers, unless Part Key is set', () => {
  const needing: readonly (readonly [string, string, RunSettings])[] = [
    ['create', 'insert_data', { values: { Company: 'Beta' } }],
  ];

  test.each(needing)('%s', async (operation, action, { options, ...settings }) => {
    await place.open({
      parts: [
        { name: 'Company', type: 'textbox', identifier: 'company' },
        { name: 'City', type: 'textbox' },
      ],
      records: [{ Company: 'Acme' }],
    });
    const sent = async (partKey: string): Promise<string[]> => {
      await place.sandbox.clearLog();
      const { error } = await place.run(operation, { ...settings, options: { ...options, partKey } });
      expect(error).toBeUndefined();
      return await place.actions();
    };
    expect(await sent('auto')).toEqual(['get_app', 'list_data', action]);
    expect(await sent('name')).toEqual(['get_app', action]);
  });
});

test('Count knows the key mode', async () => {
  await place.open({
    partIdentifierMode: true,
    systemIdentifiers: { id: 'no' },
    parts: [{ name: 'Company', type: 'textbox', identifier: 'company' }],
    records: [{ Company: 'Acme' }, { Company: 'Beta' }],
  });
  const count = async (...operators: string[]): Promise<unknown> => {
    const condition = operators.map((operator) => ({ part: 'Company', operator, value: 'Acme' }));
    const application = { __rl: true, mode: 'id', value: place.app.id };
    const parameters = { resource: 'record', operation: 'count', application, match: 'any', options: {} };
    const { json } = await place.engine.run({ ...parameters, filters: { condition } });
    return json[0]?.count;
  };
  expect(await count('equals')).toBe(1);
  expect(await count('notEquals')).toBe(1);
  expect(await count('equals', 'contains')).toBe(1);
});
