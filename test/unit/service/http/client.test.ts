import { Readable } from 'node:stream';

import { readBody } from '../../../../nodes/ApplicationDataService/service/http/byteStream';
import {
  callForList,
  RETRIES,
  type ServiceClient,
  type StreamedResponse,
} from '../../../../nodes/ApplicationDataService/service/http/client';
import { ServiceError } from '../../../../nodes/ApplicationDataService/service/http/errors';
import type { FileContent } from '../../../../nodes/ApplicationDataService/service/http/multipart';
import type {
  ServiceRequest,
  ServiceResponse,
} from '../../../../nodes/ApplicationDataService/service/http/transport';
import { streamedBody } from '../../../support/streamedBody';
import { clientOf, failureOf, lost, ok, reply } from '../support/preparedClient';

function file(content: string, size = content.length): FileContent {
  return {
    fileName: 'a "1".png',
    type: 'image/png',
    size,
    async *read() {
      yield await Promise.resolve(new TextEncoder().encode(content));
    },
  };
}

async function drain(chunks: unknown): Promise<void> {
  for await (const chunk of chunks as AsyncIterable<unknown>) expect(chunk).toBeInstanceOf(Uint8Array);
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

  it('is multipart if it contains files, and may take as long as they need at 2 megabits a second', async () => {
    const { client, requests } = clientOf(ok);
    await client.call('update_data', [['app_id', '301']], [{ name: '{{Photo}}', content: file('x', 1e9) }]);
    expect([...(requests[0]?.body as FormData)].map(([name]) => name)).toEqual([
      'action',
      'app_id',
      '{{Photo}}',
    ]);
    expect(requests[0]?.timeoutMs).toBe(120_000 + 4_000_000);
  });

  it('whose file cannot be read was not done, and is not sent again, whatever the request helper says', async () => {
    const { client, requests } = clientOf(async ({ body }) => {
      for (const [, part] of body as FormData)
        if (typeof part !== 'string') await drain(part.stream()).catch(() => Promise.reject(lost));
      return ok;
    });
    const content = file('x', 2);
    const failure = await failureOf(client.call('insert_data', [], [{ name: '{{Photo}}', content }]));
    expect([failure.kind, requests.length]).toEqual(['unreadableFile', 1]);
    expect(failure.message).toContain('another length than the 2 bytes');
  });

  it('that is cancelled while it waits for its turn was not done, and is not sent', async () => {
    const { make, requests } = clientOf(ok);
    expect((await failureOf(make(AbortSignal.abort()).call('insert_data'))).kind).toBe('cancelled');
    expect(requests).toEqual([]);
  });

  it('whose answer looks like a stream gives its permit back', async () => {
    const { client, requests } = clientOf(reply(200, { status: 'ok', destroy: 1 }));
    for (let time = 0; time < 6; time++) await client.call('get_app');
    expect(requests).toHaveLength(6);
  });
});

describe("HTTP 403 with the service's words", () => {
  const forbidden = reply(403, { status: 'ng', errorno: -10008, errormessage: 'W:No right' });

  it('is about the key as long as none of its calls has succeeded', async () => {
    const failure = await failureOf(clientOf(forbidden).client.call('get_data'));
    expect(failure.kind).toBe('unauthorized');
    expect(failure.message).toBe('The service did not accept the access key: No right');
  });

  test.each([
    ['is about the record or the application', forbidden, 'refused'],
    ['is about the key without words', reply(403, ''), 'unauthorized'],
    ['is about the key as HTTP 401', reply(401, { status: 'ng', errormessage: 'W:Expired' }), 'unauthorized'],
  ])('%s once the key has worked, also for another client', async (_, answer, kind) => {
    const { client } = clientOf(ok, answer);
    await client.until(new AbortController().signal).call('get_app');
    expect((await failureOf(client.call('get_data'))).kind).toBe(kind);
  });
});

