import { counted } from '../../util/counted';
import { messageOf } from '../../util/userError';
import { doubtAway } from './away';
import type { PartOfPoll, PollContext } from './context';
import { lookFor } from './lookFor';
import type { Budget, Given } from './settings';

/** Fewer losses than this are checked immediately, because a small application may really lose most of its records. */
const SUDDEN_LOSS = 10;
/** Size of the first portion, small enough for a slow service. Each further portion is twice as large. */
const FIRST_PORTION = 4;
const MOST_IN_PORTION = 256;
/** How many reads may fail before a poll stops trying. */
const MOST_FAILED = 40;

/**
 * Finds out what happened to the records that scans did not meet. A record counts as deleted only if the service refuses twice to read
 * it, otherwise answers properly, and says afterwards that the application is running. With a filter it may have left the
 * filter. Never throws.
 */
export async function settleMissing<R, T>(
  room: number,
  budget: Budget,
  context: PollContext<R, T>,
): Promise<PartOfPoll<T>> {
  const settling = new Settling(budget, context);
  try {
    await settling.run(room);
  } catch (failure) {
    return { given: settling.given, failure };
  }
  return { given: settling.given };
}

class Settling<R, T> {
  readonly given: Given<T>[] = [];
  private failures = 0;

  constructor(
    private readonly budget: Budget,
    private readonly context: PollContext<R, T>,
  ) {}

  /** @throws failures of the service as a whole. */
  async run(room: number): Promise<void> {
    const { state, warn } = this.context;
    const lost = this.lost();
    if (this.isSudden(lost.length)) {
      state.heldBack = true;
      state.settling = false;
      state.lastFullScan = 0;
      for (const id of lost) state.records.forgetMissing(id);
      warn(
        `${lost.length} of ${state.records.presentSize} records are missing at once. The reason may be a withdrawn right, a changed filter or maintenance, so their deletion is held back for one poll`,
      );
      return;
    }
    doubtAway(this.context);
    await this.portions(this.inTurn(state.records.missing()), room);
    if (state.records.missingSize > this.failures) return;
    state.settling = state.records.missingSize > 0;
    state.heldBack = false;
  }

  /** Records that a scan did not meet, except those outside the filter. */
  private lost(): string[] {
    const { records } = this.context.state;
    return records.missing().filter((id) => !records.isAway(id));
  }

  /** Records that could not be read last time come last. */
  private inTurn(ids: readonly string[]): string[] {
    const { unreadable } = this.context.memory;
    return [...ids.filter((id) => !unreadable.has(id)), ...ids.filter((id) => unreadable.has(id))];
  }

  private isSudden(count: number): boolean {
    const { heldBack, records } = this.context.state;
    return !heldBack && count >= SUDDEN_LOSS && count * 2 > records.presentSize;
  }

  /** In portions, so that a poll that runs out of time has settled as much as possible. */
  private async portions(ids: readonly string[], room: number): Promise<void> {
    const { events } = this.context.settings;
    const most = events.has('deleted') ? room : Infinity;
    let size = FIRST_PORTION;
    for (let start = 0; start < ids.length;) {
      const isFirst = start === 0;
      const few = Math.min(size, most - this.given.length);
      if (few <= 0 || this.failures >= MOST_FAILED || (!isFirst && this.budget.left() <= 0)) return;
      const portion = ids.slice(start, start + few);
      const begin = this.budget.left();
      const tried = await this.portion(portion, isFirst);
      if (tried === 0) return;
      start += tried;
      // As many as arrive in a quarter of the remaining time.
      if ((begin - this.budget.left()) * 8 < this.budget.left()) size = Math.min(MOST_IN_PORTION, size * 2);
    }
  }

  /** @returns how many of them were checked. */
  private async portion(ids: readonly string[], isFirst: boolean): Promise<number> {
    const { source } = this.context;
    const first = await lookFor(ids, source, isFirst ? null : this.budget);
    if (this.there(first.there)) return 0;
    if (first.refused.length + first.failed.size > 0 && !(await source.answersWell())) {
      await source.assertRunning();
      for (const failure of first.failed.values()) throw failure;
      this.doubt(first.refused.length);
      return 0;
    }
    this.unreadable(first.failed);
    // Error numbers do not say why the service refuses: it may have been in trouble just when these were read.
    const second = await lookFor(first.refused, source, isFirst ? null : this.budget);
    this.unreadable(second.failed);
    if (this.there(second.there)) return 0;
    if (second.refused.length > 0) {
      // An application that is not running may refuse everything, and count nothing.
      await source.assertRunning();
      for (const id of second.refused) await this.deleted(id);
    }
    return first.tried;
  }

  private doubt(count: number): void {
    const { warn } = this.context;
    this.startOver();
    warn(
      `${counted(count, 'missing record')} cannot be read, but neither can others: nothing is reported as deleted`,
    );
  }

  /** Nothing is missing until the next scan, which is due at once, has looked again. */
  private startOver(): void {
    const { records } = this.context.state;
    for (const id of records.missing()) records.forgetMissing(id);
    this.context.state.lastFullScan = 0;
  }

  /** Reading them fails, but reading others does not. They stay missing and do not delay anything. */
  private unreadable(failed: ReadonlyMap<string, unknown>): void {
    const { memory, warn, state } = this.context;
    this.failures += failed.size;
    for (const [id, failure] of failed) {
      if (state.records.isAway(id)) state.records.forgetMissing(id);
      if (memory.unreadable.has(id)) continue;
      memory.unreadable.add(id);
      warn(
        `Record ${id} is missing from the list, and reading it fails; the trigger will try again: ${messageOf(failure)}`,
      );
    }
  }

  /** @returns whether the list was read in a way that leaves records out: then the others may be there, too. */
  private there(ids: readonly string[]): boolean {
    const { state, settings, memory } = this.context;
    for (const id of ids) {
      if (settings.narrowed) state.records.markAway(id);
      // It moved between pages while these were read. The next scan will find it.
      else state.records.forgetMissing(id);
    }
    if (ids.length === 0 || !memory.byId.isProved) return false;
    // Pages that begin with an id cannot lose records on the way.
    memory.byId.doubt();
    this.startOver();
    return true;
  }

  private async deleted(id: string): Promise<void> {
    const { state, settings, deliver, memory } = this.context;
    const known = state.records.get(id);
    if (known === undefined) return;
    // The deletion of a record outside the filter is not reported.
    if (settings.events.has('deleted') && !state.records.isAway(id)) {
      const { revision: previousRevision, values: before } = known;
      const delivery = await deliver({ event: 'deleted', id, previousRevision, before }, null, 1);
      if ('item' in delivery) this.given.push({ event: 'deleted', id, item: delivery.item });
    }
    state.records.remove(id);
    state.waiting.delete(id);
    memory.unreadable.delete(id);
    memory.tries.delete(id);
  }
}
