import type { IDataObject, INodeType, IRequestOptions } from 'n8n-workflow';

import { CREDENTIAL, Engine, type EngineResult } from '../support/engine';
import { OtherServer } from './support/otherServer';
import { connect, nodeOf, pass } from './support/pass';
import { testTable } from './support/table';
import { GOODS_RECORDS, RETRY, type RunSettings, useWorkplace } from './support/workplace';
import { useQuickRetries } from './support/quickRetries';

useQuickRetries();

/** A key that cannot appear anywhere by chance. */
const KEY = 'k3y-THAT-must-stay-secret-4711';

const place = useWorkplace();
let engine: Engine;
let other: OtherServer;

beforeAll(async () => {
  other = await OtherServer.start();
  engine = new Engine({ baseUrl: place.sandbox.baseUrl, accessKey: KEY });
});

afterAll(async () => {
  await other.stop();
});

beforeEach(async () => {
  await place.sandbox.setUser('1001', { accessKey: KEY });
});

/** Everything that a run leaves: errors with their causes and stacks, outputs, hints, and what n8n would store. */
function traces({ run, error, errorItems, hints }: EngineResult): string {
  const causes: unknown[] = [];
  for (let each: unknown = error; each instanceof Error && causes.length < 9; each = each.cause) {
    causes.push({ ...each, message: each.message, stack: each.stack, name: each.name });
  }
  return JSON.stringify({ run, causes, errorItems, hints });
}

const faults = [
  { kind: 'status', status: 401 },
  { kind: 'status', status: 404 },
  { kind: 'status', status: 500, body: `<html>${KEY}</html>` },
  { kind: 'html' },
  { kind: 'drop', when: 'before' },
  { kind: 'drop', when: 'after' },
  { kind: 'cut' },
  { kind: 'cut', how: 'abort' },
  { kind: 'ng', errorno: -200, message: `The key ${KEY} is wrong`, partKey: 'Name' },
  { kind: 'redirect', location: `http://127.0.0.1:9/?access_key=${KEY}` },
] as const;

describe.each(['insert_data', 'update_data', 'delete_data', 'get_data', 'get_app'])(
  'the key, when %s fails',
  (action) => {
    test.each(faults)('with %o, is in no error, output, hint or execution data', async (fault) => {
      await place.sandbox.setFaults([{ ...fault, action, times: 1 }]);
      const operations: Readonly<Record<string, string>> = {
        update_data: 'update',
        delete_data: 'delete',
        get_data: 'get',
      };
      const result = await engine.run(
        place.parameters(operations[action] ?? 'create', {
          recordId: place.record(),
          values: { Name: 'x' },
        }),
        { node: { onError: action === 'get_data' ? 'continueRegularOutput' : 'stopWorkflow' } },
      );
      expect((await place.calls(action)).length).toBeGreaterThan(0);
      expect(traces(result)).not.toContain(KEY);
    });
  },
);

test('the key is in no execution data when its message was replaced', async () => {
  await place.sandbox.setFaults([
    { kind: 'ng', errorno: -200, message: `The key ${KEY} is wrong`, action: 'get_app' },
  ]);
  const unlisted = { application: { __rl: true, mode: 'id', value: '999' } };
  const result = await engine.run(place.parameters('get', { recordId: '1', ...unlisted }));
  expect(result.error?.message).toContain('999');
  expect(traces(result)).not.toContain(KEY);
});

test('a credential that is changed meanwhile is told as such, and nothing is in doubt', async () => {
  const credential = { baseUrl: place.sandbox.baseUrl, accessKey: KEY };
  await place.meanwhile({ action: 'get_app' }, () => void (credential.accessKey = ''));
  const { error } = await new Engine(credential).run(place.parameters('create', { values: { Name: 'x' } }));
  expect(error?.message).toBe('The access key is empty');
  expect(await place.calls('insert_data')).toHaveLength(0);
});

test('the key is in no execution data when the connection is refused', async () => {
  const refused = new Engine({ baseUrl: 'http://127.0.0.1:1/dneo/', accessKey: KEY });
  const result = await refused.run(place.parameters('create', { values: { Name: 'x' } }), {
    cancel: new Promise((resolve) => setTimeout(resolve, 300)),
  });
  expect(traces(result)).not.toContain(KEY);
});

test('the key is sent only in the header: in no address and no form field', async () => {
  await engine.run(place.parameters('create', { values: { Name: 'x' } }), { node: RETRY });
  const [call] = await place.calls('insert_data');
  expect(call?.user).toBe('1001');
  expect(JSON.stringify(call)).not.toContain(KEY);
});

/** What calls an action, where it is not Create. */
const REDIRECTED: Readonly<Record<string, [operation: string, more?: RunSettings]>> = {
  get_data: ['get'],
  delete_data: ['delete'],
  download_data_file: [
    'download',
    { resource: 'attachment', attachmentPart: 'Photo', attachmentIds: '', binaryPropertyName: 'data' },
  ],
};

