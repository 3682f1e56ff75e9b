import {
  ServiceClient,
  type FileContent,
} from '../../../../nodes/ApplicationDataService/service/http/client';
import { ServiceError } from '../../../../nodes/ApplicationDataService/service/http/errors';
import { RETRIES } from '../../../../nodes/ApplicationDataService/service/http/retry';
import {
  ConnectionError,
  type ServiceRequest,
  type ServiceResponse,
} from '../../../../nodes/ApplicationDataService/service/http/transport';

type Reply = ServiceResponse | ConnectionError;

const reply = (status: number, body: unknown, headers: Record<string, string> = {}): ServiceResponse => ({
  status,
  headers,
  body,
});
const ok = reply(200, { status: 'ok', ID: '1' });
const lost = new ConnectionError('ECONNRESET', false);
const refused = new ConnectionError('ECONNREFUSED', true);

/** A client whose transport gives prepared replies, the last one for ever. */
function clientOf(...replies: Reply[]): {
  client: ServiceClient;
  requests: ServiceRequest[];
  waits: number[];
} {
  const requests: ServiceRequest[] = [];
  const waits: number[] = [];
  const client = new ServiceClient({
    base: new URL('https://host.example/dneo/'),
    dataModule: 'appsr.cgi',
    transport: async (request) => {
      const next = replies[Math.min(requests.length, replies.length - 1)]!;
      requests.push(request);
      return next instanceof ConnectionError ? await Promise.reject(next) : await Promise.resolve(next);
    },
    retries: { ...RETRIES, sleep: async (ms) => await Promise.resolve(void waits.push(ms)) },
  });
  return { client, requests, waits };
}

/** A client over a transport that breaks as the request helper does when the body does. */
function clientWith(send: (request: ServiceRequest) => Promise<ServiceResponse>): ServiceClient {
  return new ServiceClient({
    base: new URL('https://host.example/dneo/'),
    dataModule: 'appsr.cgi',
    transport: async (request) => await send(request).catch(() => Promise.reject(lost)),
    retries: { ...RETRIES, sleep: async () => await Promise.resolve() },
  });
}

interface StreamedFile {
  stream(): AsyncIterable<Uint8Array>;
}

async function drain(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of chunks) expect(chunk).toBeInstanceOf(Uint8Array);
}

function file(content: string): FileContent {
  const bytes = new TextEncoder().encode(content);
  return {
    fileName: 'a "1".png',
    type: 'image/png',
    size: bytes.length,
    async *read() {
      yield await Promise.resolve(bytes);
    },
  };
}

async function failureOf(call: Promise<unknown>): Promise<ServiceError> {
  return await call.then(
    () => Promise.reject(new Error('The call succeeded')),
    (error: unknown) => error as ServiceError,
  );
}

describe('a call', () => {
  it('is a form with the action first, and repeats a field that is given twice', async () => {
    const { client, requests } = clientOf(ok);
    await client.call('list_data', [
      ['app_id', '301'],
      ['x', 'ä & b'],
      ['x', '2'],
    ]);
    expect(requests[0]).toMatchObject({ method: 'POST', url: 'https://host.example/dneo/appsr.cgi' });
    expect((requests[0]?.body as URLSearchParams).toString()).toBe(
      'action=list_data&app_id=301&x=%C3%A4+%26+b&x=2',
    );
  });

  it('is multipart when it carries files', async () => {
    const { client, requests } = clientOf(ok);
    await client.call('insert_data', [['app_id', '301']], [{ name: '{{Photo}}', content: file('x') }]);
    const body = requests[0]?.body as FormData;
    expect([...body].map(([name]) => name)).toEqual(['action', 'app_id', '{{Photo}}']);
  });

  it('may take as long as its files need at 2 megabits a second', async () => {
    const { client, requests } = clientOf(ok);
    const gigabyte = { ...file('x'), size: 1e9 };
    await client.call('update_data', [], [{ name: '{{Photo}}', content: gigabyte }]);
    expect(requests[0]?.timeoutMs).toBe(120_000 + 4_000_000);
  });

  it('whose file cannot be read was not done, and is not sent again', async () => {
    const requests: ServiceRequest[] = [];
    const client = clientWith(async (request) => {
      requests.push(request);
      for (const [, part] of request.body as FormData) {
        if (typeof part !== 'string') await drain((part as unknown as StreamedFile).stream());
      }
      throw new Error('not reached');
    });
    const broken = { ...file('x'), size: 2 };
    const failure = await failureOf(client.call('insert_data', [], [{ name: '{{Photo}}', content: broken }]));
    expect([failure.kind, requests.length]).toEqual(['unreadableFile', 1]);
    expect(failure.message).toContain('another length than the 2 bytes');
  });
});

