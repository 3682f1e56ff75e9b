import { Receiver } from './receiver';
import type { Fault } from './sandboxTypes';

/** Which calls are held, and whether before (the default) or after the sandbox processes them. */
export type HeldCalls = Pick<Fault, 'action' | 'skip' | 'times'> & { readonly when?: 'before' | 'after' };

/** A call that the sandbox holds. */
export interface HeldCall {
  readonly when: 'before' | 'after';
  readonly action: string;
  /** The record IDs as they were sent, in one text; empty if the call has none. */
  readonly record: string;
}

/** Lets a test act while the sandbox holds a call, however slow the machine is. */
export class Holds {
  readonly #receivers: Receiver[] = [];
  readonly #failures: Error[] = [];

  /** Returns a fault that holds each call it applies to until `act` is done. `count` numbers these calls from 1. */
  async during(which: HeldCalls, act: (count: number, call: HeldCall) => unknown): Promise<Fault> {
    const receiver = await Receiver.start();
    this.#receivers.push(receiver);
    receiver.answer = async ({ body }, response) => {
      try {
        await act(receiver.received.length, body as unknown as HeldCall);
      } catch (error) {
        this.#failures.push(error as Error);
      }
      response.end('{}');
    };
    return { ...which, kind: 'hold', address: receiver.address };
  }

  /** @throws the first error that a test's `act` has thrown. */
  async end(): Promise<void> {
    await Promise.all(this.#receivers.splice(0).map(async (receiver) => await receiver.stop()));
    const [failure] = this.#failures.splice(0);
    if (failure !== undefined) throw failure;
  }
}
