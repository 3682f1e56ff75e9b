import { Readable } from 'node:stream';

import {
  asStream,
  readBody,
  streamLike,
} from '../../../../nodes/ApplicationDataService/service/http/byteStream';

const anyStream = Readable.from(['{}']);

async function* chunks(count: number, pulled: number[] = []): AsyncGenerator<Buffer> {
  for (let number = 0; number < count; number++) {
    pulled.push(number);
    yield await Promise.resolve(Buffer.from(`${number} `));
  }
}

describe('streamLike', () => {
  it('is a stream of the chunks', async () => {
    const stream = streamLike(anyStream, chunks(3));
    expect(stream).toBeInstanceOf(Readable);
    expect(Buffer.concat(await stream.toArray()).toString()).toBe('0 1 2 ');
  });

  it('pulls chunks only when they are read', async () => {
    const pulled: number[] = [];
    const stream = streamLike(anyStream, chunks(1000, pulled));
    for await (const chunk of stream) if (String(chunk) === '10 ') break;
    expect(pulled.length).toBeLessThan(50);
  });

  it('fails if the chunks fail', async () => {
    async function* failing(): AsyncGenerator<Buffer> {
      yield await Promise.resolve(Buffer.from('a'));
      throw new Error('cut off');
    }
    await expect(streamLike(anyStream, failing()).toArray()).rejects.toThrow('cut off');
  });
});

describe('asStream', () => {
  it('says so if n8n returns no stream', () => {
    expect(() => asStream('text')).toThrow('n8n returned no stream');
  });
});

describe('readBody', () => {
  const HOUR = 3_600_000;

  it.each<[string, readonly Buffer[], unknown]>([
    ['JSON', [Buffer.from('{"status":'), Buffer.from('"ok"}')], { status: 'ok' }],
    ['a character in two chunks', [Buffer.from([0x22, 0xe8, 0xb2]), Buffer.from([0xa8, 0x22])], '\u8ca8'],
    ['text that is not JSON', [Buffer.from('<html>')], '<html>'],
    ['nothing', [], ''],
  ])('reads %s', async (_, chunks, body) => {
    expect(await readBody(Readable.from(chunks), HOUR)).toEqual(body);
  });

  it.each<[string, object, string]>([
    ['a connection that breaks', { code: 'ECONNRESET' }, 'lost'],
    ['a request that is cancelled', { code: 'ERR_CANCELED' }, 'cancelled'],
  ])('reports %s', async (_, more, kind) => {
    const stream = new Readable({ read: () => undefined });
    const read = readBody(stream, HOUR);
    stream.destroy(Object.assign(new Error('broken'), more));
    await expect(read).rejects.toMatchObject({ kind });
  });

  it('gives up if the body never arrives', async () => {
    const stalled = new Readable({ read: () => undefined });
    await expect(readBody(stalled, 1)).rejects.toMatchObject({ kind: 'lost' });
    expect(stalled.destroyed).toBe(true);
  });
});
