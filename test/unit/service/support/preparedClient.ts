import { ServiceClient } from '../../../../nodes/ApplicationDataService/service/http/client';
import type { ServiceError } from '../../../../nodes/ApplicationDataService/service/http/errors';
import { Limiters } from '../../../../nodes/ApplicationDataService/service/http/limiter';
import { RETRIES } from '../../../../nodes/ApplicationDataService/service/http/retry';
import {
  ConnectionError,
  type ServiceRequest,
  type ServiceResponse,
} from '../../../../nodes/ApplicationDataService/service/http/transport';
import { HurriedClock } from '../../../support/fakeClock';

export type Reply = ServiceResponse | ConnectionError;

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
export const lost = new ConnectionError('ECONNRESET', false);
export const refused = new ConnectionError('ECONNREFUSED', true);

/** A client whose transport returns prepared replies, and then always the last one. */
export function clientOf(...replies: Reply[]): {
  client: ServiceClient;
  requests: ServiceRequest[];
  waits: number[];
  /** The limiter's clock. */
  clock: HurriedClock;
  limiters: Limiters;
} {
  const requests: ServiceRequest[] = [];
  const waits: number[] = [];
  const clock = new HurriedClock();
  const limiters = new Limiters(clock);
  const client = new ServiceClient({
    base: new URL('https://host.example/dneo/'),
    dataModule: 'appsr.cgi',
    transport: async (request) => {
      const next = replies[Math.min(requests.length, replies.length - 1)]!;
      requests.push(request);
      return next instanceof ConnectionError ? await Promise.reject(next) : await Promise.resolve(next);
    },
    retries: { ...RETRIES, sleep: async (ms) => await Promise.resolve(void waits.push(ms)) },
    limiters,
  });
  return { client, requests, waits, clock, limiters };
}

/** How a call failed. */
export async function failureOf(call: Promise<unknown>): Promise<ServiceError> {
  return await call.then(
    () => Promise.reject(new Error('The call succeeded')),
    (error: unknown) => error as ServiceError,
  );
}
