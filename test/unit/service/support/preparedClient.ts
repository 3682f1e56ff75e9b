import { ServiceClient } from '../../../../nodes/ApplicationDataService/service/http/client';
import { ServiceError } from '../../../../nodes/ApplicationDataService/service/http/errors';
import { Limiters } from '../../../../nodes/ApplicationDataService/service/http/limiter';
import { RETRIES } from '../../../../nodes/ApplicationDataService/service/http/retry';
import {
  connectionFailure,
  type ServiceRequest,
  type ServiceResponse,
} from '../../../../nodes/ApplicationDataService/service/http/transport';
import { HurriedClock } from '../../../support/fakeClock';

export type Reply = ServiceResponse | ServiceError;

export const reply = (
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): ServiceResponse => ({
  status,
  headers,
  body,
});
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
