import type { INodeParameters } from 'n8n-workflow';

import { Engine } from '../support/engine';
import { buildProperties } from '../../nodes/ApplicationDataService/operations/registry';
import { Sandbox, type ApplicationDefinition, type CreatedApplication, type Fault } from '../support/sandbox';
import { answerTo, check, CHECKED, questionsWith, reportIn, SECRETS } from './support/checked';
import { useQuickRetries } from './support/quickRetries';

useQuickRetries();

let sandbox: Sandbox;
let engine: Engine;
let app: CreatedApplication;

beforeAll(async () => {
  sandbox = await Sandbox.borrow();
  engine = new Engine({ baseUrl: sandbox.baseUrl, accessKey: sandbox.accessKey });
});
afterAll(async () => await sandbox.stop());

beforeEach(async () => {
  await sandbox.reset();
  app = await sandbox.createApplication(CHECKED);
  await sandbox.clearLog();
});

const ORDER = ['problem', 'limited', 'unknown', 'handled', 'ok'];

test('one item for each question, what matters first, the report with the first one; it only reads', async () => {
  const result = await check(engine, app.id, { binaryPropertyName: 'report' });
  const { answers, items, hints } = result;
  expect(answers).toHaveLength(20);
  for (const answer of answers) {
    expect(Object.keys(answer)).toEqual(['area', 'question', 'answer', 'verdict', 'consequence']);
    expect(Object.values(answer).filter((text) => text === '')).toEqual([]);
  }
  expect(new Set(answers.map(({ question }) => question)).size).toBe(answers.length);
  expect(answers.filter(({ verdict }) => verdict !== 'ok')).toEqual([]);
  expect(items.map(({ binary = {} }) => Object.keys(binary))).toEqual([
    ['report'],
    ...items.slice(1).map(() => []),
  ]);
  expect(items[0]?.binary?.report).toMatchObject({ fileName: 'report.md', mimeType: 'text/markdown' });
  const total = '20 questions: 0 problem, 0 limited, 0 unknown, 0 handled, 20 ok';
  expect(hints.map(({ message }) => message)).toEqual([total]);
  const report = reportIn(result, 'report');
  expect(report).toContain(`\n\n${total}.\n`);
  for (const { question, answer } of answers) expect(report).toContain(`| ${question} | ${answer} |`);
  const actions = (await sandbox.log()).map(({ action }) => action);
  expect(actions.filter((action) => /^(insert|update|delete)_data$/.test(action))).toEqual([]);
  expect(actions.length).toBeLessThan(100);
  expect((await sandbox.statistics()).mostInFlight).toBe(1);
});

test('it stands last among the operations', () => {
  const operations = buildProperties().find(
    ({ name, displayOptions }) =>
      name === 'operation' && displayOptions?.show?.resource?.includes('application'),
  );
  expect(operations?.options?.map(({ name }) => name)).toEqual(['Get', 'Get Many', 'Check']);
  expect(operations?.default).toBe('get');
});

test('part types are called as in the lists of the editor', async () => {
  const { answers } = await check(engine, app.id);
  expect(answerTo(answers, 'Equals find a value').answer).toBe(
    'Yes (ID, Date/time, Text (one line), Text (multi line), Rich text, Radio button, Pull down, Check box, List box, Number, Date, Time, Select user, Select group, Attachment files, Auto calculation). Not seen (User)',
  );
});

type Row = readonly [
  dialect: Readonly<Record<string, unknown>>,
  question: string,
  answer: RegExp,
  verdict: string,
];

