import { Engine } from '../support/engine';
import { buildProperties } from '../../nodes/ApplicationDataService/operations/registry';
import { Sandbox, type CreatedApplication } from '../support/sandbox';
import { answerTo, check, CHECKED, questionsWith, reportIn, SECRETS } from './support/checked';

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
const WRITES = /^(insert|update|delete)_data$/;

async function actions(): Promise<string[]> {
  return (await sandbox.log()).map(({ action }) => action);
}

describe('a check only reads', () => {
  test('one item for each question, the report with the first one, and nothing is written', async () => {
    const { answers, items, error } = await check(engine, app.id);
    expect(error).toBeUndefined();
    expect(answers.length).toBeGreaterThan(50);
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
    expect(questionsWith(answers, 'problem')).toEqual([]);
    expect(questionsWith(answers, 'handled')).toEqual([]);
    expect(questionsWith(answers, 'limited')).toEqual([
      'Does = find what is there in a part of the type users?',
      'Does = find what is there in a part of the type groups?',
    ]);
    const open = answers.filter(({ verdict }) => verdict === 'unknown');
    // One user has created all records.
    expect(open.map(({ question }) => question)).toEqual(['Can lists be sorted by a part of the type user?']);
  });

  test('the field for the report can be chosen', async () => {
    const { items } = await check(engine, app.id, { binaryPropertyName: 'report' });
    expect(Object.keys(items[0]?.binary ?? {})).toEqual(['report']);
  });

  test('what matters comes first, in the items and in the report, after a total', async () => {
    const result = await check(engine, app.id);
    const { answers, hints } = result;
    const by = (verdict: string): number => answers.filter((each) => each.verdict === verdict).length;
    const order = ['problem', 'limited', 'unknown', 'handled', 'ok'];
    expect(answers.map(({ verdict }) => verdict)).toEqual(
      order.flatMap((each) => Array<string>(by(each)).fill(each)),
    );
    const total = `${answers.length} questions: ${order.map((each) => `${by(each)} ${each}`).join(', ')}`;
    expect(hints.map(({ message }) => message)).toEqual([total]);
    const report = reportIn(result);
    const matter = by('problem') + by('limited') + by('unknown');
    expect(report).toMatch(new RegExp(`^# .*\n\n${total}\\.\n`));
    const [, first = '', ...rest] = report.split(/^## /m);
    expect(first).toMatch(/^What matters\n/);
    expect(first.match(/^\| .* (problem|limited|unknown) \|/gm)).toHaveLength(matter);
    expect(rest.join('')).not.toMatch(/ (problem|limited|unknown) \| /);
  });

  test('it stands last among the operations', () => {
    const operations = buildProperties().find(
      ({ name, displayOptions }) =>
        name === 'operation' && displayOptions?.show?.resource?.includes('application'),
    );
    expect(operations?.options?.map(({ name }) => name)).toEqual(['Get', 'Get Many', 'Check']);
    expect(operations?.default).toBe('get');
  });

  test('the report contains every answer', async () => {
    const result = await check(engine, app.id);
    const report = reportIn(result);
    for (const { question, answer } of result.answers)
      expect(report).toContain(`| ${question} | ${answer} |`);
  });
});

test('numbers below 1000 do not show whether numbers have thousands separators', async () => {
  const parts = [{ name: 'Sum', type: 'number' }];
  const question = 'How is a number written?';
  const asked = async (...sums: readonly string[]) => {
    const records = sums.map((Sum) => ({ Sum }));
    const { id } = await sandbox.createApplication({ name: `Sums ${sums.length}`, parts, records });
    return answerTo((await check(engine, id)).answers, question);
  };
  const unknown = 'As text; no number of 1000 or more was seen';
  expect(await asked('999')).toMatchObject({ answer: unknown, verdict: 'unknown' });
  expect(await asked('999', '1000')).toMatchObject({ answer: 'As text', verdict: 'ok' });
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
    await check(restricted, app.id),
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
  results.push(await check(engine, app.id));
  for (const result of results) {
    expect(result.error).toBeUndefined();
    const text = `${reportIn(result)}${JSON.stringify(result.answers)}`;
    const port = new URL(sandbox.baseUrl).port;
    const secrets = [...SECRETS, 'topsecret', sandbox.accessKey, port, app.id, 'nobody', 'Restricted'];
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  }
  expect(answerTo(results[1]!.answers, 'does not return')).toMatchObject({ verdict: 'limited' });
});
