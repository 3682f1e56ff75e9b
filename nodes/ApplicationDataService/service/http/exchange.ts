import { httpFailure, queueIsFull } from './answer';
import { ServiceError } from './errors';
import type { Gates } from './pace/gates';
import type { Admission, Permit, Wish } from './pace/admission';
import type { ServiceResponse } from './transport';
import type { Waits } from './waits';

/** Where calls wait for their turn. */
export interface Pace {
  readonly gates: Gates;
  /** Origin and directory of the base URL. */
  readonly service: string;
  /** How long calls have waited. */
  readonly waits: Waits;
}

/** Sends the request again each time it is called. */
export type Send = () => Promise<ServiceResponse>;

/** Checks an answer and reads the result from it. */
export type Read<T> = (response: ServiceResponse) => Promise<T> | T;

/** The result from an answer, or that the service's queue is full. */
type Exchanged<T> = { readonly value: T } | { readonly fullFor: number | undefined };

/**
 * One exchange with the service, in its turn: waits for a permit, and again after each 429, which does not count as a try. The permit is
 * held until the answer was read or dropped, even if the caller no longer waits.
 * @throws ServiceError `cancelled`, or `busy` if the service refused everybody for too long; failures that `send` and `read`
 * throw.
 */
export async function exchange<T>(
  { gates, service, waits }: Pace,
  wish: Wish,
  send: Send,
  read: Read<T>,
): Promise<T> {
  let admission = await waits.during(gates.enter(service, wish));
  for (;;) {
    const permit = permitOf(admission);
    const exchanged = await usePermit(permit, send, read);
    if ('value' in exchanged) return exchanged.value;
    admission = await waits.during(permit.refused(exchanged.fullFor));
  }
}

function permitOf(admission: Admission): Permit {
  if ('permit' in admission) return admission.permit;
  if ('closed' in admission) throw queueIsFull(admission.closed);
  throw new ServiceError('cancelled', 'The execution was cancelled', 'Nothing more was sent.');
}

async function usePermit<T>(permit: Permit, send: Send, read: Read<T>): Promise<Exchanged<T>> {
  let response: ServiceResponse | undefined;
  let isFull = false;
  try {
    response = await send();
    isFull = response.status === 429;
    if (isFull) return { fullFor: httpFailure(response, '').details.retryAfterMs };
    // The answer of a proxy does not show that the service's queue has room.
    if (response.status < 502) permit.accepted();
    return { value: await read(response) };
  } finally {
    drop(response?.body);
    if (!isFull) permit.end();
  }
}

/** Drops the rest of a streamed body. */
function drop(body: unknown): void {
  if (typeof body !== 'object' || body === null || !('destroy' in body)) return;
  (body as { destroy(): void }).destroy();
}
