import type { IDataObject, INodeType, IRequestOptions } from 'n8n-workflow';

import { CREDENTIAL, Engine, type EngineResult } from '../support/engine';
import { like } from './support/like';
import { OtherServer } from './support/otherServer';
import { connect, nodeOf, pass } from './support/pass';
import { useQuickRetries } from './support/quickRetries';
import { byId } from './support/saved';
import { CONTINUE, each, ng, testTable, type Row, type Rows } from './support/table';
import { GOODS_RECORDS, RETRY, type RunSettings, useWorkplace } from './support/workplace';

useQuickRetries();

/** A key that cannot appear anywhere by chance. */
const KEY = 'k3y-THAT-must-stay-secret-4711';

const place = useWorkplace(null);
let other: OtherServer;

beforeAll(async () => void (other = await OtherServer.start()));
afterAll(async () => await other.stop());

const withKey = async (accessKey = KEY): Promise<unknown> =>
  await place.sandbox.setUser('1001', { accessKey });
const create = { operation: 'create', values: { Name: 'x' } };
const file = { resource: 'attachment', attachmentPart: 'Photo', attachmentIds: '' };
/** Cases with the key in the credential. */
const secretly = (rows: Rows): void =>
  testTable(place, { recordId: '1', ...create }, rows, {
    credential: { accessKey: KEY },
    before: async () => await withKey(),
  });

/** Everything that a run leaves: errors with their causes and stacks, outputs, hints, and what n8n would store. */
function traces({ run, error, errorItems, hints }: EngineResult): string {
  const causes: unknown[] = [];
  for (let each: unknown = error; each instanceof Error && causes.length < 9; each = each.cause) {
    causes.push({ ...each, message: each.message, stack: each.stack, name: each.name });
  }
  return JSON.stringify({ run, causes, errorItems, hints });
}

const without =
  (secret: string): NonNullable<Row['after']> =>
  (_, result) =>
    expect(traces(result)).not.toContain(secret);

const faults = [
  ...[401, 404].map((status) => ({ kind: 'status', status }) as const),
  { kind: 'status', status: 500, body: `<html>${KEY}</html>` },
  ...(['before', 'after'] as const).map((when) => ({ kind: 'drop', when }) as const),
  ...[{ kind: 'html' } as const, { kind: 'cut' } as const, { kind: 'cut', how: 'abort' } as const],
  { kind: 'ng', errorno: -200, message: `The key ${KEY} is wrong`, partKey: 'Name' },
  { kind: 'redirect', location: `http://127.0.0.1:9/?access_key=${KEY}` },
] as const;
const CALLERS: Readonly<Record<string, RunSettings>> = {
  ...{ insert_data: create, get_app: create, update_data: { operation: 'update', values: { Name: 'x' } } },
  ...{ delete_data: { operation: 'delete' }, get_data: { operation: 'get' } },
};

describe.each(Object.keys(CALLERS))('the key, when %s fails', (action) => {
  test.each(faults)('with %o, is in no error, output, hint or execution data', async (fault) => {
    await place.open();
    await withKey();
    await place.sandbox.setFaults([{ ...fault, action, times: 1 }]);
    const parameters = place.parameters(String(CALLERS[action]?.operation), {
      ...{ recordId: '1', ...CALLERS[action] },
    });
    const node = action === 'get_data' ? CONTINUE : {};
    const result = await place.as({ accessKey: KEY }).run(parameters, { node });
    expect((await place.calls(action)).length).toBeGreaterThan(0);
    expect(traces(result)).not.toContain(KEY);
  });
});

describe('the key', () => {
  secretly({
    'is in no execution data when its message was replaced': {
      run: { operation: 'get', application: byId('999') },
      faults: [ng('get_app', { errorno: -200, message: `The key ${KEY} is wrong` })],
      ...{ error: '999', after: without(KEY) },
    },
    'is in no execution data when the connection is refused': {
      credential: { baseUrl: 'http://127.0.0.1:1/dneo/', accessKey: KEY },
      engine: { cancel: new Promise((resolve) => setTimeout(resolve, 300)) },
      ...{ error: /./, after: without(KEY) },
    },
    'is sent only in the header: in no address and no form field': {
      node: RETRY,
      after: async () => {
        const [call] = await place.calls('insert_data');
        expect(call?.user).toBe('1001');
        expect(JSON.stringify(call)).not.toContain(KEY);
      },
    },
  });

  test('that is changed meanwhile is told as such, and nothing is in doubt', async () => {
    await place.open();
    await withKey();
    const credential = { baseUrl: place.sandbox.baseUrl, accessKey: KEY };
    await place.meanwhile({ action: 'get_app' }, () => void (credential.accessKey = ''));
    const { error } = await new Engine(credential).run(place.parameters('create', create));
    expect(error?.message).toBe('The access key is empty');
    expect(await place.calls('insert_data')).toHaveLength(0);
  });
});

