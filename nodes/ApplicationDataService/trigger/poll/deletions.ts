import { settle } from '../../util/concurrently';
import { counted } from '../../util/counted';
import { messageOf } from '../../util/userError';
import type { PollContext } from './context';
import { IDS_PER_REQUEST } from './readWhole';
import { eachInTime, type Budget } from './time';

/** Fewer losses than this are checked immediately, because a small application may really lose most of its records. */
const SUDDEN_LOSS = 10;
/** Size of the first portion, which is read however little time there is, and of the largest. */
const FIRST_PORTION = 4;
const MAX_IN_PORTION = 256;
const ALWAYS: Budget = { left: () => 1 };
/** So many lists of IDs that show nothing end the search for records that only left the filter. */
const MAX_IN_VAIN = 3;
/** How many reads may fail before a poll stops trying. */
const MAX_FAILED = 40;

/**
 * Finds out what happened to the records that scans did not meet. A record counts as deleted only if the service
 * refuses twice to read it, otherwise answers properly, and says afterwards that the application is running.
 */
export class MissingRecords<R, T> {
  private failures = 0;

  constructor(
    private readonly budget: Budget,
    private readonly context: PollContext<R, T>,
  ) {}

  /** @param room how many may be output. @throws failures of the service as a whole. */
  async settle(room: number): Promise<void> {
    const { state, settings, memory } = this.context;
    if (this.mustPostpone()) return;
    if (settings.narrowed) await this.findFilteredOut();
    const missing = state.records.missing();
    // Records that could not be read last time come last.
    const isUnreadable = (id: string): boolean => memory.unreadable.has(id);
    await this.portions(
      [...missing.filter((id) => !isUnreadable(id)), ...missing.filter(isUnreadable)],
      room,
    );
    if (state.records.missingSize > this.failures) return;
    state.settling = state.records.missingSize > 0;
    state.postponed = false;
  }

  /** Whether most records are missing at once: then their deletion is held back for one poll. */
  private mustPostpone(): boolean {
    const { state, warn } = this.context;
    const { records } = state;
    const lost = records.missing();
    if (state.postponed || lost.length < SUDDEN_LOSS || lost.length * 2 <= records.presentSize) return false;
    state.postponed = true;
    this.startOver(lost);
    state.settling = false;
    warn(
      `${lost.length} of ${records.presentSize} records are missing at once. The reason may be a withdrawn right, a changed filter or maintenance, so their deletion is held back for one poll`,
    );
    return true;
  }

  /**
   * Records that are there although they left the filter, by lists of their IDs: a filter may move on from thousands.
   */
  private async findFilteredOut(): Promise<void> {
    const { state, source } = this.context;
    const ids = state.records.missing();
    let inVain = 0;
    for (let start = 0; start < ids.length && this.budget.left() > 0; start += IDS_PER_REQUEST) {
      const present = await source.byIds(ids.slice(start, start + IDS_PER_REQUEST), false);
      // All of these may be gone; or the service cannot list by IDs.
      inVain = present.length === 0 ? inVain + 1 : 0;
      if (inVain === MAX_IN_VAIN) return;
      for (const { id } of present) state.records.markFilteredOut(id);
    }
  }

  /** In portions, so that a poll that runs out of time has settled as much as possible. */
  private async portions(ids: readonly string[], room: number): Promise<void> {
    const { settings, emitted } = this.context;
    const most = settings.events.has('deleted') ? emitted.length + room : Infinity;
    let size = FIRST_PORTION;
    for (let start = 0; start < ids.length;) {
      const few = Math.min(size, most - emitted.length);
      const begin = this.budget.left();
      if (few <= 0 || this.failures >= MAX_FAILED || (start > 0 && begin <= 0)) return;
      const tried = await this.portion(ids.slice(start, start + few), start === 0 ? ALWAYS : this.budget);
      if (tried === 0) return;
      start += tried;
      // As many as arrive in a quarter of the remaining time.
      if ((begin - this.budget.left()) * 8 < this.budget.left()) size = Math.min(MAX_IN_PORTION, size * 2);
    }
  }

  /** @returns how many of them were checked. */
  private async portion(ids: readonly string[], budget: Budget): Promise<number> {
    const { source, warn } = this.context;
    const first = await this.look(ids, budget);
    if (first.refused.length + first.failed.size > 0 && !(await source.answersWell())) {
      await source.assertRunning();
      for (const failure of first.failed.values()) throw failure;
      this.startOver(this.context.state.records.missing());
      warn(
        `${counted(first.refused.length, 'missing record')} cannot be read, but neither can others: nothing is reported as deleted`,
      );
      return 0;
    }
    this.unreadable(first.failed);
    // Error numbers do not say why the service refuses: it may have been in trouble just when these were read.
    const second = await this.look(first.refused, budget);
    this.unreadable(second.failed);
    // An application that is not running may refuse everything, and count nothing.
    if (second.refused.length > 0) await source.assertRunning();
    for (const id of second.refused) await this.deleted(id);
    return first.tried;
  }

  /** Reads records one by one to find out whether they exist. @throws failures of the service as a whole. */
  private async look(
    ids: readonly string[],
    budget: Budget,
  ): Promise<{ tried: number; refused: readonly string[]; failed: ReadonlyMap<string, unknown> }> {
    const { source, settings } = this.context;
    const { records, waiting } = this.context.state;
    const refused = new Set<string>();
    const failed = new Map<string, unknown>();
    let tried = 0;
    await eachInTime(ids, budget, async (id) => {
      const read = await settle(async () => await source.read(id));
      if ('error' in read && source.troubleOf(read.error) === 'service') throw read.error;
      tried++;
      if ('error' in read) failed.set(id, read.error);
      else if (read.value === null) refused.add(id);
      // With a filter, it left it. Else it moved between pages while these were read, or the list cannot show it.
      else if (settings.narrowed) records.markFilteredOut(id);
      else {
        const { revision } = read.value;
        records.forgetMissing(id);
        if (records.get(id)?.revision !== revision && !waiting.has(id))
          waiting.set(id, { tries: 0, revision });
      }
    });
    return { tried, refused: ids.filter((id) => refused.has(id)), failed };
  }

  /** These are not missing until the next scan, which is due at once, has looked again. */
  private startOver(ids: readonly string[]): void {
    const { state } = this.context;
    for (const id of ids) state.records.forgetMissing(id);
    state.lastFullScan = 0;
  }

  /** Reading them fails, but reading others does not. They stay missing and do not delay anything. */
  private unreadable(failed: ReadonlyMap<string, unknown>): void {
    const { memory, warn } = this.context;
    this.failures += failed.size;
    for (const [id, failure] of failed) {
      if (memory.unreadable.has(id)) continue;
      memory.unreadable.add(id);
      warn(
        `Record ${id} is missing from the list, and reading it fails; the trigger will try again: ${messageOf(failure)}`,
      );
    }
  }

  private async deleted(id: string): Promise<void> {
    const { state, settings, deliver, memory, emitted } = this.context;
    const known = state.records.get(id);
    if (known === undefined) return;
    if (settings.events.has('deleted')) {
      const { revision: previousRevision, values: before } = known;
      const unread = { revision: null, record: null, after: undefined, changed: null };
      const change = { event: 'deleted', id, previousRevision, before, ...unread } as const;
      const delivery = await deliver(change, true, 1);
      if ('item' in delivery) emitted.push({ event: 'deleted', id, item: delivery.item });
    }
    state.records.remove(id);
    state.waiting.delete(id);
    memory.unreadable.delete(id);
  }
}
