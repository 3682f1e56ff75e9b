import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Engine } from '../support/engine';
import type { TriggerEngine } from '../support/triggerEngine';

type Kept = Map<unknown, unknown> | Set<unknown>;

const NODES = '/nodes/ApplicationDataService/';

/** What modules of the nodes make while they load, to keep things in as long as the process runs. */
const kept: { readonly where: string; readonly things: Kept }[] = [];

/** The class, noting what the nodes make with it. */
function noting<C extends MapConstructor | SetConstructor>(original: C): C {
  return new Proxy(original, {
    construct: (target, args: unknown[], newTarget) => {
      const things = Reflect.construct(target as new () => Kept, args as [], newTarget as new () => Kept);
      const [, , caller = ''] = (new Error().stack ?? '').split('\n');
      if (caller.includes(NODES))
        kept.push({ where: caller.replace(/.*ApplicationDataService\/|:.*/g, ''), things });
      return things;
    },
  });
}

let server: Server;
let EngineOfNode: typeof Engine;
let EngineOfTrigger: typeof TriggerEngine;

/** Answers every action of every service alike. */
const ANSWER = {
  status: 'ok',
  id: '7',
  name: 'Goods',
  app_status: 'running',
  fields: {
    item: [
      { id: '1', name: 'ID', type: 'id', system: 'on' },
      { id: '101', name: 'Name', type: 'textbox' },
    ],
  },
  list: { item: [{ ID: { val: '1' }, Name: { val: 'a' }, revision: { val: '1' } }] },
  ID: '1',
  allcnt: '1',
  record: { Name: { val: 'a' }, revision: { val: '1' } },
};

beforeAll(async () => {
  const [map, set] = [Map, Set];
  [globalThis.Map, globalThis.Set] = [noting(Map), noting(Set)];
  EngineOfNode = (await import('../support/engine')).Engine;
  EngineOfTrigger = (await import('../support/triggerEngine')).TriggerEngine;
  [globalThis.Map, globalThis.Set] = [map, set];
  server = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json').end(JSON.stringify(ANSWER));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => void server.close());

test('after a thousand workflows with as many services, what the process keeps is bounded', async () => {
  const { port } = server.address() as AddressInfo;
  const before = kept.map(({ things }) => things.size);
  const application = { __rl: true, mode: 'id', value: '7' };
  const update = {
    operation: 'update',
    recordId: { __rl: true, mode: 'id', value: '1' },
    conflictPolicy: 'skip',
    revision: '1',
    parts: { mappingMode: 'defineBelow', value: { Name: 'b' }, matchingColumns: [], schema: [] },
  };
  const messages: (string | undefined)[] = [];
  for (let number = 0; number < 1000; number++) {
    const engine = new EngineOfNode({
      baseUrl: `http://127.0.0.1:${port}/service-${number}/`,
      accessKey: `key-of-service-${number}`,
    });
    // An update passes through more, and takes longer.
    const operation = number % 10 === 0 ? update : { operation: 'count' };
    const { error } = await engine.run({ resource: 'record', application, options: {}, ...operation });
    messages.push(error?.message);
  }
  expect(messages.filter((message) => message !== undefined)).toEqual([]);
  expect(kept.length).toBeGreaterThan(9);
  const grown = kept.filter(({ things }, index) => things.size > before[index]!);
  expect(grown.map(({ where, things }) => [where, things.size])).toEqual([
    ['service/http/credentials.ts', 300],
    ['service/http/limiter.ts', 100],
  ]);
});

test('after two hundred triggers, the process keeps plain data of the last hundred', async () => {
  const { port } = server.address() as AddressInfo;
  const credential = { baseUrl: `http://127.0.0.1:${port}/triggers/`, accessKey: 'key-of-triggers' };
  const application = { __rl: true, mode: 'id', value: '7' };
  for (let number = 0; number < 200; number++) {
    const trigger = new EngineOfTrigger(credential, { application, events: ['created'] });
    expect(await trigger.activate()).toEqual([]);
  }
  const memories = kept.filter(({ where }) => where === 'trigger/node/runPoll.ts');
  expect(memories.map(({ things }) => things.size)).toEqual([100]);
  const live = [...memories[0]!.things.values()].flatMap((memory) => livingIn(memory));
  expect([...new Set(live)]).toEqual([]);
});

/** Classes of what an object leads to, but for plain data and the codecs of parts, which the module has once. */
function livingIn(start: unknown, seen = new Set<unknown>()): string[] {
  if (typeof start !== 'object' || start === null || seen.has(start)) return [];
  seen.add(start);
  const { name } = start.constructor;
  const within = Object.entries(start).filter(([key]) => key !== 'codec');
  const found = within.flatMap(([, each]) => livingIn(each, seen));
  return ['Object', 'Array', 'Map', 'Set'].includes(name) ? found : [name, ...found];
}
