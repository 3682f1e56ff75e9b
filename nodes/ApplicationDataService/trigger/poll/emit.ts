import { isRefusal, ServiceError } from '../../service/http/errors';
import { allOf, settle } from '../../util/concurrently';
import { counted } from '../../util/counted';
import { messageOf } from '../../util/userError';
import type { Listing } from '../source/recordSource';
import { type Budget, LateError, type PollTime } from '../source/time';
import type { Version } from '../source/version';
import type { Remembered } from '../state/recordTable';
import { changedParts, isLearned, judge, remembered } from './compare';
import type { EventName, PollContext } from './context';

/** How many polls try to read a record or one of its files before it is output without it. */
const MAX_TRIES = 3;
/** How many records may wait. More are a sign that the service is in trouble. */
const MAX_WAITING = 100;

/** A record that was found new or changed, but is not yet read whole and output. */
export interface Candidate {
  readonly id: string;
  /** As the list showed it; `null` if it is tried again. */
  readonly version: Version | null;
  /** Its place in that list; -1 if it is not known. */
  readonly offset: number;
}

/** With at least so many candidates near each other, their part of the list is read. */
const MIN_STRETCH = 20;
/** So many other records are read with each of them at most. */
const MAX_GAP = 4;
/** Fewer are read one by one. */
const MIN_LIST = 5;
/** How many IDs go into one filter: few enough for any limit on the length of a condition. */
export const IDS_PER_REQUEST = 100;
/** They hide the network's latency; more would only wait in the service's queue. */
const AT_ONCE = 4;
/** What had less of a poll's time may come in the next one. */
const LEAST_SHARE = 0.1;
/** After so many items, the process does what else there is. */
const ITEMS_AT_ONCE = 20;

/**
 * Does something for each entry, several at once: for the first one always, so that every poll makes progress, for the
 * others as long as there is time. @throws the first failure; then nothing more is begun.
 */
export async function eachInTime<E>(
  entries: readonly E[],
  budget: Budget,
  task: (entry: E) => Promise<void>,
): Promise<void> {
  const tasks = entries.map((entry, index) => async () => {
    if (index === 0 || budget.left() > 0) await task(entry);
  });
  await allOf(tasks, AT_ONCE);
}

/** Whether a failure may be about one record or file alone; any other is about the service, or what is asked of it. */
export function isOfOne(failure: unknown): boolean {
  if (!(failure instanceof ServiceError) || failure.details.status === 429) return false;
  return ['refused', 'lost', 'badAnswer', 'busy'].includes(failure.kind);
}

/** Whether something was late only because there was little time left: that says nothing about the record. */
export function wasShort(failure: unknown, withinMs: number, { total }: Pick<PollTime, 'total'>): boolean {
  return failure instanceof LateError && withinMs < total * LEAST_SHARE;
}

/**
 * Reads candidates whole, makes items from them and remembers them as output. Each is output, or waits, or is output in
 * part after enough tries, as long as there is time; in the order of the candidates. Never throws.
 * @param order of the list in which they were found.
 * @returns the first candidate that was neither output nor waits, and the failure that ended it early.
 */
export async function emit<T>(
  candidates: readonly Candidate[],
  order: Listing['order'],
  budget: Budget,
  context: PollContext<T>,
): Promise<{ readonly left: Candidate | null; readonly failure: Error | undefined }> {
  const { emitted } = context;
  const before = emitted.length;
  const emission = new Emission(candidates, order, budget, context);
  const outcome = await settle(async () => await emission.run());
  // One whose files took less time was done before others.
  const place = new Map(candidates.map(({ id }, index) => [id, index]));
  emitted.push(...emitted.splice(before).sort((one, other) => place.get(one.id)! - place.get(other.id)!));
  const left = candidates.find(({ id }) => !emission.closed.has(id)) ?? null;
  return { left, failure: 'error' in outcome ? (outcome.error as Error) : undefined };
}

class Emission<T> {
  /** IDs of those that were output, or wait, or turned out to need neither. */
  readonly closed = new Set<string>();
  private readonly whole = new Map<string, Version>();
  private readonly failed = new Map<string, unknown>();

  constructor(
    private readonly candidates: readonly Candidate[],
    private readonly order: Listing['order'],
    private readonly budget: Budget,
    private readonly context: PollContext<T>,
  ) {}