/** Switches of the sandbox (docs/dev/sandbox.md) on which an answer depends. */
const DIALECTS: readonly Row[] = [
  [{ emptyList: 'error' }, 'empty list', /-110/, 'handled'],
  [{ listRevision: 'always' }, 'carry the revision', /^Yes$/, 'ok'],
  [{ listRevision: 'never' }, 'carry the revision', /^No$/, 'limited'],
  [{ failureStatus: '400' }, 'refusals', /^Yes: refused.*HTTP 400/, 'ok'],
  [{ failureStatus: '500' }, 'refusals', /^No: .*HTTP 500/, 'limited'],
  [{ rowIds: 'none' }, 'rows of table parts', /^No$/, 'limited'],
  [{ rowIds: 'value' }, 'rows of table parts', /^Yes$/, 'ok'],
  [{ equals: 'refused:date' }, 'Equals find a value', /^No: it is refused \(Date\)\. Yes \(/, 'limited'],
  [{ equals: 'misses:number,id' }, 'Equals find a value', /^No: it does not find.*\(ID, Number\)/, 'limited'],
  [
    { equals: 'ignored:radio' },
    'Equals find a value',
    /^No: it finds other values.*\(Radio button\)/,
    'problem',
  ],
  // Those of several values are asked as `contains`, and checked by the node.
  [
    { equals: 'misses:*' },
    'Equals find a value',
    /Yes \(Check box, List box, Select user, Select group\)/,
    'limited',
  ],
];

test.each(DIALECTS)('%j', async (dialect, question, answer, verdict) => {
  await sandbox.setDialect(dialect);
  const { answers } = await check(engine, app.id);
  expect(answerTo(answers, question)).toMatchObject({
    answer: expect.stringMatching(answer) as string,
    verdict,
  });
});

describe('what an answer means is what the nodes do', () => {
  const run = async (resource: string, operation: string, more: INodeParameters) => {
    const result = await engine.run({ resource, operation, application: app.id, ...more });
    return result.error?.message ?? result.json;
  };
  const mapped = (value: INodeParameters) => ({
    mappingMode: 'defineBelow',
    value,
    matchingColumns: ['Secret Title'],
  });
  const lines = { recordId: '1', tablePart: 'Secret Lines', row: mapped({ 'Secret Item': 'x' }) };
  const replaced = {
    parts: mapped({ 'Secret Lines': [{ 'Secret Item': 'x' }] }),
    options: { tableRowMode: 'replace' },
  };
  const titled = { parts: mapped({ 'Secret Title': 'Chameleon', 'Secret Place': 'x' }) };

  test.each<[Readonly<Record<string, unknown>>, string, string, INodeParameters, unknown]>([
    [{ rowIds: 'none' }, 'tableRow', 'add', lines, expect.stringContaining('returns no IDs')],
    [
      { rowIds: 'none' },
      'record',
      'update',
      { recordId: '1', ...replaced },
      [{ id: '1', outcome: 'updated' }],
    ],
    [{ listRevision: 'never' }, 'record', 'sync', titled, [{ id: '3', outcome: 'updated' }]],
    [{ equals: 'ignored:*' }, 'record', 'upsert', titled, [{ id: '3', outcome: 'updated' }]],
  ])('%j, %s %s', async (dialect, resource, operation, more, result) => {
    await sandbox.setDialect(dialect);
    expect(await run(resource, operation, more)).toEqual(result);
  });
});

/** What the nodes handle without any difference for a user. */
const ALIKE = [
  'emptyInner',
  'singleItem',
  'fieldsOmitted',
  'permissionsKey',
  'dates',
  'numbers',
  'ids',
  'counts',
  'downloadUrl',
  'attachmentUrlId',
  'downloadContentType',
  'contentType',
];

test.each([0, 1, 2])('other forms change no answer (%d)', async (index) => {
  const before = await check(engine, app.id);
  const switches = Object.entries(await sandbox.switches()).filter(([name]) => ALIKE.includes(name));
  const drawn = switches.flatMap(([name, { values = {}, fallback }]) => {
    const others = Object.keys(values).filter((value) => value !== fallback);
    return others.slice(index, index + 1).map((value) => [name, value]);
  });
  expect(drawn.length).toBeGreaterThan(0);
  await sandbox.setDialect(Object.fromEntries(drawn) as Record<string, unknown>);
  expect((await check(engine, app.id)).answers).toEqual(before.answers);
});

test('Equals on parts of several values is answered as Get Many behaves', async () => {
  const parts = [{ name: 'Who', type: 'users' }];
  const records = [{ Who: ['1001'] }, { Who: ['1001', '1002'] }, { Who: ['1003'] }];
  const { id } = await sandbox.createApplication({ name: 'People', parts, records });
  await sandbox.setDialect({ equals: 'misses:*' });
  expect(answerTo((await check(engine, id)).answers, 'Equals find a value')).toMatchObject({
    answer: expect.stringMatching(/Yes \(Select user\)/) as string,
    verdict: 'limited',
  });
});

describe('what cannot be asked', () => {
  const other = (more: object): Engine =>
    new Engine({ baseUrl: sandbox.baseUrl, accessKey: 'wrong-key', ...more });

  test.each([
    ['401', 'No: unauthorized'],
    ['401-empty', 'No: unauthorized, HTTP 401'],
    ['403', 'No: unauthorized'],
    ['403-empty', 'No: unauthorized, HTTP 403'],
    ['login-page', 'No: login page'],
    ['ng', 'No: refused'],
  ])('a wrong key, answered with %s', async (badKey, words) => {
    await sandbox.setDialect({ badKey });
    const { answers } = await check(other({}), app.id);
    expect(answerTo(answers, 'access key work')).toMatchObject({
      verdict: 'problem',
      answer: expect.stringContaining(words) as string,
    });
    const rest = answers.filter(({ verdict }) => verdict !== 'problem');
    expect(new Set(rest.map(({ answer }) => answer))).toEqual(
      new Set(['Not asked: the connection does not work']),
    );
    expect(rest).toHaveLength(19);
  });

  test('a key that may not list applications checks the one that it names', async () => {
    await sandbox.setFaults([{ kind: 'ng', action: 'list_apps', errorno: -10020, message: 'No right' }]);
    const { answers } = await check(engine, app.id);
    expect(questionsWith(answers, 'limited')).toEqual(['May the access key list applications?']);
    expect(questionsWith(answers, 'ok')).toHaveLength(19);
  });

  test('an application that does not exist', async () => {
    const { answers } = await check(engine, '99999');
    expect(questionsWith(answers, 'problem')).toEqual(['Is the application there, and is it running?']);
    expect(questionsWith(answers, 'ok')).toHaveLength(3);
    expect(answerTo(answers, 'count').answer).toBe('Not asked: the application cannot be read');
  });

  test('no application: what needs one is unknown', async () => {
    const { answers } = await check(engine, '');
    const asked = answers.filter(({ verdict }) => verdict !== 'unknown');
    expect(asked.map(({ area, verdict }) => [area, verdict])).toEqual(Array(3).fill(['Connection', 'ok']));
    const actions = (await sandbox.log()).map(({ action }) => action);
    expect(actions.filter((action) => !['list_apps', 'get_app'].includes(action))).toEqual([]);
  });

  test('an application under maintenance', async () => {
    await sandbox.changeApplication(app.id, { status: 'maintenance' });
    const { answers } = await check(engine, app.id);
    expect(answerTo(answers, 'Is the application there')).toMatchObject({
      verdict: 'problem',
      answer: 'No: its status is maintenance',
    });
  });

  const TITLE = { name: 'Title', type: 'textbox' };
  const identified = { ...TITLE, identifier: 'title' };
  test.each<[string, ApplicationDefinition, string, string, string]>([
    [
      'an empty one',
      { name: 'A', parts: [TITLE] },
      'carry the revision',
      'Not asked: there is no record',
      'unknown',
    ],
    [
      'one keyed by identifiers',
      { ...CHECKED, identifier: '', partIdentifierMode: true },
      'keyed by',
      'Yes: the part identifier',
      'ok',
    ],
    ['an empty one with identifiers', { name: 'A', parts: [identified] }, 'keyed by', 'No', 'limited'],
    [
      'records without IDs',
      { name: 'A', partIdentifierMode: true, parts: [identified], records: [{ Title: '1' }] },
      'record ID',
      'No',
      'problem',
    ],
  ])('%s', async (_, definition, question, answer, verdict) => {
    const { id } = await sandbox.createApplication(definition);
    const { answers } = await check(engine, id);
    expect(answerTo(answers, question)).toMatchObject({ answer, verdict });
  });
});

/** Verdicts in order, and nothing in the items and the report that is not public. */
function assertPublic(result: Awaited<ReturnType<typeof check>>): void {
  expect(result.answers).toHaveLength(20);
  const text = `${reportIn(result)}${JSON.stringify(result.answers)}`;
  const { port } = new URL(sandbox.baseUrl);
  const secrets = [...SECRETS, 'topsecret', sandbox.accessKey, port, app.id, 'nobody', 'Restricted'];
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  const verdicts = result.answers.map(({ verdict }) => ORDER.indexOf(verdict));
  expect(verdicts).toEqual([...verdicts].sort());
}

test('neither the items nor the report contain a key, an address, a name or a value', async () => {
  const rights = { access: true, add: true, write: 'all', delete: 'all', parts: { 'Secret Place': 'none' } };
  const user = { name: 'Restricted Reader', accessKey: 'topsecret-1060', rights: { [app.id]: rights } };
  await sandbox.setUser('1060', user);
  assertPublic(await check(engine, app.id));
  assertPublic(await check(engine, '@secret-of-nobody'));
  const restricted = await check(
    new Engine({ baseUrl: sandbox.baseUrl, accessKey: 'topsecret-1060' }),
    app.id,
  );
  assertPublic(restricted);
  expect(answerTo(restricted.answers, 'values of all parts')).toMatchObject({
    ...{ answer: 'No', verdict: 'limited' },
  });
});

describe('a service that stops answering', () => {
  /** The check of a service that loses all connections from this action on. */
  const lostFrom = async (action: string) => {
    await check(engine, app.id);
    const skip = (await sandbox.log()).findIndex((call) => call.action === action);
    await sandbox.clearLog();
    await sandbox.setFaults([{ kind: 'drop', when: 'before', skip }]);
    const { answers } = await check(engine, app.id);
    return { answers, calls: (await sandbox.log()).length - skip };
  };

  test('gets no further questions', async () => {
    const { answers, calls } = await lostFrom('count_data');
    const unasked = answers.filter(({ answer }) => answer === 'Not asked: the service stopped answering');
    expect(unasked.length).toBeGreaterThan(10);
    // What was asked then, and whether it answers anything.
    expect(calls).toBeLessThanOrEqual(2 * 6);
  });

  test('while the application is read: nothing is said about the application', async () => {
    expect(questionsWith((await lostFrom('get_app')).answers, 'problem')).toEqual([]);
  });

  test('to one kind of call: the others are asked', async () => {
    await sandbox.setFaults([{ kind: 'drop', when: 'before', action: 'list_data' }]);
    const { answers } = await check(engine, app.id);
    const told = answers.map(({ answer }) => answer);
    expect(told).not.toContain('Not asked: the service stopped answering');
    expect(told).toContain('It could not be asked: lost');
    expect(answerTo(answers, 'count').answer).toBe('Yes');
  });
});

test.each(['list_apps', 'get_app', 'list_data', 'count_data'])(
  'a cancelled execution ends the check, at %s',
  async (action) => {
    let stop = (): void => undefined;
    const cancel = new Promise<void>((resolve) => (stop = resolve));
    await sandbox.setFaults([await sandbox.holdDuring({ action }, () => stop())]);
    await expect(check(engine, app.id, {}, { cancel })).rejects.toMatchObject({
      message: 'The execution was cancelled',
    });
    expect((await sandbox.log()).filter((call) => call.action === action).length).toBeLessThanOrEqual(1);
  },
);

describe('whatever one call comes to, or all later ones, everything is reported and nothing is written', () => {
  const words = { errorno: -9, message: 'Secret Title', partKey: 'Secret Title' };
  const FAULTS = [
    ...[{ kind: 'drop', when: 'before' }, { kind: 'drop', when: 'after' }, { kind: 'html' }, { kind: 'cut' }],
    ...[
      { kind: 'ng', ...words },
      { kind: 'ng', ...words, errorno: -110 },
      { kind: 'cut', how: 'abort' },
    ],
    ...[401, 404, 502].map((status) => ({ kind: 'status', status, body: 'Secret Title' })),
    ...[
      { kind: 'redirect', location: '/sandbox/secret' },
      { kind: 'status', status: 500, when: 'after' },
    ],
  ] as Fault[];
  let calls: readonly string[];
  beforeEach(async () => {
    await check(engine, app.id);
    calls = (await sandbox.log()).map(({ action }) => action);
  });
  // Every fault at every call would take a minute, so each call has one of them.
  test.each(FAULTS.map((fault, index) => [fault, index] as const))('%j', async (fault, offset) => {
    for (let skip = offset; skip < calls.length; skip += FAULTS.length) {
      await sandbox.setFaults([{ ...fault, skip, times: 1 }]);
      assertPublic(await check(engine, app.id));
    }
    for (const [index, action] of [...new Set(calls)].entries()) {
      await sandbox.setFaults([{ ...fault, action, skip: index % 2 }]);
      assertPublic(await check(engine, app.id));
    }
    const written = (await sandbox.log()).filter(({ action }) => /^(insert|update|delete)_/.test(action));
    expect(written).toEqual([]);
  });
});
