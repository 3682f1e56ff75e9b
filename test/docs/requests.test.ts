import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../docs/generate/messages/program';
import { OPERATIONS } from '../../nodes/ApplicationDataService/operations/registry';
import { ORDERS, RUNS, type Run } from '../engine/support/runs';
import { rowOf } from '../engine/support/rows';
import { Workplace } from '../engine/support/workplace';

/** They look at a whole application, or at the service, and not at an item. */
const OTHERS = ['application.check', 'record.sync'];

/** What is done for one item, by resource and operation and what is particular: other runs than the first in RUNS. */
const SPECIAL: Readonly<Record<string, Run>> = {
  'record.get, raw': { parameters: { recordId: '1', options: { output: 'raw' } } },
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
  'record.upsert, found': { parameters: { values: { Company: 'Acme' }, match: ['Company'] } },
  'record.delete': { parameters: { recordId: '1' } },
  'tableRow.delete': { parameters: { ...rowOf({}), rowId: '1' } },
};

const runs: readonly (readonly [name: string, run: Run])[] = Object.entries({
  ...Object.fromEntries(
    Object.entries(RUNS).flatMap(([name, [first]]) =>
      first === undefined || OTHERS.includes(name) ? [] : [[name, first]],
    ),
  ),
  ...SPECIAL,
});

let place: Workplace;
beforeAll(async () => {
  place = await Workplace.start();
});
afterAll(async () => await place.stop());

/** The table of the page: what an execution is said to send, by its name. */
function requestsOfPage(): Map<string, string[]> {
  const page = readFileSync(join(ROOT, 'docs/scaling.md'), 'utf8');
  const [, table = ''] = /\| What +\| Requests.*?\n\|[-| ]+\n(.*?)\n\n/s.exec(page) ?? [];
  return new Map(
    table.split('\n').map((line) => {
      const [, what = '', count, actions = ''] = line.split('|').map((cell) => cell.trim());
      const names = [...actions.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
      expect([what, names.length]).toEqual([what, Number(count)]);
      return [what, names];
    }),
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

test.each(runs)('%s sends what the page says for one item', async (name, run) => {
  await place.open(ORDERS);
  const [record] = await place.stored();
  const [file] = record?.values.Files as { id: string }[];
  const [resource = '', operation = ''] = name.split(/\.|, /);
  const { parameters, binary } = run;
  const input = [{ json: { file: file!.id }, ...(binary && { binary }) }];
  await place.sandbox.clearLog();
  const { error } = await place.run(operation, { resource, ...parameters }, { input });
  expect(error).toBeUndefined();
  expect(await place.actions()).toEqual(requestsOfPage().get(shown(name)));
});

test('one more tells the key mode where the application has identifiers, unless Part Key says it', async () => {
  await place.open({
    parts: [
      { name: 'Company', type: 'textbox', identifier: 'company' },
      { name: 'City', type: 'textbox' },
    ],
    records: [{ Company: 'Acme' }],
  });
  const create = async (options: Record<string, string>): Promise<string[]> => {
    await place.sandbox.clearLog();
    await place.create({ values: { Company: 'Beta' }, options });
    return await place.actions();
  };
  expect(await create({})).toEqual(['get_app', 'list_data', 'insert_data']);
  expect(await create({ partKey: 'name' })).toEqual(['get_app', 'insert_data']);
});
