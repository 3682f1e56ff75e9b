import type { Part } from '../../../../nodes/ApplicationDataService/parts/model/part';
import { ApplicationSession } from '../../../../nodes/ApplicationDataService/service/application/session';
import { RETRIES, ServiceClient } from '../../../../nodes/ApplicationDataService/service/http/client';
import { ServiceError } from '../../../../nodes/ApplicationDataService/service/http/errors';
import { Limiters } from '../../../../nodes/ApplicationDataService/service/http/limiter';
import {
  connectionFailure,
  type ServiceRequest,
  type ServiceResponse,
} from '../../../../nodes/ApplicationDataService/service/http/transport';
import { HurriedClock } from '../../../support/fakeClock';
import { streamedBody } from '../../../support/streamedBody';
import { makePart } from '../../parts/support/parts';

export type Reply = ServiceResponse | ServiceError;

export const reply = (
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): ServiceResponse => ({ status, headers, body });
export const ok = reply(200, { status: 'ok', ID: '1' });

/** No answer: Node.js' error code for what happened. */
export const noAnswer = (code: string): ServiceError =>
  connectionFailure({ code }, 'https://host.example/dneo/appsr.cgi');
export const lost = noAnswer('ECONNRESET');
export const refused = noAnswer('ECONNREFUSED');

interface Prepared {
  readonly client: ServiceClient;
  /** Another one, which a signal ends. */
  make(signal?: AbortSignal): ServiceClient;
  readonly requests: readonly ServiceRequest[];
  /** The waits between tries. */
  readonly waits: readonly number[];
  /** The limiter's clock. */
  readonly clock: HurriedClock;
  readonly limiters: Limiters;
}

/** A client whose transport returns prepared replies, or makes them, and then always the last one. */
export function clientOf(
  ...replies: readonly (Reply | ((request: ServiceRequest) => Promise<ServiceResponse>))[]
): Prepared {
  const requests: ServiceRequest[] = [];
  const waits: number[] = [];
  const clock = new HurriedClock();
  const limiters = new Limiters(clock);
  const make = (signal?: AbortSignal): ServiceClient =>
    new ServiceClient({
      base: new URL('https://host.example/dneo/'),
      dataModule: 'appsr.cgi',
      transport: async (request) => {
        const next = replies[Math.min(requests.length, replies.length - 1)]!;
        requests.push(request);
        if (next instanceof ServiceError) throw next;
        return typeof next === 'function' ? await next(request) : next;
      },
      retries: { ...RETRIES, sleep: async (ms) => await Promise.resolve(void waits.push(ms)) },
      limiters,
      ...(signal !== undefined && { signal }),
    });
  return { client: make(), make, requests, waits, clock, limiters };
}

/** How a call failed. */
export async function failureOf(call: Promise<unknown>): Promise<ServiceError> {
  return await call.then(
    () => Promise.reject(new Error('The call succeeded')),
    (error: unknown) => error as ServiceError,
  );
}

/** The form fields of a call. */
export type Call = Readonly<Record<string, string>>;

/** What a service says to a call: the keys of a successful answer, or a refusal. */
export type Said = Readonly<Record<string, unknown>> | 'refused';

export interface PreparedApplication {
  readonly app: ApplicationSession;
  readonly calls: readonly Call[];
  /** Calls of one action. */
  of(action: string): Call[];
}

/** An application of a service that is only a function, for cases in which the sandbox is too slow or too correct. */
export function applicationOf(parts: readonly Part[], say: (call: Call) => Said): PreparedApplication {
  const calls: Call[] = [];
  const definition = { id: '301', name: 'Goods', app_status: 'running' };
  const { client } = clientOf(async ({ body, stream }) => {
    const call = Object.fromEntries(body as URLSearchParams) as Call;
    calls.push(call);
    const said = call.action === 'get_app' ? definition : say(call);
    const ng = { status: 'ng', errorno: -1, errormessage: 'no' };
    const answer = said === 'refused' ? ng : { status: 'ok', ...said };
    return await Promise.resolve(reply(200, stream === true ? streamedBody(answer) : answer));
  });
  const own = makePart('id', { id: '1', name: 'ID', system: true, readOnly: true });
  const app = new ApplicationSession(client, '301', {
    ...{ id: '301', name: 'Goods', status: 'running', overview: '', portalIcon: '', palletMenuIcon: '' },
    ...{ parts: [own, ...parts], raw: {} },
  });
  return { app, calls, of: (action) => calls.filter((call) => call.action === action) };
}

/** One value of a record as the service returns it. */
export const val = (value: unknown): { val: unknown } => ({ val: value });