  /** @throws failures of the service as a whole. */
  async run(): Promise<void> {
    const { candidates, budget, context } = this;
    for (const { version } of candidates)
      if (version?.record !== undefined) this.whole.set(version.id, version);
    const read = await settle(async () => await this.read());
    let done = 0;
    const ready = candidates.filter(({ id }) => this.whole.has(id));
    await eachInTime(ready, budget, async (candidate) => {
      if (++done % ITEMS_AT_ONCE === 0) await context.source.pause();
      await this.item(candidate, this.whole.get(candidate.id)!);
    });
    if ('error' in read) throw read.error;
    if (this.failed.size > 0) await this.wait();
  }

  /** @throws failures of the service as a whole. */
  private async read(): Promise<void> {
    for (const stretch of this.stretches())
      await this.unlessOfOne(async () => await this.readStretch(stretch));
    await this.unlessOfOne(async () => await this.readByIds());
    const { source } = this.context;
    await eachInTime(this.unread(), this.budget, async ({ id }) => {
      const withinMs = this.withinMs();
      const read = await settle(async () => await source.read(id, withinMs));
      if ('value' in read && read.value !== null) {
        this.whole.set(id, read.value);
        return;
      }
      const failure = 'error' in read ? read.error : refused(id);
      if (!isOfOne(failure)) throw failure;
      if (wasShort(failure, withinMs, this.context.time)) return;
      this.failed.set(id, failure);
      // Is it this record, or the service? Otherwise each of thousands would be tried, again and again.
      if (this.failed.size === 1) await this.assertOthersRead();
    });
  }

  /** For one call, so that others have time, too. */
  private withinMs(): number {
    return Math.max(1, Math.min(this.context.time.left() / 2, this.budget.left()));
  }

  private unread(): Candidate[] {
    return this.candidates.filter(({ id }) => !this.whole.has(id) && !this.failed.has(id));
  }

  /** A list that fails is no harm: its records are read in another way. */
  private async unlessOfOne(read: () => Promise<void>): Promise<void> {
    const outcome = await settle(read);
    if ('error' in outcome && (!isOfOne(outcome.error) || isRefusal(outcome.error))) throw outcome.error;
  }

  private async assertOthersRead(): Promise<void> {
    const { source, state } = this.context;
    const isRead = [...this.whole.values()].some(({ record }) => record !== undefined);
    if (!isRead) await source.assertOthersRead(state.records.lastListed, this.withinMs());
  }

  /** Unread candidates that are near each other in the list. */
  private stretches(): Candidate[][] {
    const stretches: Candidate[][] = [];
    const inOrder = this.unread().sort((one, other) => one.offset - other.offset);
    for (const candidate of inOrder) {
      if (candidate.offset < 0) continue;
      const last = stretches.at(-1);
      if (last !== undefined && candidate.offset - last.at(-1)!.offset <= MAX_GAP) last.push(candidate);
      else stretches.push([candidate]);
    }
    return stretches.filter(({ length }) => length >= MIN_STRETCH);
  }

  private async readStretch(stretch: readonly Candidate[]): Promise<void> {
    const { offset } = stretch[0]!;
    const terms = { from: { offset }, limit: stretch.at(-1)!.offset - offset + 1 };
    for await (const versions of this.context.source.list({ order: this.order, whole: true }, terms)) {
      this.take(versions, stretch);
      if (this.budget.left() <= 0) return;
    }
  }

  private async readByIds(): Promise<void> {
    const { source } = this.context;
    for (let open = this.unread(); open.length >= MIN_LIST && this.budget.left() > 0;) {
      const some = open.splice(0, IDS_PER_REQUEST);
      const ids = some.map(({ id }) => id);
      const withinMs = this.withinMs();
      const versions = await source.listByIds(ids, true, false, withinMs);
      if (versions === null) return;
      this.take(versions, some);
    }
  }

  private take(versions: readonly Version[], wanted: readonly Candidate[]): void {
    const ids = new Set(wanted.map(({ id }) => id));
    for (const version of versions)
      if (ids.has(version.id) && version.record !== undefined) this.whole.set(version.id, version);
  }

