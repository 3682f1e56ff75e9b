import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import type { Service } from '../service/service.ts';
import { htmlPage } from './answers.ts';
import { isOwn } from './callers.ts';
import { Conversation, type TakeDown } from './conversation.ts';

/** Folder of the modules on the service. */
export const folder = '/cgi-bin/dneo';

/** The modules of the service: data, suite (downloads), and the one that people open in a browser. */
export function dataModule(service: Service, takeDown: TakeDown) {
  return async (app: FastifyInstance): Promise<void> => {
    app.removeAllContentTypeParsers();
    await app.register(multipart);
    app.addHook('onRequest', async (request, reply) => {
      if (isOwn(request)) return;
      const { status, headers, body } = htmlPage(
        403,
        'Forbidden',
        'The sandbox takes no calls of other web pages.',
      );
      await reply.code(status).headers(headers).send(body);
    });
    // Bodies are read later, where the dialect's limits are known.
    app.addContentTypeParser('*', (_request, _payload, done) => done(null));
    app.all(`${folder}/appsr.cgi`, (request, reply) =>
      new Conversation(service, 'data', request, reply, takeDown).hold(),
    );
    app.all(`${folder}/appsuite.cgi`, (request, reply) =>
      new Conversation(service, 'suite', request, reply, takeDown).hold(),
    );
    app.all(`${folder}/dneo.cgi`, async (_request, reply) => {
      const { status, headers, body } = htmlPage(200, 'Login', 'Please log in.');
      return reply.code(status).headers(headers).send(body);
    });
    app.get<{ Params: { icon: string } }>(`${folder}/icons/:icon`, async (_request, reply) =>
      reply.type('image/svg+xml').send(icon),
    );
  };
}

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#2b6cb0"/>' +
  '<path d="M8 10h16M8 16h16M8 22h10" stroke="#fff" stroke-width="3"/></svg>\n';
