import type { Answer } from '../actions/action.ts';
import type { Dialect } from '../settings/switches.ts';
import { refusalBody, type ServiceError } from '../call/refusals.ts';
import type { Service } from '../service/service.ts';
import type { Outgoing } from './outgoing.ts';

/** An HTML page, as web servers and login forms return it. */
export function htmlPage(status: number, title: string, text: string): Outgoing {
  const body = `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>\n`;
  return { status, headers: { 'content-type': 'text/html; charset=UTF-8' }, body };
}

export const loginPage = htmlPage(200, 'Login', 'Please log in.');

export function jsonAnswer(status: number, body: unknown): Outgoing {
  return jsonText(status, JSON.stringify(body));
}

function jsonText(status: number, body: string): Outgoing {
  return { status, headers: { 'content-type': 'application/json; charset=UTF-8' }, body };
}

/** A successful answer: `status` `ok` with the action's keys, or a file's bytes. */
export function successAnswer(answer: Answer, { dialect, storage }: Service): Outgoing {
  if ('body' in answer) return jsonAnswer(200, { status: 'ok', ...answer.body });
  if ('members' in answer) return jsonText(200, `{"status":"ok",${answer.members}}`);
  const { id, name, mimeType, size } = answer.file;
  const types = { file: mimeType, generic: 'application/octet-stream', missing: undefined };
  const type = types[dialect.downloadContentType];
  const headers = {
    'content-length': String(size),
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    ...(type === undefined ? {} : { 'content-type': type }),
  };
  return { status: 200, headers, body: storage.files.content(id) };
}

/** What a web server in front of the service answers who does not send its user and password. */
export function basicChallenge(): Outgoing {
  const page = htmlPage(401, 'Unauthorized', 'This server asks for a user name and a password.');
  return { ...page, headers: { ...page.headers, 'www-authenticate': 'Basic realm="sandbox"' } };
}

/** A refused call: an `ng` body. The dialect decides how a refused key is answered. */
export function refusalAnswer(error: ServiceError, dialect: Dialect): Outgoing {
  const body = refusalBody(error);
  const usual = jsonAnswer(Number(dialect.failureStatus), body);
  if (error.refusal !== 'badKey') return usual;
  switch (dialect.badKey) {
    case 'ng':
      return usual;
    case 'login-page':
      return loginPage;
    case '401':
    case '403':
      return jsonAnswer(Number(dialect.badKey), body);
    default:
      return { status: Number(dialect.badKey.slice(0, 3)), headers: {}, body: '' };
  }
}
