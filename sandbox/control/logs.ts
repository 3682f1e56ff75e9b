import type { FastifyInstance } from 'fastify';
import type { Log } from '../service/log.ts';
import type { Controlled } from './controlled.ts';

/** The logs of calls and notifications; server-sent events for the page: every entry, every change of settings. */
export function addLogControl(app: FastifyInstance, sandbox: Controlled): void {
  const { log, notifier } = sandbox.service;
  const logs: readonly (readonly [path: string, event: string, log: Log<{ number: number }>])[] = [
    ['/log', 'call', log],
    ['/notifications', 'notification', notifier.log],
  ];
  for (const [path, , each] of logs) {
    app.get<{ Querystring: { since?: string } }>(path, ({ query }) => each.since(Number(query.since ?? 0)));
    app.delete(path, () => {
      each.clear();
      return [];
    });
  }
  app.get('/events', (request, reply) => {
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    raw.write(': ready\n\n');
    const tell = (event: string) => (data: unknown) => {
      raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    };
    const watched = [
      ...logs.map(([, event, { watchers }]) => [watchers, tell(event)] as const),
      [sandbox.watchers, tell('changed')] as const,
    ];
    for (const [watchers, watcher] of watched) watchers.add(watcher);
    request.raw.once('close', () => {
      for (const [watchers, watcher] of watched) watchers.delete(watcher);
    });
  });
}
