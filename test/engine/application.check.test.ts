import { Engine } from '../support/engine';
import { Sandbox, type CreatedApplication } from '../support/sandbox';
import { answerTo, check, CHECKED, questionsWith, reportIn, SECRETS, wrongWrites } from './support/checked';

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

const VERDICTS = ['ok', 'handled', 'limited', 'problem', 'unknown'];
const TEXTS = [
  { name: 'Title', type: 'textbox' },
  { name: 'Place', type: 'textbox' },
];
const WRITES = /^(insert|update|delete)_data$/;

async function actions(): Promise<string[]> {
  return (await sandbox.log()).map(({ action }) => action);
}

describe('without a write test', () => {
  test('one item for each question, the report with the first one, and nothing is written', async () => {
    const { answers, items, error } = await check(engine, app.id);
    expect(error).toBeUndefined();
    expect(answers.length).toBeGreaterThan(60);
    for (const answer of answers) {
      expect(Object.keys(answer)).toEqual(['area', 'question', 'answer', 'verdict', 'consequence']);
      expect(VERDICTS).toContain(answer.verdict);
      expect(Object.values(answer).filter((text) => text === '')).toEqual([]);
    }
    expect(new Set(answers.map(({ question }) => question)).size).toBe(answers.length);
    expect(items.map(({ binary }) => Object.keys(binary ?? {}).length)).toEqual([
      1,
      ...items.slice(1).map(() => 0),
    ]);
    expect(items[0]?.binary?.data).toMatchObject({ fileName: 'report.md', mimeType: 'text/markdown' });
    expect((await actions()).filter((action) => WRITES.test(action))).toEqual([]);
  });

  test('the field for the report can be chosen', async () => {
    const { items } = await check(engine, app.id, { binaryPropertyName: 'report' });
    expect(Object.keys(items[0]?.binary ?? {})).toEqual(['report']);
  });

  test('the report contains every answer', async () => {
    const result = await check(engine, app.id);
    const report = reportIn(result);
    for (const { question, answer } of result.answers)
      expect(report).toContain(`| ${question} | ${answer} |`);
  });
});

