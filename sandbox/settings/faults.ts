/** What a fault does to a call. Times are milliseconds. */
export type FaultEffect =
  | {
      readonly kind: 'latency';
      /** `network`: before the call reaches the queue; `work`: while it holds the queue. */
      readonly where: 'network' | 'work';
      readonly ms: number;
      /** The most milliseconds that are added at random. */
      readonly jitterMs?: number;
      /** Milliseconds for each item that a list returns, while it holds the queue, wherever the rest is spent. */
      readonly itemMs?: number;
    }
  | {
      readonly kind: 'status';
      readonly status: number;
      /** Value of the header Retry-After; no header if left out. */
      readonly retryAfter?: string | number;
      readonly body?: string;
      readonly when?: 'before' | 'after';
    }
  | {
      readonly kind: 'ng';
      readonly errorno: number;
      readonly message: string;
      readonly partKey?: string;
      /** HTTP status of the refusal; the dialect's if left out. */
      readonly status?: number;
      /** `after`: does the work, then refuses, as a service does whose automatic processing fails. */
      readonly when?: 'before' | 'after';
    }
  | { readonly kind: 'drop'; readonly when: 'before' | 'after' }
  | {
      readonly kind: 'cut';
      /** Share of the body that is sent, 0 to 1. */
      readonly share?: number;
      /** `clean`: a complete answer that is not JSON; `abort`: the connection breaks in the middle of the body. */
      readonly how?: 'clean' | 'abort';
    }
  | { readonly kind: 'html'; readonly status?: number; readonly when?: 'before' | 'after' }
  | { readonly kind: 'slow'; readonly ms: number }
  | { readonly kind: 'redirect'; readonly location: string; readonly status?: number }
  | { readonly kind: 'down'; readonly ms: number; readonly when?: 'before' | 'after' }
  /**
   * For tests that act at a certain moment of a call. A wait of some milliseconds would be too short on a busy machine.
   */
  | { readonly kind: 'hold'; readonly address: string; readonly when?: 'before' | 'after' };

/** A fault, and the calls that it affects. */
export type Fault = FaultEffect & {
  /** The action that it affects; all if left out. */
  readonly action?: string;
  /** How many calls it affects; all if left out. */
  readonly times?: number;
  /** How many calls it skips first. */
  readonly skip?: number;
};

/** What each kind of fault does, in one line, and the keys that it cannot do without. */
export const faultKinds: Readonly<Record<FaultEffect['kind'], readonly [about: string, ...needs: string[]]>> =
  {
    latency: ['delays the call, before the queue (network) or in it (work)', 'where', 'ms'],
    status: ['answers with an HTTP status, with or without Retry-After, before or after the work', 'status'],
    ng: [
      'refuses the call with any error number, message and HTTP status, before or after the work',
      'errorno',
      'message',
    ],
    drop: ['breaks the connection before or after the work', 'when'],
    cut: ['sends only part of the body: as a complete answer, or until the connection breaks'],
    html: ['answers with an HTML page, before or after the work'],
    slow: ['sends the body slowly', 'ms'],
    redirect: ['redirects the caller to another address', 'location'],
    down: ['stops listening for a time, before or after the work', 'ms'],
    hold: ['calls an address and waits for its answer, before the queue or after the work', 'address'],
  };

const words: Readonly<Record<string, readonly string[]>> = {
  where: ['network', 'work'],
  when: ['before', 'after'],
  how: ['clean', 'abort'],
};
const amounts = ['times', 'skip', 'ms', 'jitterMs', 'itemMs', 'share'];

/**
 * @param actions the existing actions
 * @throws {@link RangeError} saying what is wrong with it
 */
export function checkFault(value: unknown, actions: readonly string[]): Fault {
  const fault = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const kind = String(fault.kind);
  if (!Object.hasOwn(faultKinds, kind)) {
    throw new RangeError(`The kind of a fault must be one of: ${Object.keys(faultKinds).join(', ')}`);
  }
  const [, ...needs] = faultKinds[kind as FaultEffect['kind']];
  const missing = needs.find((name) => fault[name] === undefined);
  if (missing !== undefined) throw new RangeError(`A fault of the kind "${kind}" needs "${missing}"`);
  for (const [name, allowed] of Object.entries({ ...words, action: actions })) {
    if (fault[name] === undefined || allowed.includes(fault[name] as string)) continue;
    throw new RangeError(`The "${name}" of a fault must be one of: ${allowed.join(', ')}`);
  }
  const wrong = amounts.find((name) => fault[name] !== undefined && !(Number(fault[name]) >= 0));
  if (wrong !== undefined) throw new RangeError(`The "${wrong}" of a fault must be a number, 0 or more`);
  const { status = 200 } = fault;
  if (!(Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 599)) {
    throw new RangeError('The "status" of a fault must be an integer from 200 to 599');
  }
  return fault as Fault;
}

interface ActiveFault {
  readonly fault: Fault;
  skip: number;
  left: number;
}

/** The faults that are set. */
export class Faults {
  #active: ActiveFault[] = [];

  /** Replaces all faults. */
  set(faults: readonly Fault[]): void {
    this.#active = faults.map((fault) => ({
      fault,
      skip: fault.skip ?? 0,
      left: fault.times ?? Number.POSITIVE_INFINITY,
    }));
  }

  /** Counts a call and returns the faults that affect it. */
  take(action: string): Fault[] {
    const met = this.#active.filter(({ fault }) => fault.action === undefined || fault.action === action);
    const struck = met.filter((active) => active.skip-- <= 0);
    for (const active of struck) active.left--;
    this.#active = this.#active.filter(({ left }) => left > 0);
    return struck.map(({ fault }) => fault);
  }
}

/** Waits as long as the latency faults of a place require. */
export async function delay(faults: readonly Fault[], where: 'network' | 'work'): Promise<void> {
  for (const fault of faults) {
    if (fault.kind !== 'latency' || fault.where !== where) continue;
    await sleep(fault.ms + Math.random() * (fault.jitterMs ?? 0));
  }
}

/** Waits as long as latency faults require for the items that a list returns. */
export async function delayForItems(faults: readonly Fault[], items: number): Promise<void> {
  for (const fault of faults) {
    if (fault.kind === 'latency' && fault.itemMs !== undefined) await sleep(fault.itemMs * items);
  }
}

/** What a hold fault sends to its address. */
export interface HeldCall {
  readonly when: 'before' | 'after';
  readonly action: string;
  /** The record ID or IDs of the call, as they were sent; empty if there is none. */
  readonly record: string;
}

/**
 * Waits until the addresses of this moment's hold faults have answered, whatever the answer.
 * @throws if one cannot be reached.
 */
export async function hold(faults: readonly Fault[], call: HeldCall): Promise<void> {
  for (const fault of faults) {
    if (fault.kind !== 'hold' || (fault.when ?? 'before') !== call.when) continue;
    const answer = await fetch(fault.address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(call),
    });
    await answer.body?.cancel();
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