  /** Outputs a record that was read. One that waited is compared again: it may be unchanged, or have been output. */
  private async item(candidate: Candidate, whole: Version): Promise<void> {
    const { id, version } = candidate;
    const { state, settings, warn } = this.context;
    const { records } = state;
    const known = records.get(id);
    if (whole.revision === null) {
      warn(`Record ${id} is shown without its revision, so its changes cannot be seen`);
      return this.close(id);
    }
    if (whole.meets !== 'yes') {
      records.markOutside(id);
      return this.close(id);
    }
    // If the revision is the same, the values from the list, because the record is compared with lists.
    const seen = version?.revision === whole.revision ? version : whole;
    const isKnown = known?.revision === whole.revision;
    const isOld = known === undefined && !state.waiting.has(id) && isLearned(id, state);
    const verdict = isKnown ? 'remember' : judge(seen, known, isOld, settings, records.isFull);
    if (verdict === 'emit' && !(await this.deliver(candidate, known, seen, whole))) return;
    if (verdict !== 'nothing') records.set(id, remembered(seen, known));
    this.close(id);
  }

  private close(id: string): void {
    this.closed.add(id);
    this.context.state.waiting.delete(id);
  }

  /** Makes an item, in part if it was tried often enough. @returns whether there is one now. */
  private async deliver(
    { id }: Candidate,
    known: Remembered | undefined,
    seen: Version,
    { revision, record }: Version,
  ): Promise<boolean> {
    const { deliver, emitted } = this.context;
    const event: EventName = known === undefined ? 'created' : 'updated';
    const change = {
      ...{ event, id, revision, record: record ?? null, previousRevision: known?.revision ?? null },
      before: known?.values,
      after: seen.values,
      changed: known && changedParts(known, seen).map((changed) => changed === true),
    } as const;
    const withinMs = this.withinMs();
    const delivery = await deliver(change, this.triesOf(id) + 1 >= MAX_TRIES, withinMs);
    if ('later' in delivery) {
      if (!wasShort(delivery.later, withinMs, this.context.time)) this.failed.set(id, delivery.later);
    } else emitted.push({ event, id, item: delivery.item });
    return 'item' in delivery;
  }

  private triesOf(id: string): number {
    return this.context.state.waiting.get(id)?.tries ?? 0;
  }

  /**
   * What failed although another record can be read waits for the next poll, with one more try on its count. After
   * enough of them it is output without its values, unless it is not there any more.
   */
  private async wait(): Promise<void> {
    const { candidates, failed, context } = this;
    const { state, source, warn, tried } = context;
    await this.assertOthersRead();
    const [first] = failed.values();
    warn(
      `${counted(failed.size, 'record')} cannot be read now; the next poll tries again: ${messageOf(first)}`,
    );
    const last = [...failed.keys()].filter((id) => this.triesOf(id) + 1 >= MAX_TRIES);
    const refusedLast = last.filter((id) => isRefusal(failed.get(id)));
    const missing = await source.findMissing(refusedLast, state.records.lastListed);
    for (const { id, version } of candidates) {
      const failure = failed.get(id);
      const revision = version?.revision ?? state.waiting.get(id)?.revision ?? 0;
      if (failure === undefined) continue;
      tried.add(id);
      if (missing.has(id)) this.close(id);
      else if (last.includes(id)) await this.inPart(id, revision, failure);
      else if (state.waiting.has(id) || state.waiting.size < MAX_WAITING) {
        state.waiting.set(id, { tries: this.triesOf(id) + 1, revision });
        this.closed.add(id);
      } else throw failure as Error;
    }
  }

  private async inPart(id: string, revision: number, failure: unknown): Promise<void> {
    const { state, settings, deliver, emitted, warn } = this.context;
    const known = state.records.get(id);
    const event: EventName = known === undefined ? 'created' : 'updated';
    const change = {
      event,
      id,
      revision,
      previousRevision: known?.revision ?? null,
      record: null,
      failure,
    } as const;
    const delivery = settings.events.has(event) ? await deliver(change, true, 1) : null;
    if (delivery !== null && 'item' in delivery) emitted.push({ event, id, item: delivery.item });
    warn(`Record ${id} is returned without its values: it cannot be read`);
    // Not output again; and its hashes stay, so that the next change of a watched part is seen.
    state.records.set(id, { hashes: [], ...known, revision });
    this.close(id);
  }
}

function refused(id: string): ServiceError {
  return new ServiceError('refused', `The service refuses to return record ${id}`, 'Try again later.');
}
