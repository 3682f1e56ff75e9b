import type { FastifyInstance } from 'fastify';
import type { LogEntry } from '../service/callLog.ts';
import type { NotificationEntry } from '../service/notifier.ts';
import type { Controlled } from './controlled.ts';

/** Server-sent events for the page: every call as it ends, every notification, every change of settings. */
export function addEventControl(app: FastifyInstance, sandbox: Controlled): void {
  const { log, notifier } = sandbox.service;
  app.get('/events', (request, reply) => {
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    raw.write(': ready\n\n');
    const tell = (event: string, data: unknown) => {
      raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    };
    const onCall = (entry: LogEntry) => tell('call', entry);
    const onNotification = (entry: NotificationEntry) => tell('notification', entry);
    const onChange = (what: string) => tell('changed', what);
    log.on('call', onCall);
    notifier.on('notification', onNotification);
    sandbox.on('changed', onChange);
    request.raw.once('close', () => {
      log.off('call', onCall);
      notifier.off('notification', onNotification);
      sandbox.off('changed', onChange);
    });
  });
}
