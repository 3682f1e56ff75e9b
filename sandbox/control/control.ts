import type { FastifyInstance } from 'fastify';
import { actions } from '../actions/actions.ts';
import { DefinitionError } from '../definitions/definition.ts';
import { isLocal } from '../http/callers.ts';
import { changeDialect, defaultDialect, switches } from '../settings/switches.ts';
import { checkFault } from '../settings/faults.ts';
import { addApplicationControl } from './applications.ts';
import { ControlError, objectOf, textOr } from './body.ts';
import type { Controlled } from './controlled.ts';
import { addLogControl } from './logs.ts';
import { addPeopleControl } from './people.ts';

/** The control interface (docs/dev/sandbox.md, "Control"). */
export function control(sandbox: Controlled) {
  return (app: FastifyInstance, _options: object, done: () => void): void => {
    app.addHook('onRequest', (request, reply, next) => {
      if (isLocal(request)) next();
      else void reply.code(403).send({ error: 'The control interface accepts calls from this machine only' });
    });
    app.setErrorHandler((error, _request, reply) => {
      const { statusCode } = error as { statusCode?: number };
      const expected = [ControlError, DefinitionError, RangeError].some((type) => error instanceof type);
      const status = expected ? 400 : (statusCode ?? 500);
      return reply.code(status).send({ error: (error as Error).message });
    });
    app.addHook('onResponse', (request, reply, next) => {
      const [, what = ''] = /\/control\/(\w+)/.exec(request.url) ?? [];
      if (request.method !== 'GET' && reply.statusCode < 400)
        for (const watcher of sandbox.watchers) watcher(what);
      next();
    });
    app.get('/', () => sandbox.addresses);
    addServiceControl(app, sandbox);
    addApplicationControl(app, sandbox);
    addPeopleControl(app, sandbox);
    addLogControl(app, sandbox);
    done();
  };
}

function addServiceControl(app: FastifyInstance, sandbox: Controlled): void {
  const { service } = sandbox;
  app.post('/reset', async () => {
    await sandbox.reset();
    return sandbox.addresses;
  });
  app.get('/dialect', () => service.dialect);
  app.get('/dialect/switches', () => switches);
  app.patch('/dialect', (request) => {
    changeDialect(service.dialect, objectOf(request.body));
    return service.dialect;
  });
  app.delete('/dialect', () => {
    Object.assign(service.dialect, defaultDialect());
    return service.dialect;
  });
  app.put('/faults', (request) => {
    if (!Array.isArray(request.body)) throw new ControlError('The body must be an array of faults');
    const names = [...actions.data.keys(), ...actions.suite.keys()];
    const faults = request.body.map((fault) => checkFault(fault, names));
    service.faults.set(faults);
    return faults;
  });
  app.delete('/faults', () => {
    service.faults.set([]);
    return [];
  });
  const statistics = () => ({
    ...service.statistics.report(),
    mostWaiting: service.queue.mostWaiting,
    memoryBytes: process.memoryUsage.rss(),
  });
  app.get('/statistics', statistics);
  app.delete('/statistics', () => {
    service.statistics.reset();
    service.queue.reset();
    return statistics();
  });
  app.put('/clock', (request) => {
    const { at } = objectOf(request.body);
    const time = at === undefined || at === null ? undefined : new Date(textOr(at, ''));
    if (time && Number.isNaN(time.getTime())) throw new ControlError('"at" must be an ISO time');
    service.clock.stopAt(time);
    return { now: service.clock.now().toISOString() };
  });
  app.post('/stop', async () => {
    await sandbox.stopListening();
    return { listening: false };
  });
  app.post('/start', async () => {
    await sandbox.listen();
    return { listening: true };
  });
}
