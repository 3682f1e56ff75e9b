import { Readable } from 'node:stream';

import { fetchFile } from '../../../../nodes/ApplicationDataService/service/read/attachments';
import { clientOf, failureOf, reply, type Reply } from '../support/preparedClient';

const HTML = '<html><form>Login <input type="password"></form></html>';

const file = (more: object = {}) => ({
  id: '77',
  name: 'page.html',
  mimeType: 'text/html',
  url: 'a.cgi?action=download_data_file&id=77',
  size: HTML.length as number | null,
  ...more,
});

/** As n8n's helper returns a body: a stream over a generator, which waits for the response. */
function helperBody(text: string, end: 'whole' | 'broken' | 'stalled' = 'whole'): Readable {
  async function* chunks(): AsyncGenerator<Buffer> {
    yield await Promise.resolve(Buffer.from(text));
    if (end === 'broken') throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
    if (end === 'stalled') await new Promise(() => undefined);
  }
  return Readable.from(chunks());
}

const answer = (text: string, type: string, status = 200, end?: 'broken' | 'stalled'): Reply =>
  reply(status, helperBody(text, end), { 'content-type': type });

const keep = async (content: object): Promise<string> =>
  Buffer.concat(await (content as Readable).toArray()).toString();

test.each([
  ['HTML', {}, HTML, 'text/html; charset=utf-8'],
  ['HTML under a type that fits any file', {}, HTML, 'application/octet-stream'],
  ['XML', { mimeType: 'application/xml' }, '<?xml version="1.0"?><a/>', 'application/xml'],
  ['JSON', { mimeType: 'application/json' }, '{"status":"ng","more":1}', 'application/json'],
])('a cut file of a kind that an answer could have is asked for again: %s', async (_, more, text, type) => {
  const { client, requests } = clientOf(answer(text.slice(0, -3), type), answer(text, type));
  expect(await fetchFile(client, file({ size: text.length, ...more }), keep)).toBe(text);
  expect(requests).toHaveLength(2);
});

test('a JSON file without a size may hold the words of a refusal', async () => {
  const words = '{"status":"ng"}';
  const { client } = clientOf(answer(words, 'application/json'));
  const unsized = file({ name: 'a.json', mimeType: 'application/json', size: null });
  expect(await fetchFile(client, unsized, keep)).toBe(words);
});

test.each([
  ['image/png ; charset=binary', 'image/png'],
  ['Image/PNG', 'image/png'],
  ['application/octet-stream ; charset=binary', 'text/html'],
  ['', 'text/html'],
])('a file that comes as "%s" is kept as %s', async (type, kept) => {
  const { client } = clientOf(answer(HTML, type));
  const typeKept = async (content: object, _: string, mimeType: string): Promise<string> => {
    await keep(content);
    return mimeType;
  };
  expect(await fetchFile(client, file(), typeKept)).toBe(kept);
});

describe('an answer in place of a file is no file', () => {
  const pdf = { name: 'a.pdf', mimeType: 'application/pdf', size: 4000 };
  test.each([
    ['a login page', pdf, HTML, 'text/html', 'loginPage'],
    ['a refusal', pdf, '{"status":"ng","errormessage":"no"}', 'application/json', 'refused'],
    ['a refusal under another type', pdf, '{"status":"ng"}', 'application/octet-stream', 'refused'],
    [
      'a refusal under another type, of a file without a size',
      { ...pdf, size: null },
      '{"status":"ng"}',
      'text/plain',
      'refused',
    ],
  ])('%s', async (_, more, text, type, kind) => {
    const { client } = clientOf(answer(text, type));
    expect((await failureOf(fetchFile(client, file(more), keep))).kind).toBe(kind);
  });
});

test.each([
  [404, 'wrongAddress', 1],
  [500, 'badAnswer', 6],
  [503, 'busy', 6],
])('a %i whose page breaks off is that status', async (status, kind, tries) => {
  const bodies = Array.from({ length: 6 }, () => answer('<html>', 'text/html', status, 'broken'));
  const { client, requests } = clientOf(...bodies);
  const failure = await failureOf(fetchFile(client, file(), keep));
  expect([failure.kind, failure.details.status, requests.length]).toEqual([kind, status, tries]);
});

test('downloads that stall are given up after a minute, and stop no other', async () => {
  const alarms: AbortController[] = [];
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    alarms.push(new AbortController());
    return alarms.at(-1)!.signal;
  });
  const stalled = [1, 2, 3].map(() => answer('<ht', 'text/html', 200, 'stalled'));
  const { client, requests } = clientOf(...stalled, answer(HTML, 'text/html'));
  const tick = async () => await new Promise((resolve) => setImmediate(resolve));
  // The first is asked for twice, and stalls again; the second stalls once.
  const failing = failureOf(fetchFile(client, file(), keep));
  let reading: Promise<string> | null = null;
  for (let each = 1; each <= 3; each++) {
    if (each === 3) {
      expect((await failing).message).toBe('No more data arrived for 60 seconds (tried 2 times)');
      reading = fetchFile(client, file(), keep);
    }
    while (alarms.length < each) await tick();
    for (let turn = 0; turn < 5; turn++) await tick();
    now += 60_000;
    alarms.at(-1)!.abort();
  }
  expect(await reading).toBe(HTML);
  expect(requests).toHaveLength(4);
  jest.restoreAllMocks();
});

test('a store that never ends a stalled file does not keep the place', async () => {
  const { client } = clientOf(answer('', 'text/html', 200, 'broken'));
  const never = async (content: object): Promise<string> => {
    (content as Readable).on('error', () => undefined).resume();
    return await new Promise<string>(() => undefined);
  };
  expect((await failureOf(fetchFile(client, file(), never))).kind).toBe('lost');
});
