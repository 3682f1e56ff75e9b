/** Who makes calls, as far as it matters for their order. */
export interface Caller {
  /** Callers with the same key share one turn: the calls of one execution, or of one poll. */
  readonly turn: unknown;
  /** A person waits for the answer: the editor's lists, the test of a credential. */
  readonly urgent: boolean;
}

/** Turns in their order, each with its waiting callers. */
type Turns<W> = Map<unknown, W[]>;

/**
 * Waiting callers in fair order: each turn once, then each turn once more, however many wait for it. Urgent ones go
 * first, but never twice in a row if others wait.
 */
export class FairQueue<W extends { readonly caller: Caller }> {
  private readonly urgent: Turns<W> = new Map();
  private readonly usual: Turns<W> = new Map();
  private lastWasUrgent = false;
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** @param first whether it goes before the others of its turn. */
  add(waiter: W, first = false): void {
    const turns = this.turnsOf(waiter);
    const turn = turns.get(waiter.caller.turn);
    if (turn === undefined) turns.set(waiter.caller.turn, [waiter]);
    else if (first) turn.unshift(waiter);
    else turn.push(waiter);
    this.count++;
  }

  /** Removes and returns the next one that fits. */
  take(fits: (waiter: W) => boolean): W | undefined {
    const order = this.lastWasUrgent ? [this.usual, this.urgent] : [this.urgent, this.usual];
    const waiting = order.flatMap((turns) => [...turns.values()]);
    const next = waiting.flatMap((turn) => turn.find(fits) ?? [])[0];
    if (next === undefined) return undefined;
    this.lastWasUrgent = next.caller.urgent;
    const turns = this.turnsOf(next);
    const turn = turns.get(next.caller.turn) ?? [];
    this.remove(next);
    // To the end of the turns.
    if (turns.delete(next.caller.turn) && turn.length > 0) turns.set(next.caller.turn, turn);
    return next;
  }

  /** Removes a caller that no longer waits. */
  remove(waiter: W): void {
    const turns = this.turnsOf(waiter);
    const turn = turns.get(waiter.caller.turn);
    const index = turn?.indexOf(waiter) ?? -1;
    if (turn === undefined || index === -1) return;
    turn.splice(index, 1);
    if (turn.length === 0) turns.delete(waiter.caller.turn);
    this.count--;
  }

  private turnsOf({ caller }: W): Turns<W> {
    return caller.urgent ? this.urgent : this.usual;
  }
}
