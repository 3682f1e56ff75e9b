import { Receiver } from './receiver';
import type { Fault } from './sandboxTypes';

/** Which calls are held, and when: before they are worked off unless told otherwise. */
export type HeldCalls = Pick<Fault, 'action' | 'skip' | 'times'> & { readonly when?: 'before' | 'after' };

/** A call that is held. */
export interface HeldCall {
  readonly when: 'before' | 'after';
  readonly action: string;
  /** ID of the record, as it was sent; several in one text; empty without one. */
  readonly record: string;
}

/** Lets tests act while the sandbox holds a call, whatever the load of the machine. */
export class Holds {
  readonly #receivers: Receiver[] = [];
  readonly #failures: Error[] = [];

  /** A fault that holds the calls it meets until `act` is done; `round` counts them from 1. */
  async during(which: HeldCalls, act: (round: number, call: HeldCall) => unknown): Promise<Fault> {
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

  /** @throws what the test's own acts have thrown. */
  async end(): Promise<void> {
    await Promise.all(this.#receivers.splice(0).map(async (receiver) => await receiver.stop()));
    const [failure] = this.#failures.splice(0);
    if (failure !== undefined) throw failure;
  }
}
