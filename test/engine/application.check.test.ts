import type { INodeParameters } from 'n8n-workflow';

import { buildProperties } from '../../nodes/ApplicationDataService/operations/registry';
import type { Engine } from '../support/engine';
import type { ApplicationDefinition, Fault } from '../support/sandbox';
import { answerTo, type Answered, check, CHECKED, questionsWith, reportIn, SECRETS } from './support/checked';
import { like } from './support/like';
import { mapped } from './support/saved';
import { useQuickRetries } from './support/quickRetries';
import { ng } from './support/table';
import { useWorkplace } from './support/workplace';

useQuickRetries();

const place = useWorkplace(CHECKED);

/** A check of the workplace's application, or of another one. */
const checked = async (id = place.app.id, engine: Engine = place.engine) => (await check(engine, id)).answers;
const writes = async () =>
  (await place.actions()).filter((action) => /^(insert|update|delete)_/.test(action));

test('one item for each question, what matters first, the report with the first one; it only reads', async () => {
  const result = await check(place.engine, place.app.id, { binaryPropertyName: 'report' });
  const { answers, items, hints } = result;
  expect(answers).toHaveLength(20);
  for (const answer of answers) {
    expect(Object.keys(answer)).toEqual(['area', 'question', 'answer', 'verdict', 'consequence']);
    expect(Object.values(answer)).not.toContain('');
  }
  expect(new Set(answers.map(({ question }) => question)).size).toBe(answers.length);
  expect(questionsWith(answers, 'ok')).toHaveLength(20);
  const [report, ...others] = items.map(({ binary = {} }) => Object.keys(binary));
  expect([report, others.flat()]).toEqual([['report'], []]);
  expect(items[0]?.binary?.report).toMatchObject({ fileName: 'report.md', mimeType: 'text/markdown' });
  const total = '20 questions: 0 problem, 0 limited, 0 unknown, 0 handled, 20 ok';
  expect(hints.map(({ message }) => message)).toEqual([total]);
  expect(reportIn(result, 'report')).toContain(`\n\n${total}.\n`);
  for (const { question, answer } of answers)
    expect(reportIn(result, 'report')).toContain(`| ${question} | ${answer} |`);
  expect(await writes()).toEqual([]);
  const { calls, mostInFlight } = await place.sandbox.statistics();
  expect([calls < 100, mostInFlight]).toEqual([true, 1]);
});

test('it is not what a new node begins with', () => {
  const operations = buildProperties().find(
    ({ name, displayOptions }) =>
      name === 'operation' && displayOptions?.show?.resource?.includes('application'),
  );
  expect(operations?.default).toBe('get');
});

const TITLE = { name: 'Title', type: 'textbox' };
const identified = { ...TITLE, identifier: 'title' };
const people = {
  name: 'People',
  parts: [{ name: 'Who', type: 'users' }],
  records: [{ Who: ['1001'] }, { Who: ['1001', '1002'] }, { Who: ['1003'] }],
};
const ALL_TYPES =
  'Yes (ID, Date/time, Text (one line), Text (multi line), Rich text, Radio button, Pull down, Check box, List box, Number, Date, Time, Select user, Select group, Attachment files, Auto calculation). Not seen (User)';

type Row = readonly [
  dialect: Readonly<Record<string, unknown>>,
  question: string,
  answer: string | RegExp,
  verdict: string,
  application?: ApplicationDefinition,
];

