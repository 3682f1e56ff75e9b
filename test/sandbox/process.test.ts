import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Sandbox } from '../support/sandbox';
import { matching } from './support/matchers';
import { fields, file, filter, inner, ServiceClient } from './support/serviceCall';

const main = join(__dirname, '..', '..', 'sandbox', 'main.ts');

/** Starting, ending, keeping data (docs/dev/sandbox.md). */
describe('The sandbox as a process', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('prints exactly one line of JSON with --json, and ends when its input closes', async () => {
    const child = spawn(process.execPath, [main, '--port', '0', '--json', '--exit-with-parent']);
    let output = '';
    child.stdout.on('data', (piece: Buffer) => {
      output += String(piece);
      child.stdin.end();
    });
    const code = await new Promise((resolve) => child.once('exit', resolve));
    expect(code).toBe(0);
    expect(output.trimEnd().split('\n')).toHaveLength(1);
    expect(JSON.parse(output)).toEqual({
      baseUrl: matching(/^http:\/\/127\.0\.0\.1:\d+\/cgi-bin\/dneo$/),
      accessKey: 'sandbox-access-key',
      controlUrl: matching(/^http:\/\/127\.0\.0\.1:\d+\/control$/),
    });
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('ends cleanly on %s, with a call in progress', async (signal) => {
    const child = spawn(process.execPath, [main, '--port', '0']);
    const ready = await new Promise<string>((resolve) =>
      child.stdout.once('data', (piece) => resolve(String(piece))),
    );
    const baseUrl = /http:\S+dneo/.exec(ready)?.[0] ?? '';
    const controlUrl = /http:\S+control/.exec(ready)?.[0] ?? '';
    const faults = JSON.stringify([{ kind: 'latency', where: 'work', ms: 60_000 }]);
    await fetch(`${controlUrl}/faults`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: faults,
    });
    const call = fetch(`${baseUrl}/appsr.cgi?action=list_apps&access_key=sandbox-access-key`).catch(
      () => 'broken',
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    child.kill(signal);
    expect(await new Promise((resolve) => child.once('exit', (code) => resolve(code)))).toBe(0);
    expect(await call).toBe('broken');
  });

  it('explains itself', () => {
    const { stdout, status } = spawnSync(process.execPath, [main, '--help'], { encoding: 'utf8' });
    expect(status).toBe(0);
    for (const word of ['--port', '--data', '--records', 'emptyList', 'overloadMs', 'latency', '/control']) {
      expect(stdout).toContain(word);
    }
  });

  it.each([
    [['--port', 'x'], '--port'],
    [['--port', ''], '--port'],
    [['--records', '-1'], '--records'],
    [['--nonsense'], 'nonsense'],
    [['--dialect', 'emptyList=odd'], 'emptyList'],
    [['--dialect', 'emptyList'], 'NAME=VALUE'],
    [['--data', '/nowhere/at/all.sqlite'], '/nowhere/at/all.sqlite'],
  ])('refuses %j in a sentence, without a stack', (args, named) => {
    const { stderr, status } = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toContain(named);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('says that its port is in use', async () => {
    const first = await Sandbox.start();
    const { port } = new URL(first.baseUrl);
    const { stderr, status } = spawnSync(process.execPath, [main, '--port', port], { encoding: 'utf8' });
    await first.stop();
    expect(status).toBe(1);
    expect(stderr).toContain(port);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('keeps its data in a file after a clean end', async () => {
    const data = join(folder, 'office.sqlite');
    const first = await ServiceClient.start({ data });
    await first.insert('301', { '{{Company}}': 'Kept', '{{Documents}}': file('k.txt', 'kept') });
    await first.sandbox.stop();
    const second = await ServiceClient.start({ data });
    const [item] = await second.list('list_data', { app_id: '301', keyword: 'Kept' });
    const [attached] = inner(item?.Documents, 'attach');
    const body = await fetch(String(attached?.url), { headers: { 'X-Service-Auth': second.accessKey } });
    expect(await body.text()).toBe('kept');
    await second.sandbox.stop();
  });

  it('after a kill during a write, it has every answered write and no half-done one', async () => {
    const data = join(folder, 'killed.sqlite');
    const client = await ServiceClient.start({ data });
    const answered: string[] = [];
    let running = true;
    const writer = async (name: string) => {
      for (let at = 0; running; at++) {
        const lines = JSON.stringify([{ Item: `${name}-${at}`, Quantity: at }]);
        const sent = {
          '{{Order No}}': `${name}-${at}`,
          '{{Lines}}': lines,
          '{{Attachments}}': file('a.txt', `${at}`),
        };
        const id = await client.insert('302', sent).catch(() => undefined);
        if (id !== undefined) answered.push(`${name}-${at}`);
      }
    };
    const writers = [writer('a'), writer('b'), writer('c')];
    while (answered.length < 150) await new Promise((resolve) => setTimeout(resolve, 5));
    await client.sandbox.kill();
    running = false;
    await Promise.all(writers);

    const restarted = await ServiceClient.start({ data });
    const stored = (await restarted.sandbox.records('302')).map(({ values }) => values);
    const numbers = new Set(stored.map((values) => values['Order No']));
    expect(answered.filter((number) => !numbers.has(number))).toEqual([]);
    for (const values of stored.filter((one) => /^[abc]-/.test(String(one['Order No'])))) {
      expect(values.Lines).toMatchObject([{ Item: values['Order No'] }]);
      expect(values.Attachments).toHaveLength(1);
    }
    expect((await restarted.call('insert_data', { app_id: '302', '{{Order No}}': 'after' })).status).toBe(
      'ok',
    );
    await restarted.sandbox.stop();
  });
});

/** More than two pages. */
const RECORDS = 12_000;

/** `--records` (docs/dev/sandbox.md, "Large applications"). */
describe('A large application', () => {
  let client: ServiceClient;
  beforeAll(async () => {
    client = await ServiceClient.start({ records: RECORDS });
  });
  afterAll(() => client.sandbox.stop());

  it('has twenty parts besides the system parts, and the same records every time', async () => {
    const { fields: found } = await client.ok('get_app', { app_id: '@large' });
    expect(found?.item.filter(({ system }) => system === 'off')).toHaveLength(20);
    const other = await ServiceClient.start({ records: RECORDS });
    const page = { app_id: '@large', offset: '11990' };
    expect(await other.list('list_data', page)).toEqual(await client.list('list_data', page));
    await other.sandbox.stop();
  });

  it('returns pages at any offset, also after records were deleted', async () => {
    const ids = (offset: number, ...names: string[]) =>
      client.column('@large', 'ID', { offset: String(offset), limit: '3', fields: fields('ID', ...names) });
    expect(await ids(8_000)).toEqual(['8001', '8002', '8003']);
    await client.ok('delete_data', { app_id: '@large', data_id: '5,8002,12000,40000' });
    expect(await ids(8_000)).toEqual(['8003', '8004', '8005']);
    expect(await ids(8_000, 'Title')).toEqual(['8003', '8004', '8005']);
    expect(await ids(11_996)).toEqual(['11999']);
    expect((await client.ok('count_data', { app_id: '@large' })).allcnt).toBe('11997');
  });

  it('filters and sorts as if it read every record', async () => {
    const { parts } = await client.sandbox.changeApplication('large', {});
    const all = await client.sandbox.records('large', { limit: RECORDS });
    const ids = (test: (values: Readonly<Record<string, unknown>>) => boolean) =>
      all.filter(({ values }) => test(values)).map(({ id }) => id);
    const find = async (part: string, operator: string, value: string) =>
      client.column('@large', 'ID', {
        filter: filter({ field_id: parts[part], operator, value }),
        fields: fields('ID'),
      });
    expect(await find('Number', '=', 'N-00010345')).toEqual(['10345']);
    expect(await find('City', '=', '仙台')).toEqual(ids(({ City }) => City === '仙台').slice(0, 5000));
    expect(await find('Amount', '>=', '9990')).toEqual(ids(({ Amount }) => Number(Amount) >= 9990));
    expect(await find('Marks', '=', 'Urgent\tExport')).toEqual(
      ids(({ Marks }) => JSON.stringify(Marks) === '["Urgent","Export"]').slice(0, 5000),
    );
    const byAmount = {
      sort_field_id: parts.Amount ?? '',
      sort_order: 'desc',
      limit: '50',
      fields: fields('ID', 'Amount'),
    };
    const sorted = (await client.column('@large', 'Amount', byAmount)).map(Number);
    const expected = all.map(({ values }) => Number(values.Amount)).sort((one, other) => other - one);
    expect(sorted).toEqual(expected.slice(0, 50));
    const newest = { sort_field_id: '4', sort_order: 'desc', limit: '2', fields: fields('ID') };
    expect(await client.column('@large', 'ID', newest)).toEqual(['11981', '11982']);
  });
});
