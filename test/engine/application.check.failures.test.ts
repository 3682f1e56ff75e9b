import { Engine } from '../support/engine';
import { Sandbox, type CreatedApplication } from '../support/sandbox';
import { answerTo, check, CHECKED, questionsWith, reportIn } from './support/checked';

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

async function actions(): Promise<string[]> {
  return (await sandbox.log()).map(({ action }) => action);
}

const other = (more: object): Engine =>
  new Engine({ baseUrl: sandbox.baseUrl, accessKey: 'wrong-key', ...more });

test.each([
  ['401', /HTTP 401/],
  ['401-empty', /HTTP 401/],
  ['403', /HTTP 403/],
  ['403-empty', /HTTP 403/],
  ['login-page', /login page/],
  ['ng', /refused/],
])('a wrong key, answered with %s', async (badKey, words) => {
  await sandbox.setDialect({ badKey });
  const { answers, error } = await check(other({}), app.id);
  expect(error).toBeUndefined();
  expect(answerTo(answers, 'access key work')).toMatchObject({
    verdict: 'problem',
    answer: expect.stringMatching(words) as string,
  });
  expect(questionsWith(answers, 'ok')).toEqual([]);
  expect(answerTo(answers, 'counts written').answer).toBe('Not asked: the connection does not work');
});

test('a key under another header', async () => {
  await sandbox.setDialect({ headerName: 'X-Desknets-Auth' });
  const { answers } = await check(engine, app.id);
  expect(answerTo(answers, 'access key work')).toMatchObject({
    verdict: 'problem',
    answer: 'Not under the header of the credential, but under X-Desknets-Auth',
  });
  const right = {
    baseUrl: sandbox.baseUrl,
    accessKey: sandbox.accessKey,
    authHeaderName: 'X-Desknets-Auth',
  };
  const found = await check(new Engine(right), app.id);
  expect(answerTo(found.answers, 'access key work')).toMatchObject({ verdict: 'ok' });
});

test('a custom header is not in the report', async () => {
  await sandbox.setDialect({ headerName: 'X-Ministry-Of-Silly-Walks' });
  const own = other({ accessKey: sandbox.accessKey, authHeaderName: 'X-Ministry-Of-Silly-Walks' });
  const result = await check(own, app.id);
  expect(answerTo(result.answers, 'access key work')).toMatchObject({ verdict: 'ok' });
  expect(`${reportIn(result)}${JSON.stringify(result.answers)}`).not.toContain('Silly');
});

test('an application that does not exist', async () => {
  const { answers, error } = await check(engine, '99999');
  expect(error).toBeUndefined();
  expect(answerTo(answers, 'Is the application there')).toMatchObject({ verdict: 'problem' });
  expect(answerTo(answers, 'access key work')).toMatchObject({ verdict: 'ok' });
  expect(answerTo(answers, 'counts written')).toMatchObject({ verdict: 'unknown' });
});

test('no application: questions that need one are unknown', async () => {
  const { answers, error } = await check(engine, '');
  expect(error).toBeUndefined();
  expect(questionsWith(answers, 'problem')).toEqual([]);
  const asked = answers.filter(({ verdict }) => verdict !== 'unknown');
  expect(new Set(asked.map(({ area }) => area))).toEqual(new Set(['Connection']));
  expect((await actions()).filter((action) => !['list_apps', 'get_app'].includes(action))).toEqual([]);
});

test('a key that may not list applications checks the one that it names', async () => {
  await sandbox.setFaults([{ kind: 'ng', action: 'list_apps', errorno: -10020, message: 'No right' }]);
  const { answers, error } = await check(engine, app.id);
  expect(error).toBeUndefined();
  expect(answerTo(answers, 'access key work')).toMatchObject({
    verdict: 'limited',
    answer: 'Yes, but it may not list applications',
  });
  expect(answerTo(answers, 'content type do')).toMatchObject({
    answer: 'Not asked: the key may not list applications',
  });
  expect(answerTo(answers, 'Is the application there')).toMatchObject({ verdict: 'ok' });
  expect(answerTo(answers, 'counts written')).toMatchObject({ verdict: 'ok' });
  expect(questionsWith(answers, 'problem')).toEqual([]);
});

test('an application under maintenance', async () => {
  await sandbox.changeApplication(app.id, { status: 'maintenance' });
  const { answers, error } = await check(engine, app.id);
  expect(error).toBeUndefined();
  expect(answerTo(answers, 'Is the application there')).toMatchObject({
    verdict: 'problem',
    answer: expect.stringContaining('maintenance') as string,
  });
});

test('an empty application, and one without IDs in lists', async () => {
  const parts = [{ name: 'Title', type: 'textbox' }];
  const empty = await sandbox.createApplication({ name: 'Empty', parts });
  const first = await check(engine, empty.id);
  expect([first.error, questionsWith(first.answers, 'problem')]).toEqual([undefined, []]);
  await sandbox.setDialect({ emptyList: 'error' });
  const bare = await sandbox.createApplication({
    name: 'Bare',
    partIdentifierMode: true,
    parts: [{ name: 'Title', type: 'textbox', identifier: 'title' }],
    records: [{ Title: 'One' }, { Title: 'Two' }],
  });
  const second = await check(engine, bare.id);
  expect(second.error).toBeUndefined();
  expect(answerTo(second.answers, 'Do lists carry the record ID')).toMatchObject({ verdict: 'problem' });
  expect(await sandbox.records(bare.id)).toHaveLength(2);
});