/** Switches of the sandbox (docs/dev/sandbox.md) and applications on which an answer depends. */
const ROWS: readonly Row[] = [
  [{}, 'Equals find a value', ALL_TYPES, 'ok'],
  [{ emptyList: 'error' }, 'empty list', /-110/, 'handled'],
  [{ listRevision: 'always' }, 'carry the revision', /^Yes$/, 'ok'],
  [{ listRevision: 'never' }, 'carry the revision', /^No$/, 'limited'],
  [{ failureStatus: '400' }, 'refusals', /^Yes: refused.*HTTP 400/, 'ok'],
  [{ failureStatus: '500' }, 'refusals', /^No: .*HTTP 500/, 'limited'],
  [{ rowIds: 'none' }, 'rows of table parts', /^No$/, 'limited'],
  [{ rowIds: 'value' }, 'rows of table parts', /^Yes$/, 'ok'],
  [{ equals: 'refused:date' }, 'Equals find a value', /^No: it is refused \(Date\)\. Yes \(/, 'limited'],
  [{ equals: 'misses:number,id' }, 'Equals find', /^No: it does not find.*\(ID, Number\)/, 'limited'],
  [{ equals: 'ignored:radio' }, 'Equals find', /^No: it finds other values.*\(Radio button\)/, 'problem'],
  // Those of several values are asked as `contains`, and checked by the node, as Get Many does.
  [{ equals: 'misses:*' }, 'Equals find', /Yes \(Check box, List box, Select user, Select/, 'limited'],
  [{ equals: 'misses:*' }, 'Equals find', /Yes \(Select user\)/, 'limited', people],
  [{}, 'carry the revision', /^Not asked: there is no record$/, 'unknown', { name: 'A', parts: [TITLE] }],
  [{}, 'keyword find', /^No$/, 'limited', { ...CHECKED, keywordParts: ['Secret Note'] }],
  [{}, 'keyed by', /^Yes: the part identifier$/, 'ok', { ...CHECKED, partIdentifierMode: true }],
  [{}, 'keyed by', /^No$/, 'limited', { name: 'A', parts: [identified], records: [] }],
  [
    ...([{}, 'record ID', /^No$/, 'problem'] as const),
    { name: 'A', partIdentifierMode: true, parts: [identified], records: [{ Title: '1' }] },
  ],
  [
    {},
    'Is the application there',
    /^No: its status is maintenance$/,
    'problem',
    { ...CHECKED, status: 'maintenance' },
  ],
];

const CASES = ROWS.map(([dialect, question, ...told]) => [dialect, question, told] as const);

test.each(CASES)('%j: %s', async (dialect, question, [answer, verdict, application]) => {
  if (application !== undefined) await place.open({ identifier: '', records: [], ...application });
  await place.sandbox.setDialect(dialect);
  const told = answerTo(await checked(), question);
  const words = typeof answer === 'string' ? answer : like(answer);
  expect(told).toMatchObject({ answer: words, verdict });
});

describe('what an answer means is what the nodes do', () => {
  const lines = { recordId: '1', tablePart: 'Secret Lines', row: mapped({ 'Secret Item': 'x' }) };
  const parts = mapped({ 'Secret Lines': [{ 'Secret Item': 'x' }] });
  const replaced = { recordId: '1', parts, options: { tableRowMode: 'replace' } };
  const titled = { parts: mapped({ 'Secret Title': 'Chameleon', 'Secret Place': 'x' }, ['Secret Title']) };
  const updated = (id: string) => [{ id, outcome: 'updated' }];

  test.each<[Readonly<Record<string, unknown>>, string, string, INodeParameters, unknown]>([
    [{ rowIds: 'none' }, 'tableRow', 'add', lines, like('returns no IDs')],
    [{ rowIds: 'none' }, 'record', 'update', replaced, updated('1')],
    [{ listRevision: 'never' }, 'record', 'sync', titled, updated('3')],
    [{ equals: 'ignored:*' }, 'record', 'upsert', titled, updated('3')],
  ])('%j, %s %s', async (dialect, resource, operation, more, expected) => {
    await place.sandbox.setDialect(dialect);
    const result = await place.run(operation, { resource, ...more });
    expect(result.error?.message ?? result.json).toEqual(expected);
  });
});

/** What the nodes handle without any difference for a user. */
const ALIKE = [
  ...['emptyInner', 'singleItem', 'fieldsOmitted', 'permissionsKey', 'dates', 'numbers', 'ids', 'counts'],
  ...['downloadUrl', 'attachmentUrlId', 'downloadContentType', 'contentType'],
];

test.each([0, 1, 2])('other forms change no answer (%d)', async (index) => {
  const before = await checked();
  const switches = Object.entries(await place.sandbox.switches()).filter(([name]) => ALIKE.includes(name));
  const drawn = switches.flatMap(([name, { values = {}, fallback }]) => {
    const others = Object.keys(values).filter((value) => value !== fallback);
    return others.slice(index, index + 1).map((value) => [name, value]);
  });
  expect(drawn.length).toBeGreaterThan(0);
  await place.sandbox.setDialect(Object.fromEntries(drawn) as Record<string, unknown>);
  expect(await checked()).toEqual(before);
});

describe('what cannot be asked', () => {
  test.each([
    ['401', 'No: unauthorized'],
    ['401-empty', 'No: unauthorized, HTTP 401'],
    ['403', 'No: unauthorized'],
    ['403-empty', 'No: unauthorized, HTTP 403'],
    ['login-page', 'No: login page'],
    ['ng', 'No: refused'],
  ])('a wrong key, answered with %s', async (badKey, words) => {
    await place.sandbox.setDialect({ badKey });
    const answers = await checked(place.app.id, place.as({ accessKey: 'wrong-key' }));
    const answer = like(words);
    expect(answerTo(answers, 'access key work')).toMatchObject({ verdict: 'problem', answer });
    const rest = answers.filter(({ verdict }) => verdict !== 'problem').map((each) => each.answer);
    expect(rest).toEqual(Array(19).fill('Not asked: the connection does not work'));
  });

  const IS_THERE = 'Is the application there, and is it running?';
  test.each<[string, string | undefined, Fault[], Record<string, string[] | number>]>([
    [
      'a key that may not list applications checks the one that it names',
      undefined,
      [ng('list_apps', { errorno: -10020 })],
      { limited: ['May the access key list applications?'], ok: 19 },
    ],
    ['an application that does not exist', '99999', [], { problem: [IS_THERE] }],
    ['no application', '', [], { problem: [] }],
  ])('%s', async (_, id, faults, expected) => {
    await place.sandbox.setFaults(faults);
    const answers = await checked(id);
    for (const [verdict, questions] of Object.entries(expected)) {
      const told = questionsWith(answers, verdict);
      expect(typeof questions === 'number' ? told.length : told).toEqual(questions);
    }
    if (id === undefined) return;
    const connection = answers.filter(({ verdict }) => verdict === 'ok').map(({ area }) => area);
    expect(connection).toEqual(Array(3).fill('Connection'));
    const actions = (await place.actions()).filter((action) => !['list_apps', 'get_app'].includes(action));
    expect([actions, answerTo(answers, 'count').verdict]).toEqual([[], 'unknown']);
  });
});

/** Verdicts in order, and nothing in the items and the report that is not public. */
function assertPublic(result: Awaited<ReturnType<typeof check>>): void {
  expect(result.answers).toHaveLength(20);
  const text = `${reportIn(result)}${JSON.stringify(result.answers)}`;
  const { accessKey, baseUrl } = place.sandbox;
  const own = ['topsecret', accessKey, new URL(baseUrl).port, place.app.id, 'nobody', 'Restricted'];
  expect([...SECRETS, ...own].filter((secret) => text.includes(secret))).toEqual([]);
  const order = ['problem', 'limited', 'unknown', 'handled', 'ok'];
  const verdicts = result.answers.map(({ verdict }) => order.indexOf(verdict));
  expect(verdicts).toEqual([...verdicts].sort());
}

test('neither the items nor the report contain a key, an address, a name or a value', async () => {
  const rights = { access: true, add: true, write: 'all', delete: 'all', parts: { 'Secret Place': 'none' } };
  const user = { name: 'Restricted Reader', accessKey: 'topsecret-1060' };
  await place.sandbox.setUser('1060', { ...user, rights: { [place.app.id]: rights } });
  assertPublic(await check(place.engine, place.app.id));
  assertPublic(await check(place.engine, '@secret-of-nobody'));
  const restricted = await check(place.as({ accessKey: user.accessKey }), place.app.id);
  assertPublic(restricted);
  const answer = { answer: 'No', verdict: 'limited' };
  expect(answerTo(restricted.answers, 'values of all parts')).toMatchObject(answer);
});

describe('a service that stops answering', () => {
  const STOPPED = 'Not asked: the service stopped answering';
  /** The check of a service that loses all connections from this action on. */
  const lostFrom = async (action: string): Promise<{ answers: readonly Answered[]; calls: number }> => {
    await checked();
    const skip = (await place.actions()).indexOf(action);
    await place.sandbox.clearLog();
    await place.sandbox.setFaults([{ kind: 'drop', when: 'before', skip }]);
    const answers = await checked();
    return { answers, calls: (await place.actions()).length - skip };
  };

  test('gets no further questions', async () => {
    const { answers, calls } = await lostFrom('count_data');
    expect(answers.filter(({ answer }) => answer === STOPPED).length).toBeGreaterThan(10);
    // What was asked then, and whether it answers anything.
    expect(calls).toBeLessThanOrEqual(2 * 6);
  });

  test('while the application is read: nothing is said about the application', async () => {
    expect(questionsWith((await lostFrom('get_app')).answers, 'problem')).toEqual([]);
  });

  test('to one kind of call: the others are asked', async () => {
    await place.sandbox.setFaults([{ kind: 'drop', when: 'before', action: 'list_data' }]);
    const answers = await checked();
    const told = answers.map(({ answer }) => answer);
    expect([told.includes(STOPPED), told.includes('It could not be asked: lost')]).toEqual([false, true]);
    expect(answerTo(answers, 'count').answer).toBe('Yes');
  });
});

test.each(['list_apps', 'get_app', 'list_data', 'count_data'])(
  'a cancelled execution ends the check, at %s',
  async (action) => {
    const stop = await place.cancelAt({ action });
    const message = 'The execution was cancelled';
    await expect(check(place.engine, place.app.id, {}, stop)).rejects.toMatchObject({ message });
    expect((await place.calls(action)).length).toBeLessThanOrEqual(1);
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
    await checked();
    calls = await place.actions();
  });
  // Every fault at every call would take a minute, so each call has one of them.
  test.each(FAULTS.map((fault, index) => [fault, index] as const))('%j', async (fault, offset) => {
    const failing = async (more: object): Promise<void> => {
      await place.sandbox.setFaults([{ ...fault, ...more }]);
      assertPublic(await check(place.engine, place.app.id));
    };
    for (let skip = offset; skip < calls.length; skip += FAULTS.length) await failing({ skip, times: 1 });
    for (const [index, action] of [...new Set(calls)].entries()) await failing({ action, skip: index % 2 });
    expect(await writes()).toEqual([]);
  });
});