describe('a download', () => {
  const stream = (text: string): ServiceResponse => reply(200, Readable.from([Buffer.from(text)]));
  const textOf = async ({ body }: StreamedResponse): Promise<string> => String(await readBody(body));

  it('goes to the own origin, whatever host the address names', async () => {
    const { client, requests } = clientOf(stream('content'));
    const url = 'http://evil.example/x/appsuite.cgi?action=download_data_file&id=1';
    expect(await client.download(url, textOf)).toBe('content');
    expect(requests[0]).toMatchObject({
      method: 'GET',
      stream: true,
      url: 'https://host.example/dneo/appsuite.cgi?action=download_data_file&id=1',
    });
  });

  it('is requested again after a full queue, and if it was cut off; no body is kept', async () => {
    const full = Readable.from(['busy']);
    const { client, requests } = clientOf(reply(429, full), stream('con'), stream('content'));
    const read = async (response: StreamedResponse): Promise<string> => {
      const text = await textOf(response);
      if (text !== 'content') throw new ServiceError('lost', 'cut off', '');
      return text;
    };
    expect(await client.download('a.cgi?id=1', read)).toBe('content');
    expect([requests.length, full.destroyed]).toEqual([3, true]);
  });

  it("lets go of the connection behind a full queue's page, which n8n's helper wraps", async () => {
    const response = new Readable({ read: () => void response.push(Buffer.alloc(65_536)) });
    async function* wrapped(): AsyncGenerator<Buffer> {
      for await (const chunk of response) yield chunk as Buffer;
    }
    const { client } = clientOf(reply(429, Readable.from(wrapped())), stream('content'));
    expect(await client.download('a.cgi?id=1', textOf)).toBe('content');
    await new Promise(setImmediate);
    expect(response.destroyed).toBe(true);
  });

  it('does not keep a body that nobody reads', async () => {
    const body = Readable.from(['content']);
    const { client } = clientOf(reply(200, body));
    const read = async () => await Promise.reject(new ServiceError('unexpected', 'full disk', ''));
    await expect(client.download('a.cgi?id=1', read)).rejects.toThrow('full disk');
    expect(body.destroyed).toBe(true);
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
      for await (const chunk of body) during.push(chunk.length && client.shared.underWay);
    });
    expect([during, client.shared.underWay, progress.mock.calls.length]).toEqual([[1, 1, 1], 0, 3]);
  });
});

/** A small answer costs more as a stream. */
test.each([
  ['a page', 'page', true],
  ['a few records', undefined, undefined],
] as const)('%s as a stream: %s', async (_, kind, isStreamed) => {
  const body = { status: 'ok', list: { item: [{ ID: 1 }] } };
  const { client, requests } = clientOf(async ({ stream }) =>
    Promise.resolve(reply(200, stream === true ? streamedBody(body) : body)),
  );
  expect(await callForList(client, 'list_data', [], kind)).toEqual(body.list.item);
  expect(requests.map(({ stream }) => stream)).toEqual([isStreamed]);
});

/** How long nothing may come of a body: of an answer as long as for its beginning. */
test.each<[string, (client: ServiceClient) => Promise<unknown>, number]>([
  ['a page', async (client) => await client.callStreamed('list_data', [], 'page'), RETRIES.timeoutMs],
  ['a definition', async (client) => await client.callStreamed('get_app', []), RETRIES.timeoutMs],
  [
    'a file',
    async (client) => await client.download('a.cgi?id=1', async ({ body }) => await readBody(body)),
    60_000,
  ],
])('%s may pause', async (_, read, milliseconds) => {
  const timeout = jest.spyOn(AbortSignal, 'timeout');
  const { client } = clientOf(reply(200, Readable.from([Buffer.from('{"status":"ok"}')])));
  await read(client);
  expect(timeout.mock.calls).toEqual([[milliseconds]]);
  timeout.mockRestore();
});

test('a client with its own time limit passes it to the transport, and counts with the original client', async () => {
  const sent: ServiceRequest[] = [];
  const { make } = clientOf(async (request) => {
    sent.push(request);
    expect(client.shared.underWay).toBe(1);
    return await Promise.resolve(ok);
  });
  const [whole, end] = [new AbortController(), new AbortController()];
  const client = make(whole.signal);
  const ending = client.until(end.signal);
  await ending.call('get_app');
  await client.call('get_app');
  end.abort();
  expect(sent.map(({ signal }) => signal?.aborted)).toEqual([true, false]);
  expect(await failureOf(ending.call('get_app'))).toMatchObject({ kind: 'cancelled' });
  whole.abort();
  expect(sent.map(({ signal }) => signal?.aborted)).toEqual([true, true]);
});
