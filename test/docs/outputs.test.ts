import type { IDataObject } from 'n8n-workflow';

import type { Output, OutputType } from '../../docs/generate/output';
import { OUTPUTS } from '../../docs/generate/outputs';
import { TRIGGER_OUTPUT, WEBHOOK_OUTPUT } from '../../docs/generate/triggerOutputs';
import { OPERATIONS } from '../../nodes/ApplicationDataService/operations/registry';
import { useWorkplace } from '../engine/support/workplace';
import { Engine } from '../support/engine';
import { TriggerEngine } from '../support/triggerEngine';
import { jsonOf, WebhookEngine } from '../support/webhookEngine';
import { ORDERS, RUNS } from '../engine/support/runs';

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const TYPES: Readonly<Record<OutputType, (value: unknown) => boolean>> = {
  text: isText,
  'text or null': (value) => value === null || isText(value),
  number: isNumber,
  'number or null': (value) => value === null || isNumber(value),
  'true or false': (value) => typeof value === 'boolean',
  'list of texts': (value) => Array.isArray(value) && value.every(isText),
  'list of objects': (value) => Array.isArray(value) && value.every(isObject),
  object: isObject,
};

/** The parts of a record, and of a row. */
const TOP = ['Created at', 'Created by', 'Updated at', 'Updated by', 'Company', 'Files', 'Lines'];
const CHILDREN = ['Item', 'Qty', 'Due', 'Tags', 'Plan'];

const place = useWorkplace(ORDERS);
/** Runs as a user who may not read one of the parts. */
let engine: Engine;
let credential: { baseUrl: string; accessKey: string };

beforeEach(async () => {
  const accessKey = 'reader-key';
  const rights = { access: true, write: 'all', delete: 'all', parts: { Secret: 'none' } } as const;
  await place.sandbox.setUser('1050', { name: 'Reader', accessKey, rights: { [place.app.id]: rights } });
  credential = { baseUrl: place.sandbox.baseUrl, accessKey };
  engine = new Engine(credential);
});

/** Compares the described output with items. */
function compare(output: Output, items: readonly IDataObject[], parts: readonly string[]): void {
  const known = new Set(output.keys.map(({ key }) => key));
  const rest = items.flatMap((item) => Object.keys(item)).filter((key) => !known.has(key));
  expect(rest.filter((key) => output.parts === undefined || !parts.includes(key))).toEqual([]);
  for (const { key, type, only } of output.keys) {
    const holding = items.filter((item) => key in item);
    expect([key, holding.length]).toEqual([key, only === undefined ? items.length : expect.any(Number)]);
    expect([key, holding.length > 0]).toEqual([key, true]);
    const wrong = holding.filter((item) => !TYPES[type](item[key]));
    expect(wrong.map((item) => [key, type, item[key]])).toEqual([]);
  }
}

test('every operation describes its output, and has runs that show it', () => {
  const names = OPERATIONS.map(({ resource, value }) => `${resource}.${value}`).sort();
  expect(Object.keys(OUTPUTS).sort()).toEqual(names);
  expect(Object.keys(RUNS).sort()).toEqual(names);
});

test('options that add to an output are among the runs', () => {
  const lacking = OPERATIONS.flatMap(({ resource, value, options }) => {
    const runs = RUNS[`${resource}.${value}`] ?? [];
    return ['dryRun', 'returnRecord']
      .filter((name) => name in options)
      .filter((name) => !runs.some(({ parameters }) => parameters.options?.[name] === true))
      .map((name) => `${resource}.${value}: ${name}`);
  });
  expect(lacking).toEqual([]);
});

test.each(Object.keys(OUTPUTS))('the output of %s is as the reference says', async (name) => {
  const [resource = '', operation = ''] = name.split('.');
  const output = OUTPUTS[name]!;
  const [record] = await place.stored();
  const [file] = record?.values.Files as { id: string }[];
  const items: IDataObject[] = [];
  for (const { parameters, binary } of RUNS[name] ?? []) {
    const saved = place.parameters(operation, { resource, ...parameters });
    const input = [{ json: { file: file!.id }, ...(binary && { binary }) }];
    const result = await engine.run(saved, { input });
    expect(result.error).toBeUndefined();
    items.push(...result.json);
    const isPromised = output.binary !== undefined && !output.binary.startsWith('With ');
    if (isPromised) expect(result.items.every((item) => 'data' in (item.binary ?? {}))).toBe(true);
  }
  compare(output, items, name === 'tableRow.getAll' ? CHILDREN : TOP);
});

test("the trigger's output is as the reference says", async () => {
  const { sandbox, app } = place;
  const trigger = new TriggerEngine(credential, {
    application: { __rl: true, mode: 'id', value: app.id },
    events: ['created', 'updated', 'deleted'],
  });
  await trigger.activate();
  await sandbox.changeRecord(app.id, '1', { Company: 'Acme Engineering' });
  await sandbox.addRecords(app.id, [{ Company: 'Ceres' }]);
  await sandbox.removeRecord(app.id, '2');
  const items = await trigger.poll();
  expect(items.map(({ event }) => event).sort()).toEqual(['created', 'deleted', 'updated']);
  compare(TRIGGER_OUTPUT, items, TOP);
});

test("the webhook trigger's output is as the reference says", async () => {
  const webhook = new WebhookEngine({ ...credential, webhookToken: 'token' });
  const receive = async (more: object) =>
    jsonOf(await webhook.receive({ app_id: place.app.id, data_id: '1', access_token: 'token', ...more }));
  const items = await Promise.all([
    receive({ type: 'added', url: 'https://example.com/1' }),
    receive({ type: 'updated' }),
    receive({ type: 'updated', data_id: '99' }),
  ]);
  compare(WEBHOOK_OUTPUT, items.flat(), TOP);
});