describe('repeating', () => {
  test.each<[string, Reply]>([
    ['a full queue', reply(429, '')],
    ['a gateway', reply(503, '')],
    ['a lost connection', lost],
    ['a refused connection', refused],
    ['a cut answer', reply(200, '{"status":"o')],
  ])('a read is sent again after %s', async (_, first) => {
    const { client, requests } = clientOf(first, first, ok);
    await expect(client.call('get_data')).resolves.toMatchObject({ status: 'ok' });
    expect(requests).toHaveLength(3);
  });

  test.each<[string, Reply]>([
    ['a full queue', reply(429, '')],
    ['a refused connection', refused],
    ['an unknown host', new ConnectionError('ENOTFOUND', true)],
  ])('a write is sent again after %s: it cannot have been done', async (_, first) => {
    const { client, requests } = clientOf(first, ok);
    await expect(client.call('insert_data')).resolves.toMatchObject({ ID: '1' });
    expect(requests).toHaveLength(2);
  });

  test.each<[string, Reply]>([
    ['a lost connection', lost],
    ['a time-out', new ConnectionError('ETIMEDOUT', false)],
    ['a gateway', reply(502, '')],
    ['a failure', reply(500, '')],
    ['a failure shown as a page', reply(500, '<html><h1>Internal error</h1>')],
    ['a login page', reply(200, '<html><input type="password"></html>')],
    ['a cut answer', reply(200, '{"status":"o')],
  ])('a write is never sent again after %s, and its outcome is said to be unknown', async (_, first) => {
    for (const action of ['insert_data', 'update_data', 'delete_data']) {
      const { client, requests } = clientOf(first, ok);
      const failure = await failureOf(client.call(action));
      expect([failure.kind, requests.length]).toEqual(['outcomeUnknown', 1]);
    }
  });

  test.each<[string, Reply, string]>([
    ['a refusal', reply(200, { status: 'ng', errormessage: 'no' }), 'refused'],
    ['a refused key', reply(401, ''), 'unauthorized'],
    ['a wrong path', reply(404, ''), 'wrongAddress'],
    ['a bad certificate', new ConnectionError('DEPTH_ZERO_SELF_SIGNED_CERT', false), 'unreachable'],
  ])('nothing is sent again after %s', async (_, first, kind) => {
    const { client, requests } = clientOf(first, ok);
    expect((await failureOf(client.call('get_data'))).kind).toBe(kind);
    expect(requests).toHaveLength(1);
  });

  it('waits longer each time, outlasts ten seconds, and tells the number of tries', async () => {
    const { client, requests, waits } = clientOf(reply(503, ''));
    const failure = await failureOf(client.call('get_data'));
    expect(failure.message).toMatch(/\(tried 6 times\)$/);
    expect(requests).toHaveLength(6);
    expect([...waits].sort((a, b) => a - b)).toEqual(waits);
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(10_000);
  });

  it('has more patience with a full queue, which many callers fill again together', async () => {
    const { client, requests, waits } = clientOf(reply(429, ''));
    expect((await failureOf(client.call('insert_data'))).message).toMatch(/\(tried 12 times\)$/);
    expect(requests).toHaveLength(12);
    expect(Math.max(...waits)).toBeLessThanOrEqual(8000);
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(30_000);
  });

  it('waits as long as the service asks, unless that is too long', async () => {
    const patient = clientOf(reply(429, '', { 'retry-after': '3' }), ok);
    await patient.client.call('get_data');
    expect(patient.waits).toEqual([3000]);

    const busy = clientOf(reply(503, '', { 'retry-after': '3600' }), ok);
    expect((await failureOf(busy.client.call('get_data'))).kind).toBe('busy');
    expect(busy.waits).toEqual([]);
  });
});

describe('HTTP 403 with words of the service', () => {
  const forbidden = reply(403, { status: 'ng', errorno: -10008, errormessage: 'W:No right' });

  it('is about the key while none of its calls has succeeded', async () => {
    const { client } = clientOf(forbidden);
    const failure = await failureOf(client.call('get_data'));
    expect(failure).toMatchObject({
      kind: 'unauthorized',
      message: 'The service did not accept the access key: No right',
    });
  });

  it('is about the record or the application once the key has worked', async () => {
    const { client } = clientOf(ok, forbidden);
    await client.call('get_app');
    const failure = await failureOf(client.call('get_data'));
    expect(failure).toMatchObject({ kind: 'refused', message: 'The service refused: No right' });
    expect(failure.details).toEqual({ status: 403, errorNumber: -10008 });
  });

  test.each([
    ['without words', reply(403, '')],
    ['HTTP 401', reply(401, { status: 'ng', errormessage: 'W:Expired' })],
  ])('and no other answer: %s', async (_, answer) => {
    const { client } = clientOf(ok, answer);
    await client.call('get_app');
    expect((await failureOf(client.call('get_data'))).kind).toBe('unauthorized');
  });
});

describe('a download', () => {
  it('goes to the own origin, whatever host the address names', async () => {
    const { client, requests } = clientOf(reply(200, 'content'));
    const read = async (response: ServiceResponse) => await Promise.resolve(response.body);
    const url = 'http://evil.example/x/appsuite.cgi?action=download_data_file&id=1';
    await expect(client.download(url, read)).resolves.toBe('content');
    expect(requests[0]).toMatchObject({
      method: 'GET',
      stream: true,
      url: 'https://host.example/dneo/appsuite.cgi?action=download_data_file&id=1',
    });
  });

  it('is asked for again when it is found to be cut off', async () => {
    const { client, requests } = clientOf(reply(200, 'con'), reply(200, 'content'));
    const read = async ({ body }: ServiceResponse) =>
      body === 'content'
        ? await Promise.resolve(body)
        : await Promise.reject(new ServiceError('lost', 'cut off', ''));
    await expect(client.download('a.cgi?id=1', read)).resolves.toBe('content');
    expect(requests).toHaveLength(2);
  });
});
