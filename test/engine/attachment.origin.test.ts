import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

import { Engine } from '../support/engine';
import { useWorkplace } from './support/workplace';

const place = useWorkplace(null);
let stranger: Server;
let seen: { url: string; headers: IncomingHttpHeaders }[];

beforeAll(async () => {
  stranger = await listen((request, response) => {
    seen.push({ url: request.url ?? '', headers: request.headers });
    response.end('stolen');
  });
});

afterAll(() => {
  stranger.close();
});

beforeEach(async () => {
  seen = [];
  await place.open({
    parts: [{ name: 'Docs', type: 'files' }],
    records: [{ Docs: [{ name: 'a.txt', text: 'content' }] }],
  });
});

async function listen(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<Server> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const originOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Forwards a call to the sandbox, and replaces the sandbox's address in its answer by the stranger's. */
async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body: Uint8Array[] = [];
  for await (const chunk of request) body.push(chunk as Uint8Array);
  const answer = await fetch(new URL(request.url ?? '', place.sandbox.baseUrl), {
    method: request.method ?? 'GET',
    headers: {
      'X-Service-Auth': request.headers['x-service-auth'] as string,
      ...(request.headers['content-type'] && { 'content-type': request.headers['content-type'] }),
    },
    ...(body.length > 0 && { body: Buffer.concat(body) }),
  });
  const content = Buffer.from(await answer.arrayBuffer());
  const ours = new URL(place.sandbox.baseUrl).origin;
  response.setHeader('content-type', answer.headers.get('content-type') ?? '');
  response.end(
    request.url?.includes('appsr.cgi') ? content.toString().replaceAll(ours, originOf(stranger)) : content,
  );
}

const DOWNLOAD = {
  resource: 'attachment',
  recordId: '1',
  attachmentPart: 'Docs',
  attachmentIds: '',
  binaryPropertyName: 'data',
};

test('another origin never receives a request if a download is redirected to it', async () => {
  await place.sandbox.setFaults([
    { kind: 'redirect', location: `${originOf(stranger)}/x`, action: 'download_data_file' },
  ]);
  const { error } = await place.run('download', DOWNLOAD);
  expect(error?.message).toContain('redirects to another address');
  expect(seen).toEqual([]);
});

test.each([
  ['download', DOWNLOAD],
  ['get', { recordId: '1', options: { downloadAttachments: true } }],
])(
  'another origin never receives a request if a record names it in the address of a file: %s',
  async (operation, settings) => {
    const proxy = await listen((request, response) => void relay(request, response));
    const baseUrl = `${originOf(proxy)}${new URL(place.sandbox.baseUrl).pathname}`;
    const engine = new Engine({ baseUrl, accessKey: place.sandbox.accessKey });
    const { items, error } = await engine.run(place.parameters(operation, settings));
    proxy.close();
    expect(error).toBeUndefined();
    const [binary] = Object.values(items[0]?.binary ?? {});
    expect(Buffer.from(binary?.data ?? '', 'base64').toString()).toBe('content');
    expect(JSON.stringify(items[0]?.json)).toContain(operation === 'get' ? originOf(stranger) : 'a.txt');
    expect(seen).toEqual([]);
  },
);
