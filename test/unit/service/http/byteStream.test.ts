import { Readable } from 'node:stream';

import { byteStream } from '../../../../nodes/ApplicationDataService/service/http/byteStream';
import type { ServiceClient } from '../../../../nodes/ApplicationDataService/service/http/client';
import type { ServiceResponse } from '../../../../nodes/ApplicationDataService/service/http/transport';

/** A client whose answers are streams of this kind. */
function client(body: unknown): ServiceClient {
  return {
    stream: async (_action: string, _fields: unknown, read: (response: ServiceResponse) => unknown) =>
      await Promise.resolve(read({ status: 200, headers: {}, body })),
  } as unknown as ServiceClient;
}

async function* chunks(count: number, pulled: number[] = []): AsyncGenerator<Buffer> {
  for (let number = 0; number < count; number++) {
    pulled.push(number);
    yield await Promise.resolve(Buffer.from(`${number} `));
  }
}

describe('byteStream', () => {
  it('is a stream of the chunks', async () => {
    const stream = await byteStream(client(Readable.from(['{}'])), chunks(3));
    expect(stream).toBeInstanceOf(Readable);
    expect(Buffer.concat(await stream.toArray()).toString()).toBe('0 1 2 ');
  });

  it('pulls chunks only as they are read', async () => {
    const pulled: number[] = [];
    const stream = await byteStream(client(Readable.from(['{}'])), chunks(1000, pulled));
    for await (const chunk of stream) if (String(chunk) === '10 ') break;
    expect(pulled.length).toBeLessThan(50);
  });

  it('fails as the chunks fail', async () => {
    async function* failing(): AsyncGenerator<Buffer> {
      yield await Promise.resolve(Buffer.from('a'));
      throw new Error('cut off');
    }
    const stream = await byteStream(client(Readable.from(['{}'])), failing());
    await expect(stream.toArray()).rejects.toThrow('cut off');
  });

  it('does not mind a connection that breaks in the answer it does not read', async () => {
    const answer = new Readable({ read: () => undefined });
    const stream = await byteStream(client(answer), chunks(2));
    answer.destroy(new Error('reset'));
    expect(await stream.toArray()).toHaveLength(2);
  });

  it('says so where n8n gives no stream', async () => {
    await expect(byteStream(client('text'), chunks(1))).rejects.toThrow('n8n gave no stream');
  });
});
