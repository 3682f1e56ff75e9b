import { isRefusal, ServiceError } from '../../service/http/errors';
import { isOfOne } from '../../service/read/notThere';
import { allOf, settle } from '../../util/concurrently';
import { counted } from '../../parts/values/describe';
import { pause } from '../../util/pause';
import { messageOf } from '../../util/userError';
import type { Listing } from '../source/recordSource';
import { type Budget, LateError, type PollTime } from '../source/time';
import type { Version } from '../source/version';
import { idNumber } from '../../util/ids';
import type { Remembered } from '../state/recordTable';
import { changedParts, decide, isLearned, remembered } from './compare';
import type { EventName, PollContext, RecordChange } from './context';

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
export const AT_ONCE = 4;
/** What had less of a poll's time may come in the next one. */
const LEAST_SHARE = 0.1;

/** Whether something was late only because there was little time left: that says nothing about the record. */
export function wasShort(failure: unknown, withinMs: number, { total }: Pick<PollTime, 'total'>): boolean {
  return failure instanceof LateError && withinMs < total * LEAST_SHARE;
}

/**
 * Reads candidates whole, makes items from them and remembers them as output, as many as there is room for. Each is
 * output, or waits, or is output in part after enough tries, as long as there is time; in the order of the candidates.
 * Never throws.
 * @param order of the list in which they were found.
 * @returns the first candidate that was neither output nor waits, and the failure that ended it early.
 */
export async function emit<T>(
  candidates: readonly Candidate[],
  order: Listing['order'],
  budget: Budget,
  context: PollContext<T>,
): Promise<{ readonly left: Candidate | null; readonly failure: Error | undefined }> {
  const { emitted, settings } = context;
  const before = emitted.length;
  const chosen = candidates.slice(0, Math.max(0, settings.maxRecords - before));
  const emission = new Emission(chosen, order, budget, context);
  const outcome = await settle(async () => await emission.run());
  // One whose files took less time was done before others.
  const place = new Map(chosen.map(({ id }, index) => [id, index]));
  emitted.push(...emitted.splice(before).sort((one, other) => place.get(one.id)! - place.get(other.id)!));
  const left = candidates.filter(({ id }) => !emission.closed.has(id));
  if (left.length > 0) keepFound(left, context);
  return { left: left[0] ?? null, failure: 'error' in outcome ? (outcome.error as Error) : undefined };
}

/** New records below others that are known now wait: another key would learn them without a word. */
function keepFound<T>(left: readonly Candidate[], { state }: PollContext<T>): void {
  const { records, waiting } = state;
  const highest = records.highestId;
  for (const { id, version } of left) {
    const isNew = records.get(id) === undefined && idNumber(id) < highest;
    if (isNew && !waiting.has(id) && waiting.size < MAX_WAITING)
      waiting.set(id, { tries: 0, revision: version?.revision ?? 0 });
  }
}

class Emission<T> {
  /** IDs of those that were output, or wait, or turned out to need neither. */
  readonly closed = new Set<string>();
  private readonly whole = new Map<string, Version>();
  private readonly failed = new Map<string, unknown>();
  private readonly wanted: ReadonlySet<string>;

  constructor(
    private readonly candidates: readonly Candidate[],
    private readonly order: Listing['order'],
    private readonly budget: Budget,
    private readonly context: PollContext<T>,
  ) {
    this.wanted = new Set(candidates.map(({ id }) => id));
  }

  /** @throws failures of the service as a whole. */
  async run(): Promise<void> {
    this.take(this.candidates.flatMap(({ version }) => version ?? []));
    const read = await settle(async () => await this.read());
    const ready = this.candidates.filter(({ id }) => this.whole.has(id));
    await this.each(ready, async (candidate) => {
      await pause();
      await this.item(candidate, this.whole.get(candidate.id)!);
    });
    if ('error' in read) throw read.error;
    if (this.failed.size > 0) await this.wait();
  }

  /**
   * Several at once: the first one always, so that every poll makes progress, the others as long as there is time.
   * @throws the first failure; then nothing more is begun.
   */
  private async each(some: readonly Candidate[], task: (one: Candidate) => Promise<void>): Promise<void> {
    const tasks = some.map((candidate, index) => async () => {
      if (index === 0 || this.budget.left() > 0) await task(candidate);
    });
    await allOf(tasks, AT_ONCE);
  }

  /** From the list where many are near each other, else by their IDs, else one by one. */
  private async read(): Promise<void> {
    for (const stretch of this.stretches())
      await this.unlessOfOne(async () => await this.readStretch(stretch));
    await this.unlessOfOne(async () => await this.readByIds());
    await this.each(this.unread(), async ({ id }) => await this.readOne(id));
  }

  private async readOne(id: string): Promise<void> {
    const withinMs = this.withinMs();
    const read = await settle(async () => await this.context.source.read(id, withinMs));
    if ('value' in read && read.value !== null) return this.take([read.value]);
    const failure = 'error' in read ? read.error : refused(id);
    if (!isOfOne(failure)) throw failure;
    if (wasShort(failure, withinMs, this.context.time)) return;
    this.failed.set(id, failure);
    // Is it this record, or the service? Otherwise each of thousands would be tried, again and again.
    if (this.failed.size === 1) await this.assertOthersRead();
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
    if (!('error' in outcome)) return;
    // It may name parts that are there no more: these are read again then.
    const isStale = isRefusal(outcome.error) && !this.context.source.isFresh;
    if (isStale || !isOfOne(outcome.error)) throw outcome.error;
  }

