import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import type { Service } from '../service/service.ts';
import { htmlPage, loginPage } from './answers.ts';
import { isOwn } from './callers.ts';
import { Conversation, type TakeDown } from './conversation.ts';
import { send } from './outgoing.ts';

/** Folder of the modules on the service. */
export const folder = '/cgi-bin/dneo';

/** The modules of the service: data, suite (downloads), and the one that people open in a browser. */
export function dataModule(service: Service, takeDown: TakeDown) {
  return async (app: FastifyInstance): Promise<void> => {
    app.removeAllContentTypeParsers();
    await app.register(multipart);
    app.addHook('onRequest', async (request, reply) => {
      if (!isOwn(request)) await send(reply, foreign);
    });
    // Bodies are read later, where the dialect's limits are known.
    app.addContentTypeParser('*', (_request, _payload, done) => done(null));
    for (const [file, module] of [['appsr', 'data'] as const, ['appsuite', 'suite'] as const]) {
      app.all(`${folder}/${file}.cgi`, (request, reply) =>
        new Conversation(service, module, request, reply, takeDown).hold(),
      );
    }
    app.all(`${folder}/dneo.cgi`, async (_request, reply) => void (await send(reply, loginPage)));
    app.get<{ Params: { icon: string } }>(`${folder}/icons/:icon`, async (_request, reply) =>
      reply.type('image/svg+xml').send(icon),
    );
  };
}

const foreign = htmlPage(403, 'Forbidden', 'The sandbox takes no calls of other web pages.');

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#2b6cb0"/>' +
  '<path d="M8 10h16M8 16h16M8 22h10" stroke="#fff" stroke-width="3"/></svg>\n';
