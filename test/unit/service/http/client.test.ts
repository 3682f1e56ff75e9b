import { Readable } from 'node:stream';

import {
  ServiceClient,
  type StreamedResponse,
} from '../../../../nodes/ApplicationDataService/service/http/client';
import { readBody } from '../../../../nodes/ApplicationDataService/service/http/byteStream';
import { ServiceError } from '../../../../nodes/ApplicationDataService/service/http/errors';
import { Limiters } from '../../../../nodes/ApplicationDataService/service/http/limiter';
import { RETRIES } from '../../../../nodes/ApplicationDataService/service/http/retry';
import type {
  ServiceRequest,
  ServiceResponse,
} from '../../../../nodes/ApplicationDataService/service/http/transport';
import { HurriedClock } from '../../../support/fakeClock';
import { clientOf, failureOf, lost, ok, reply } from '../support/preparedClient';
import type { FileContent } from '../../../../nodes/ApplicationDataService/service/http/multipart';

/** A client with a transport that fails as the request helper does if the body fails. */
function clientWith(
  send: (request: ServiceRequest) => Promise<ServiceResponse>,
  signal?: AbortSignal,
): ServiceClient {
  return new ServiceClient({
    base: new URL('https://host.example/dneo/'),
    dataModule: 'appsr.cgi',
    transport: async (request) => await send(request).catch(() => Promise.reject(lost)),
    retries: { ...RETRIES, sleep: async () => await Promise.resolve() },
    limiters: new Limiters(new HurriedClock()),
    signal,
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

describe('a call', () => {
  it('is a form with the action first, and repeats a field with two values', async () => {
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

  it('is multipart if it contains files', async () => {
    const { client, requests } = clientOf(ok);
    await client.call('insert_data', [['app_id', '301']], [{ name: '{{Photo}}', content: file('x') }]);
    const body = requests[0]?.body as FormData;
    expect([...body].map(([name]) => name)).toEqual(['action', 'app_id', '{{Photo}}']);
  });

  it('that is cancelled while it waits for its turn was not done, and is not sent', async () => {
    const requests: ServiceRequest[] = [];
    const client = clientWith(
      async (request) => await Promise.resolve((requests.push(request), ok)),
      AbortSignal.abort(),
    );
    expect((await failureOf(client.call('insert_data'))).kind).toBe('cancelled');
    expect(requests).toEqual([]);
  });

  it('whose answer looks like a stream gives its permit back', async () => {
    const { client, requests } = clientOf(reply(200, { status: 'ok', destroy: 1 }));
    for (let time = 0; time < 6; time++) await client.call('get_app');
    expect(requests).toHaveLength(6);
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

describe("HTTP 403 with the service's words", () => {
  const forbidden = reply(403, { status: 'ng', errorno: -10008, errormessage: 'W:No right' });

  it('is about the key as long as none of its calls has succeeded', async () => {
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
  const stream = (text: string): ServiceResponse => reply(200, Readable.from([Buffer.from(text)]));
  const textOf = async ({ body }: StreamedResponse): Promise<string> => String(await readBody(body));

  it('goes to the own origin, whatever host the address names', async () => {
    const { client, requests } = clientOf(stream('content'));
    const url = 'http://evil.example/x/appsuite.cgi?action=download_data_file&id=1';
    await expect(client.download(url, textOf)).resolves.toBe('content');
    expect(requests[0]).toMatchObject({
      method: 'GET',
      stream: true,
      url: 'https://host.example/dneo/appsuite.cgi?action=download_data_file&id=1',
    });
  });

  it('is requested again after a full queue, whatever its answer', async () => {
    const full = Readable.from(['busy']);
    const { client, requests } = clientOf(reply(429, full), stream('content'));
    await expect(client.download('a.cgi?id=1', textOf)).resolves.toBe('content');
    expect(requests).toHaveLength(2);
    expect(full.destroyed).toBe(true);
  });

  it('does not keep a body that nobody reads', async () => {
    const body = Readable.from(['content']);
    const { client } = clientOf(reply(200, body));
    const read = async () => await Promise.reject(new ServiceError('unexpected', 'full disk', ''));
    await expect(client.download('a.cgi?id=1', read)).rejects.toThrow('full disk');
    expect(body.destroyed).toBe(true);
  });

  it('is requested again if it was cut off', async () => {
    const { client, requests } = clientOf(stream('con'), stream('content'));
    const read = async (response: StreamedResponse): Promise<string> => {
      const text = await textOf(response);
      if (text !== 'content') throw new ServiceError('lost', 'cut off', '');
      return text;
    };
    await expect(client.download('a.cgi?id=1', read)).resolves.toBe('content');
    expect(requests).toHaveLength(2);
  });

  it('is under way until its last byte has come, and each chunk is told to the limiter', async () => {
    const { client, limiters } = clientOf(reply(200, Readable.from(['a', 'b', 'c'])));
    const progress = jest.fn();
    const enter = limiters.enter.bind(limiters);
    jest
      .spyOn(limiters, 'enter')
      .mockImplementation(async (...args) => ({ ...(await enter(...args)), progress }));
    const during: number[] = [];
    await client.download('a.cgi?id=1', async ({ body }) => {
      for await (const chunk of body) during.push(chunk.length && client.underWay);
    });
    expect([during, client.underWay, progress.mock.calls.length]).toEqual([[1, 1, 1], 0, 3]);
  });
});

test('a client for calls with their own time limit passes it to their transport, and counts with the original client', async () => {
  const requests: ServiceRequest[] = [];
  const whole = new AbortController();
  const client = clientWith(async (request) => {
    requests.push(request);
    expect(client.underWay).toBe(1);
    return await Promise.resolve(ok);
  }, whole.signal);
  client.keyWorks = true;
  const end = new AbortController();
  const ending = client.until(end.signal);
  expect(ending.keyWorks).toBe(true);
  await ending.call('get_app');
  await client.call('get_app');
  end.abort();
  expect(requests.map(({ signal }) => signal?.aborted)).toEqual([true, false]);
  expect(await failureOf(ending.call('get_app'))).toMatchObject({ kind: 'cancelled' });
  whole.abort();
  expect(requests.map(({ signal }) => signal?.aborted)).toEqual([true, true]);
});