  private async assertOthersRead(): Promise<void> {
    const { source, state } = this.context;
    if (this.whole.size === 0) await source.assertOthersRead(state.records.lastListed, this.withinMs());
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
      this.take(versions);
      if (this.budget.left() <= 0) return;
    }
  }

  private async readByIds(): Promise<void> {
    const { source } = this.context;
    for (let open = this.unread(); open.length >= MIN_LIST && this.budget.left() > 0;) {
      const ids = open.splice(0, IDS_PER_REQUEST).map(({ id }) => id);
      const versions = await source.listByIds(ids, true, false, this.withinMs());
      if (versions === null) return;
      this.take(versions);
    }
  }

  /** Keeps whole records, but for those that only lie between candidates. */
  private take(versions: readonly Version[]): void {
    for (const version of versions)
      if (version.record !== undefined && this.wanted.has(version.id)) this.whole.set(version.id, version);
  }

  /** Outputs a record that was read. One that waited is compared again: it may be unchanged, or have been output. */
  private async item(candidate: Candidate, whole: Version): Promise<void> {
    const { id, version } = candidate;
    const { state, settings, warn } = this.context;
    const { records } = state;
    const known = records.get(id);
    if (whole.revision === null)
      warn(`Record ${id} is shown without its revision, so its changes cannot be seen`);
    else if (whole.meets !== 'yes') records.markOutside(id);
    else {
      // If the revision is the same, the values from the list, because the record is compared with lists.
      const seen = version?.revision === whole.revision ? version : whole;
      const verdict = decide(seen, known, isLearned(id, state), settings, records.isFull);
      if (verdict === 'emit' && !(await this.deliver(id, known, seen, whole))) return;
      if (verdict !== 'nothing') records.set(id, remembered(seen, known));
    }
    this.close(id);
  }

  private close(id: string): void {
    this.closed.add(id);
    this.context.state.waiting.delete(id);
  }

  /** Makes an item of a record that was read. @returns whether there is one now. */
  private async deliver(
    id: string,
    known: Remembered | undefined,
    seen: Version,
    { revision, record }: Version,
  ): Promise<boolean> {
    const changed = known && changedParts(known, seen).map((isChanged) => isChanged === true);
    const change = { ...changeOf(id, known, revision), after: seen.values, changed };
    const { tries } = this.waiting(id);
    return await this.tell({ ...change, record: record ?? null }, tries + 1 >= MAX_TRIES);
  }

  private async tell(change: RecordChange, isLastTry: boolean): Promise<boolean> {
    const { event, id } = change;
    const { deliver, emitted, time } = this.context;
    const withinMs = this.withinMs();
    const delivery = await deliver(change, isLastTry, withinMs);
    if ('item' in delivery) emitted.push({ event, id, item: delivery.item });
    else if (!wasShort(delivery.later, withinMs, time)) this.failed.set(id, delivery.later);
    return 'item' in delivery;
  }

  private waiting(id: string): { readonly tries: number; readonly revision: number } {
    return this.context.state.waiting.get(id) ?? { tries: 0, revision: 0 };
  }

  /**
   * What failed although another record can be read waits for the next poll, with one more try on its count. After
   * enough of them it is output without its values, unless it is not there any more.
   */
  private async wait(): Promise<void> {
    const { failed, context } = this;
    const { state, warn, tried } = context;
    await this.assertOthersRead();
    const [first] = failed.values();
    warn(
      `${counted(failed.size, 'record')} cannot be read now; the next poll tries again: ${messageOf(first)}`,
    );
    const last = [...failed.keys()].filter((id) => this.waiting(id).tries + 1 >= MAX_TRIES);
    const gone = await this.findGone(last.filter((id) => isRefusal(failed.get(id))));
    for (const { id, version } of this.candidates) {
      const failure = failed.get(id);
      if (failure === undefined) continue;
      const { tries, revision } = this.waiting(id);
      const found = version?.revision ?? revision;
      tried.add(id);
      if (gone.has(id)) this.close(id);
      else if (last.includes(id)) await this.inPart(id, found, failure);
      else if (state.waiting.has(id) || state.waiting.size < MAX_WAITING) {
        state.waiting.set(id, { tries: tries + 1, revision: found });
        this.closed.add(id);
      } else throw failure as Error;
    }
  }

  /** Which of the refused records are there no more: a list of them says so, where the service takes IDs. */
  private async findGone(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const { source, state } = this.context;
    if (ids.length === 0) return new Set();
    const listed = await source.listByIds(ids, false, false);
    if (listed === null) return await source.findMissing(ids, state.records.lastListed);
    const shown = new Set(listed.map(({ id }) => id));
    return new Set(ids.filter((id) => !shown.has(id)));
  }

  private async inPart(id: string, revision: number, failure: unknown): Promise<void> {
    const { state, settings, warn } = this.context;
    const known = state.records.get(id);
    const change = { ...changeOf(id, known, revision), failure };
    if (settings.events.has(change.event)) await this.tell(change, true);
    warn(`Record ${id} is returned without its values: it cannot be read`);
    // Not output again; and its hashes stay, so that the next change of a watched part is seen.
    state.records.set(id, { hashes: [], ...known, revision });
    this.close(id);
  }
}

/** A change of a record that is not read yet. */
function changeOf(id: string, known: Remembered | undefined, revision: number | null): RecordChange {
  const event: EventName = known === undefined ? 'created' : 'updated';
  const previousRevision = known?.revision ?? null;
  return { event, id, revision, previousRevision, record: null, before: known?.values };
}

function refused(id: string): ServiceError {
  return new ServiceError('refused', `The service refuses to return record ${id}`, 'Try again later.');
}
