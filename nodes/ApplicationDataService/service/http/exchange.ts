import { httpFailure, queueIsFull } from './answer';
import { cancelled } from './errors';
import type { Admission, Permit } from './pace/limiter';
import type { ServiceResponse } from './transport';

/** Checks an answer and reads the result from it. */
export type Read<T> = (response: ServiceResponse) => Promise<T> | T;

/** The result from an answer, or that the service's queue is full. */
type Exchanged<T> = { readonly value: T } | { readonly fullFor: number | undefined };

/**
 * One exchange with the service, in its turn: waits for a permit, and again after each 429, which does not count as a
 * try. The permit is held until the answer was read or dropped, even if the caller no longer waits.
 * @param enter waits for a permit.
 * @param send sends the request again each time it is called.
 * @param waits counts how long the call waits and runs.
 * @throws ServiceError `cancelled`, or `busy` if the service refused everybody for too long; failures that `send` and
 * `read` throw.
 */
export async function exchange<T>(
  enter: () => Promise<Admission>,
  send: () => Promise<ServiceResponse>,
  read: Read<T>,
  waits: Waits,
): Promise<T> {
  let admission = await waits.count('waiting', enter);
  for (;;) {
    const permit = permitOf(admission);
    const exchanged = await usePermit(permit, async () => await waits.count('working', send), read);
    if ('value' in exchanged) return exchanged.value;
    admission = await waits.count('waiting', async () => await permit.refused(exchanged.fullFor));
  }
}

function permitOf(admission: Admission): Permit {
  if ('permit' in admission) return admission.permit;
  throw 'refusesAll' in admission ? queueIsFull(admission.refusesAll) : cancelled();
}

async function usePermit<T>(
  permit: Permit,
  send: () => Promise<ServiceResponse>,
  read: Read<T>,
): Promise<Exchanged<T>> {
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

/** How long a caller's calls have waited for their turn while none of its calls was running. */
export class Waits {
  private readonly calls = { waiting: 0, working: 0 };
  private sum = 0;
  /** When the number of calls changed last. */
  private since = 0;

  /** @param now milliseconds since an arbitrary start. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Calls that have their turn now. */
  get working(): number {
    return this.calls.working;
  }

  /** Milliseconds so far, those of calls that still wait included. */
  get milliseconds(): number {
    const { waiting, working } = this.calls;
    return waiting > 0 && working === 0 ? this.sum + this.now() - this.since : this.sum;
  }

  /** Waits for what decides on a turn, or does what it is for. */
  async count<T>(kind: 'waiting' | 'working', task: () => Promise<T>): Promise<T> {
    this.change(kind, 1);
    try {
      return await task();
    } finally {
      this.change(kind, -1);
    }
  }

  private change(kind: 'waiting' | 'working', by: number): void {
    this.sum = this.milliseconds;
    this.since = this.now();
    this.calls[kind] += by;
  }
}