describe('with a write test', () => {
  test('writes and removes only its own records, at most three, without automatic processing', async () => {
    const before = await sandbox.records(app.id);
    const { answers, error } = await check(engine, app.id, { writeTest: true });
    expect(error).toBeUndefined();
    expect(await wrongWrites(sandbox)).toEqual([]);
    expect((await actions()).filter((action) => action === 'insert_data')).toHaveLength(3);
    expect(await sandbox.records(app.id)).toEqual(before);
    expect(answerTo(answers, 'leave a record behind')).toMatchObject({ verdict: 'ok', answer: 'No' });
    expect(questionsWith(answers, 'problem')).toEqual([]);
    const open = answers.filter(({ verdict, area }) => verdict === 'unknown' && area !== 'Not asked');
    // A wrong key is not tried, and one user has created all records.
    expect(open.map(({ question }) => question)).toEqual([
      'How is a wrong access key answered?',
      'Can lists be sorted by a part of the type user?',
    ]);
  });

  test('finds an application whose required parts are texts', async () => {
    const parts = [...TEXTS, { name: 'Needed', type: 'textbox', required: true }];
    const own = await sandbox.createApplication({ name: 'Needing', parts });
    const { answers } = await check(engine, own.id, { writeTest: true });
    expect(answerTo(answers, 'ID of a new record')).toMatchObject({ verdict: 'ok' });
    expect(await sandbox.records(own.id)).toEqual([]);
  });

  test('says so if records cannot be added', async () => {
    const parts = [...TEXTS, { name: 'Needed', type: 'number', required: true }];
    const own = await sandbox.createApplication({ name: 'Needing', parts });
    const { answers, error } = await check(engine, own.id, { writeTest: true });
    expect(error).toBeUndefined();
    expect(answerTo(answers, 'ID of a new record')).toMatchObject({ verdict: 'unknown' });
    expect(answerTo(answers, 'under the revision 0')).toMatchObject({
      verdict: 'unknown',
      answer: 'Not asked: no record could be added',
    });
  });

  test('writes nothing if no part can contain a mark', async () => {
    const own = await sandbox.createApplication({
      name: 'Textless',
      parts: [{ name: 'Sum', type: 'number' }],
    });
    const { answers } = await check(engine, own.id, { writeTest: true });
    expect((await actions()).filter((action) => WRITES.test(action))).toEqual([]);
    expect(answerTo(answers, 'ID of a new record')).toMatchObject({
      verdict: 'unknown',
      answer: 'Not asked: no part of the application can hold a mark',
    });
  });

  test('writes nothing if the key mode is unknown', async () => {
    const own = await sandbox.createApplication({ ...CHECKED, identifier: 'empty', records: [] });
    const { answers } = await check(engine, own.id, { writeTest: true });
    expect((await actions()).filter((action) => WRITES.test(action))).toEqual([]);
    expect(answerTo(answers, 'keyed by')).toMatchObject({ verdict: 'limited' });
  });

  test('finds and removes a record whose answer was lost', async () => {
    await sandbox.setFaults([{ kind: 'drop', when: 'after', action: 'insert_data', times: 1 }]);
    const { answers } = await check(engine, app.id, { writeTest: true });
    expect(answerTo(answers, 'ID of a new record')).toMatchObject({ verdict: 'limited' });
    expect(await sandbox.records(app.id)).toHaveLength(3);
    expect(answerTo(answers, 'leave a record behind')).toMatchObject({ verdict: 'ok' });
  });

  test('names the IDs of records that it could not remove', async () => {
    await sandbox.setFaults([{ kind: 'ng', action: 'delete_data', errorno: -10060, message: 'locked' }]);
    const { answers, error } = await check(engine, app.id, { writeTest: true });
    expect(error).toBeUndefined();
    const left = (await sandbox.records(app.id)).slice(3).map(({ id }) => id);
    expect(left).toHaveLength(3);
    const answer = answerTo(answers, 'leave a record behind');
    expect(answer).toMatchObject({
      verdict: 'problem',
      answer: `It could not remove these records: ${left.join(', ')}`,
    });
  });

  test('tries again to remove records that it could not remove at first', async () => {
    await sandbox.setFaults([
      { kind: 'ng', action: 'delete_data', errorno: -10060, message: 'locked', times: 4 },
    ]);
    const { answers } = await check(engine, app.id, { writeTest: true });
    expect(await sandbox.records(app.id)).toHaveLength(3);
    expect(answerTo(answers, 'leave a record behind')).toMatchObject({ verdict: 'ok' });
  });
});

test('neither the items nor the report contain a key, an address, a name or a value', async () => {
  const rights = { access: true, add: true, write: 'all', delete: 'all', parts: { 'Secret Place': 'none' } };
  await sandbox.setUser('1060', {
    name: 'Restricted Reader',
    accessKey: 'topsecret-1060',
    rights: { [app.id]: rights },
  });
  const restricted = new Engine({ baseUrl: sandbox.baseUrl, accessKey: 'topsecret-1060' });
  const results = [
    await check(engine, app.id),
    await check(engine, app.id, { writeTest: true }),
    await check(restricted, app.id, { writeTest: true }),
    await check(engine, '@secret-of-nobody'),
  ];
  await sandbox.setFaults([
    {
      kind: 'ng',
      action: 'list_data',
      errorno: -1,
      message: 'Secret Title of Aardvark',
      partKey: 'Secret Title',
    },
  ]);
  results.push(await check(engine, app.id, { writeTest: true }));
  for (const result of results) {
    expect(result.error).toBeUndefined();
    const text = `${reportIn(result)}${JSON.stringify(result.answers)}`;
    const port = new URL(sandbox.baseUrl).port;
    const secrets = [...SECRETS, 'topsecret', sandbox.accessKey, port, app.id, 'nobody', 'Restricted'];
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  }
  expect(answerTo(results[2]!.answers, 'does not return')).toMatchObject({ verdict: 'limited' });
});

test('the time zone of the service is compared with that of the workflow', async () => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const here = await check(engine, app.id, { writeTest: true }, { timezone: zone });
  expect(answerTo(here.answers, 'time zone')).toMatchObject({ verdict: 'ok' });
  const elsewhere = await check(engine, app.id, { writeTest: true }, { timezone: 'Asia/Kathmandu' });
  expect(answerTo(elsewhere.answers, 'time zone')).toMatchObject({ verdict: 'limited' });
});