describe('another origin receives nothing', () => {
  const runs = { ...CALLERS, download_data_file: { ...file, operation: 'download' } };
  const nothing = () => expect(other.seen).toEqual([]);
  test.each([...Object.keys(runs), '301', '308'])('when a call is redirected to it: %s', async (what) => {
    await place.open({ records: [{ Name: 'Bolt', Photo: [{ name: 'a.txt', text: 'content' }] }] });
    await withKey();
    const status = Number(what) || 302;
    const action = status === 302 ? what : 'insert_data';
    const location = status === 302 ? `${other.origin}/appsr.cgi` : other.origin;
    await place.sandbox.setFaults([{ kind: 'redirect', status, location, action }]);
    const run: RunSettings = runs[action as keyof typeof runs];
    const parameters = place.parameters(String(run.operation), { recordId: '1', ...run });
    const { error } = await place.as({ accessKey: KEY }).run(parameters);
    expect(error?.message).toContain(`redirects to another address (HTTP ${status})`);
    expect(error?.description).toContain(other.origin);
    nothing();
  });

  /** Calls the service as n8n's HTTP Request node does. */
  const caller = (more: IDataObject): INodeType => ({
    description: {
      ...{ ...pass.description, name: 'caller', credentials: [{ name: 'applicationDataServiceApi' }] },
    },
    async execute() {
      const uri = `${place.sandbox.baseUrl}/appsr.cgi`;
      const options: IRequestOptions = { method: 'POST', uri, form: { action: 'list_apps' } };
      const asked = { ...options, ...more, json: true };
      const { requestWithAuthentication: request } = this.helpers;
      return [[{ json: (await request.call(this, 'applicationDataServiceApi', asked)) as IDataObject }]];
    },
  });

  test.each<[string, () => IDataObject]>([
    ['a proxy', () => ({ proxy: other.origin })],
    ['a socket of its own', () => ({ agentOptions: { port: Number(new URL(other.origin).port) } })],
  ])("through %s of n8n's HTTP Request node with this credential", async (_, more) => {
    await place.open();
    const { baseUrl, accessKey } = place.sandbox;
    const caught = new Engine({ baseUrl, accessKey }, { 'test.caller': caller(more()) });
    const node = nodeOf('Caller', { type: 'test.caller', credentials: CREDENTIAL });
    const { json, error } = await caught.runNodes([node], connect({ Start: ['Caller'] }), 'Caller');
    expect([error, json[0]?.status]).toEqual([undefined, 'ok']);
    nothing();
  });
});

describe('a key that has much in common with names and addresses', () => {
  /** `download` and `appsuite` stand in every address of a file, `Engineering` is a group of the sandbox. */
  const COMMON = 'download-appsuite-Engineering';
  const Photo = [{ name: 'download.txt', text: 'content' }];
  testTable(
    place,
    { operation: 'get', recordId: '1' },
    {
      'files are downloaded, and texts, names and addresses are output as they are': {
        run: { options: { downloadAttachments: true } },
        after: (_, { json, items }) => {
          const url = like('appsuite.cgi?action=download_data_file&');
          expect(json[0]).toMatchObject({ Name: 'Engineering', Photo: [{ name: 'download.txt', url }] });
          const content = Buffer.from(items[0]?.binary?.attachment_0?.data ?? '', 'base64');
          expect(content.toString()).toBe('content');
        },
      },
      'a message that holds pieces of it stays readable, and the whole key is masked': {
        faults: [ng('get_data', { errorno: -9, message: `No download for ${COMMON}, Engineering` })],
        error: /^The service refused: No download for \*\*\*, Engineering \[W9\]$/,
      },
    },
    {
      ...{ application: { records: [{ Name: 'Engineering', Photo }] }, credential: { accessKey: COMMON } },
      before: async () => await withKey(COMMON),
    },
  );
});

describe('a password of the web server in front', () => {
  const PASSWORD = 'w3b-server-s3cret!';
  const BASIC = Buffer.from(`n8n:${PASSWORD}`).toString('base64');
  secretly(
    each([PASSWORD, BASIC, encodeURIComponent(BASIC)])('is in no error: %s', (echo) => ({
      ...{ dialect: { basicAuth: `n8n:${PASSWORD}` } },
      credential: { accessKey: KEY, basicUser: 'n8n', basicPassword: PASSWORD },
      faults: [ng('insert_data', { message: `Who is ${echo}?` })],
      ...{ error: /Who is \*\*\*/, after: without(echo) },
    })),
  );
});

const EVIL = 'x&action=delete_data&data_id=1\r\nX: y';

describe('what an item holds is only a value', () => {
  testTable(place, 'create', {
    'a text adds no form field and names no other action': {
      ...{ run: { values: { Name: '={{ $json.n }}' } }, items: [{ n: EVIL }], sent: { delete_data: 0 } },
      stored: [...GOODS_RECORDS.map(({ Name }) => ({ Name })), { Name: EVIL }],
    },
    'a key that would reach into an object is no part': {
      run: { values: null },
      items: [JSON.parse('{"Name": "x", "__proto__": {"polluted": 1}, "constructor": 1}') as IDataObject],
      ...{ error: 'There are no parts "__proto__", "constructor"', sent: { insert_data: 0 } },
      after: () => expect(({} as { polluted?: number }).polluted).toBeUndefined(),
    },
  });
});
