import { Readable } from 'node:stream';

import {
  asStream,
  pull,
  readBody,
  readHead,
  streamOf,
} from '../../../../nodes/ApplicationDataService/service/http/byteStream';
import { settle } from '../../../../nodes/ApplicationDataService/util/concurrently';

asStream(Readable.from(['{}']));

const unheard = (): void => undefined;

async function* chunks(count: number, pulled: number[] = []): AsyncGenerator<Buffer> {
  for (let number = 0; number < count; number++) {
    pulled.push(number);
    yield await Promise.resolve(Buffer.from(`${number} `));
  }
}

/** As n8n's helper returns a body: a stream over a generator, which waits for the response. */
function helperBody(response: Readable): Readable {
  async function* wrapped(): AsyncGenerator<Buffer> {
    for await (const chunk of response) yield chunk as Buffer;
  }
  return Readable.from(wrapped());
}

/** A response that sends some bytes and then nothing more. */
function stallingAfter(...texts: string[]): Readable {
  const response = new Readable({ read: () => undefined });
  for (const text of texts) response.push(text);
  return response;
}

describe('streamOf, after a stream was seen,', () => {
  it('is a stream of the chunks', async () => {
    const stream = streamOf(chunks(3));
    expect(stream).toBeInstanceOf(Readable);
    expect(Buffer.concat(await stream.toArray()).toString()).toBe('0 1 2 ');
  });

  it('pulls chunks only when they are read', async () => {
    const pulled: number[] = [];
    const stream = streamOf(chunks(1000, pulled));
    for await (const chunk of stream) if (String(chunk) === '10 ') break;
    expect(pulled.length).toBeLessThan(50);
  });

  it('fails if the chunks fail', async () => {
    async function* failing(): AsyncGenerator<Buffer> {
      yield await Promise.resolve(Buffer.from('a'));
      throw new Error('cut off');
    }
    await expect(streamOf(failing()).toArray()).rejects.toThrow('cut off');
  });
});

it('asStream says so if n8n returns no stream', () => {
  expect(() => asStream('text')).toThrow('n8n returned no stream');
});

describe('pull', () => {
  const wraps: [string, (response: Readable) => Readable][] = [
    ['a response', (response) => response],
    ["n8n's stream over a generator", helperBody],
  ];

  describe.each(wraps)('%s', (_, wrap) => {
    it('gives what comes, and gives up what stalls', async () => {
      const body = wrap(stallingAfter('a', 'b'));
      const came: string[] = [];
      const heard = jest.fn();
      const reading = settle(async () => {
        for await (const chunk of pull(body, heard, 5)) came.push(String(chunk));
      });
      expect(await reading).toMatchObject({
        error: { kind: 'lost', message: 'No more data arrived for 0.005 seconds', details: { isSlow: true } },
      });
      expect(came.join('')).toBe('ab');
      expect(heard).toHaveBeenCalledTimes(came.length);
      expect(body.destroyed).toBe(true);
    });

    it.each([
      ['a connection that breaks', { code: 'ECONNRESET' }, 'lost'],
      ['a connection that breaks without a code', {}, 'lost'],
      ['a request that is cancelled', { code: 'ERR_CANCELED' }, 'cancelled'],
    ])('reports %s', async (__, more, kind) => {
      const response = stallingAfter('a');
      const read = readBody(pull(wrap(response), unheard));
      setImmediate(() => response.destroy(Object.assign(new Error('broken'), more)));
      await expect(read).rejects.toMatchObject({ kind });
    });

    it('of a failure gives what came before it broke off', async () => {
      const response = stallingAfter('<html>');
      const read = readHead(pull(wrap(response), unheard));
      setImmediate(() => response.destroy(new Error('aborted')));
      expect(await read).toBe('<html>');
    });
  });

  it('sets no further alarm once the body has ended, and leaves none that would hold it', async () => {
    const alarm = new AbortController();
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(alarm.signal);
    expect(await readBody(pull(Readable.from([Buffer.from('7')]), unheard))).toBe(7);
    expect(alarm.signal.onabort).toBeNull();
    alarm.abort();
    expect(timeout).toHaveBeenCalledTimes(1);
    timeout.mockRestore();
  });

  it('does not count the time in which the reader works', async () => {
    const response = stallingAfter('a');
    let came = '';
    for await (const chunk of pull(response, unheard, 20)) {
      came += String(chunk);
      if (came.length > 1) break;
      await new Promise((resolve) => setTimeout(resolve, 60));
      response.push('b');
    }
    expect(came).toBe('ab');
  });
});

it.each<[string, readonly Buffer[], unknown]>([
  ['JSON', [Buffer.from('{"status":'), Buffer.from('"ok"}')], { status: 'ok' }],
  ['a character in two chunks', [Buffer.from([0x22, 0xe8, 0xb2]), Buffer.from([0xa8, 0x22])], '\u8ca8'],
  ['text that is not JSON', [Buffer.from('<html>')], '<html>'],
  ['nothing', [], ''],
])('readBody reads %s', async (_, chunks, body) => {
  expect(await readBody(pull(Readable.from(chunks), unheard))).toEqual(body);
});