describe('another origin receives nothing', () => {
  test.each(['get_app', 'insert_data', 'get_data', 'delete_data', 'download_data_file'])(
    'when %s is redirected to it',
    async (action) => {
      await place.change({ Photo: [{ name: 'a.txt', text: 'content' }] });
      await place.sandbox.setFaults([{ kind: 'redirect', location: `${other.origin}/appsr.cgi`, action }]);
      const [operation, more = {}] = REDIRECTED[action] ?? ['create'];
      const { error } = await engine.run(
        place.parameters(operation, { recordId: place.record(), values: { Name: 'x' }, ...more }),
      );
      expect(error?.message).toMatch(/redirects to another address \(HTTP 302\)/);
      expect(error?.description).toContain(other.origin);
      expect(other.seen).toEqual([]);
    },
  );

  test.each([301, 308])('with the status %i', async (status) => {
    await place.sandbox.setFaults([
      { kind: 'redirect', status, location: other.origin, action: 'insert_data' },
    ]);
    const { error } = await engine.run(place.parameters('create', { values: { Name: 'x' } }));
    expect(error?.message).toContain(`(HTTP ${status})`);
    expect(other.seen).toEqual([]);
  });
});

describe('a key that has much in common with names and addresses', () => {
  /** `download` and `appsuite` stand in every address of a file, `Engineering` is a group of the sandbox. */
  const COMMON = 'download-appsuite-Engineering';

  beforeEach(async () => {
    await place.open({
      records: [{ Name: 'Engineering', Photo: [{ name: 'download.txt', text: 'content' }] }],
    });
    await place.sandbox.setUser('1001', { accessKey: COMMON });
  });

  const run = async (operation: string, more: RunSettings): Promise<EngineResult> =>
    await new Engine({ baseUrl: place.sandbox.baseUrl, accessKey: COMMON }).run(
      place.parameters(operation, more),
    );

  test('files are downloaded, and texts, names and addresses are output as they are', async () => {
    const { json, items } = await run('get', {
      recordId: place.record(),
      options: { downloadAttachments: true },
    });
    const address = expect.stringContaining('appsuite.cgi?action=download_data_file&') as string;
    expect(json[0]).toMatchObject({ Name: 'Engineering', Photo: [{ name: 'download.txt', url: address }] });
    expect(Buffer.from(items[0]?.binary?.attachment_0?.data ?? '', 'base64').toString()).toBe('content');
  });

  test('a message that holds pieces of it stays readable, and the whole key is masked', async () => {
    await place.sandbox.setFaults([
      { kind: 'ng', errorno: -9, message: `No download for ${COMMON}, Engineering`, action: 'get_data' },
    ]);
    const { error } = await run('get', { recordId: place.record() });
    expect(error?.message).toBe('The service refused: No download for ***, Engineering [W9]');
  });
});

describe("n8n's HTTP Request node with this credential", () => {
  /** Calls the service as that node does. */
  const caller = (more: IDataObject): INodeType => ({
    description: {
      ...pass.description,
      name: 'caller',
      credentials: [{ name: 'applicationDataServiceApi' }],
    },
    async execute() {
      const options: IRequestOptions = {
        method: 'POST',
        uri: `${place.sandbox.baseUrl}/appsr.cgi`,
        form: { action: 'list_apps' },
      };
      const json = (await this.helpers.requestWithAuthentication.call(this, 'applicationDataServiceApi', {
        ...options,
        ...more,
        json: true,
      })) as IDataObject;
      return [[{ json }]];
    },
  });

  test.each<[string, () => IDataObject]>([
    ['a proxy', () => ({ proxy: other.origin })],
    ['a socket of its own', () => ({ agentOptions: { port: Number(new URL(other.origin).port) } })],
  ])('does not lead the key through %s', async (_, more) => {
    const caught = new Engine(
      { baseUrl: place.sandbox.baseUrl, accessKey: KEY },
      { 'test.caller': caller(more()) },
    );
    const { json, error } = await caught.runNodes(
      [nodeOf('Caller', { type: 'test.caller', credentials: CREDENTIAL })],
      connect({ Start: ['Caller'] }),
      'Caller',
    );
    expect([error, json[0]?.status]).toEqual([undefined, 'ok']);
    expect(other.seen).toEqual([]);
  });
});

describe('a password of the web server in front', () => {
  const PASSWORD = 'w3b-server-s3cret';
  const BASIC = Buffer.from(`n8n:${PASSWORD}`).toString('base64');

  test.each([PASSWORD, BASIC, encodeURIComponent(BASIC)])('is in no error: %s', async (echo) => {
    await place.sandbox.setDialect({ basicAuth: `n8n:${PASSWORD}` });
    await place.sandbox.setFaults([
      { kind: 'ng', errorno: -1, message: `Who is ${echo}?`, action: 'insert_data' },
    ]);
    const basic = new Engine({
      baseUrl: place.sandbox.baseUrl,
      accessKey: KEY,
      basicUser: 'n8n',
      basicPassword: PASSWORD,
    });
    const result = await basic.run(place.parameters('create', { values: { Name: 'x' } }));
    expect(result.error?.message).toMatch(/Who is \*\*\*/);
    expect(traces(result)).not.toContain(echo);
  });
});

const EVIL = 'x&action=delete_data&data_id=1\r\nX: y';

describe('what an item holds is only a value', () => {
  testTable(place, { operation: 'create' }, [
    {
      name: 'a text adds no form field and names no other action',
      run: { values: { Name: '={{ $json.n }}' } },
      items: [{ n: EVIL }],
      stored: [...GOODS_RECORDS.map(({ Name }) => ({ Name })), { Name: EVIL }],
      sent: { delete_data: 0 },
    },
    {
      name: 'a key that would reach into an object is no part',
      run: { values: null },
      items: [JSON.parse('{"Name": "x", "__proto__": {"polluted": 1}, "constructor": 1}') as IDataObject],
      error: 'There are no parts "__proto__", "constructor"',
      sent: { insert_data: 0 },
      after: () => {
        expect(({} as { polluted?: number }).polluted).toBeUndefined();
      },
    },
  ]);
});
