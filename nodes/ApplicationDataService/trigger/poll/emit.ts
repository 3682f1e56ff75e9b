import { type ApplicationSession, CALLS_AT_ONCE } from '../../service/application/session';
import { isRefusal, ServiceError } from '../../service/http/errors';
import { assertOthersRead, findMissing, isOfOne } from '../../service/read/notThere';
import { allOf, pause, settle } from '../../util/concurrently';
import { counted } from '../../parts/values/describe';
import { messageOf } from '../../util/userError';
import type { Listing } from '../source/recordSource';
import { type Budget, wasShort } from '../source/time';
import type { Version } from '../source/watch';
import type { Waiting } from '../state/stateCodec';
import { changedParts, decide, remember } from './compare';
import type { PollContext, RecordChange, Told } from './context';

/** How many polls try to read a record or one of its files before it is output without it. */
const MAX_TRIES = 3;
/** How many records may wait: one list by IDs asks for all of them. More are a sign that the service is in trouble. */
const MAX_WAITING = 100;

/** A record that was found new or changed, but is not yet read whole and output. */
export interface Candidate {
  readonly id: string;
  /** As the list showed it; `null` if it is tried again, and no list shows it. */
  readonly version: Version | null;
  /** Its place in that list; -1 if it is not known. */
  readonly offset: number;
}

/** At least so many candidates near each other are read as their part of the list. */
const MIN_NEAR = 20;
/** So many other records are read with each of them at most. */
const MAX_GAP = 4;
/** Otherwise so many are read together, by their IDs; fewer than the least one by one. */
const PORTION = 100;
const MIN_LIST = 5;

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
  const { emitted, settings, warn } = context;
  const chosen = candidates.slice(0, Math.max(0, settings.maxRecords - emitted.length));
  const emission = new Emission(order, budget, context);
  const outcome = await settle(async () => await emission.run(chosen));
  emitted.push(...chosen.flatMap(({ id }) => emission.told.get(id) ?? []));
  const { done, failures } = emission;
  if (failures.length > 0)
    warn(
      `${counted(failures.length, 'record')} cannot be read now; the next poll tries again: ${messageOf(failures[0])}`,
    );
  const left = candidates.find(({ id }) => !done.has(id)) ?? null;
  return { left, failure: 'error' in outcome ? (outcome.error as Error) : undefined };
}

class Emission<T> {
  readonly told = new Map<string, Told<T>>();
  /** IDs of those that were output, or wait, or turned out to need neither. */
  readonly done = new Set<string>();
  /** Why records wait. */
  readonly failures: Error[] = [];
  /** Why one more cannot wait: the others of its portion come first. */
  private overflow: Error | null = null;
  /** That records can be read at all. */
  private proof: Promise<void> | undefined;

  constructor(
    private readonly order: Listing['order'],
    private readonly budget: Budget,
    private readonly context: PollContext<T>,
  ) {}

  /** @throws failures of the service as a whole. */
  async run(candidates: readonly Candidate[]): Promise<void> {
    if (candidates.length > 0) await this.context.source.assertPartsCurrent();
    for (let rest = candidates; rest.length > 0 && (rest === candidates || this.budget.left() > 0);) {
      const near = nearEachOther(rest);
      const isNear = near >= MIN_NEAR;
      const portion = rest.slice(0, isNear ? near : scattered(rest));
      const whole = await this.readTogether(portion, isNear);
      // The first one always, so that every poll makes progress, the others as long as there is time.
      const tasks = portion.map((candidate, index) => async () => {
        if (index === 0 || this.budget.left() > 0) await this.take(candidate, whole.get(candidate.id));
      });
      await allOf(tasks, CALLS_AT_ONCE);
      if (this.overflow !== null) throw this.overflow;
      rest = rest.slice(portion.length);
    }
  }

  /** Those of a portion that lists show whole: their part of the list if they are near each other, else by IDs. */
  private async readTogether(
    portion: readonly Candidate[],
    isNear: boolean,
  ): Promise<ReadonlyMap<string, Version>> {
    const { source } = this.context;
    const whole = new Map<string, Version>();
    const keep = (versions: readonly Version[]): void => {
      for (const version of versions) if (version.record !== undefined) whole.set(version.id, version);
      if (whole.size > 0) this.proof ??= Promise.resolve();
    };
    const unread = (): string[] => portion.flatMap(({ id }) => (whole.has(id) ? [] : id));
    keep(portion.flatMap(({ version }) => version ?? []));
    if (isNear && unread().length > 0)
      await this.unlessOfOne(async () => {
        const offsets = portion.map(({ offset }) => offset);
        const offset = Math.min(...offsets);
        const terms = { from: { offset }, limit: Math.max(...offsets) - offset + 1 };
        for await (const versions of source.list({ order: this.order, whole: true }, terms)) {
          keep(versions);
          if (this.budget.left() <= 0) return;
        }
      });
    await this.unlessOfOne(async () => {
      for (let ids = unread(); ids.length >= MIN_LIST && this.budget.left() > 0; ids = ids.slice(PORTION))
        keep(
          (await source.listByIds(ids.slice(0, PORTION), { whole: true, withinMs: this.withinMs() })) ?? [],
        );
    });
    return whole;
  }

  /** A list that fails is no harm: its records are read in another way. */
  private async unlessOfOne(list: () => Promise<void>): Promise<void> {
    const outcome = await settle(list);
    if (!('error' in outcome)) return;
    if (!isOfOne(outcome.error)) throw outcome.error;
  }

  /** For one record, so that others have time, too. */
  private withinMs(): number {
    return Math.max(1, Math.min(this.context.time.left() / 2, this.budget.left()));
  }

  private async take(candidate: Candidate, listed: Version | undefined): Promise<void> {
    const { source, time, state } = this.context;
    const { id } = candidate;
    const withinMs = this.withinMs();
    const outcome = await settle(async () => {
      const whole = listed ?? (await source.read(id, withinMs));
      if (whole === null)
        throw new ServiceError('refused', `The service refuses to return record ${id}`, 'Try again later.');
      this.proof ??= Promise.resolve();
      await pause();
      return await this.judge(candidate, whole, withinMs);
    });
    const failure = ('error' in outcome ? outcome.error : outcome.value) as Error | null;
    if (failure === null) this.close(id);
    else if ('error' in outcome && !isOfOne(failure)) throw failure;
    // One that was late only because little time was left is tried by the next poll.
    else if (!wasShort(failure, withinMs, time)) await this.fail(candidate, failure, state.waiting.get(id));
  }

  /**
   * Outputs a record that was read. One that waited is compared again: it may be unchanged, or have been output.
   * @returns why it must wait; `null` if it need not.
   */
  private async judge({ id, version }: Candidate, whole: Version, withinMs: number): Promise<unknown> {
    const { state } = this.context;
    const { revision, record = null } = whole;
    if (revision === null) throw lacksRevision(id);
    if (whole.meets !== 'yes') state.records.markOutside(id);
    else {
      // If the revision is the same, the values from the list, because the record is compared with lists.
      const seen = version?.revision === revision ? version : whole;
      const verdict = decide(seen, this.context);
      const known = state.records.get(id);
      const changed = known && changedParts(known, seen);
      const change = { id, revision, record, after: seen.values, changed };
      const isLastTry = (state.waiting.get(id)?.tries ?? 0) + 1 >= MAX_TRIES;
      const later = verdict === 'emit' ? await this.tell(change, isLastTry, withinMs) : null;
      if (later !== null) return later;
      if (verdict !== 'nothing') remember(seen, state);
    }
    return null;
  }

  /** @returns why it must wait; `null` if it was told, or nobody wants to know. */
  private async tell(
    change: Omit<RecordChange, 'event' | 'previousRevision' | 'before'>,
    isLastTry: boolean,
    withinMs: number,
  ): Promise<unknown> {
    const { state, settings, deliver } = this.context;
    const { id } = change;
    const known = state.records.get(id);
    const event = known === undefined ? 'created' : 'updated';
    if (!settings.events.has(event)) return null;
    const before = { previousRevision: known?.revision ?? null, before: known?.values };
    const delivery = await deliver({ ...change, event, ...before }, isLastTry, withinMs);
    if ('later' in delivery) return delivery.later;
    this.told.set(id, { event, id, item: delivery.item });
    return null;
  }

  private close(id: string): void {
    this.done.add(id);
    this.context.state.waiting.delete(id);
  }

  /**
   * What failed although another record can be read waits for the next poll, with one more try on its count. After
   * enough of them it is output without its values, unless it is not there any more.
   * @throws failures of the service as a whole.
   */
  private async fail({ id, version }: Candidate, failure: Error, before?: Waiting): Promise<void> {
    const { source, tried, state, began, warn } = this.context;
    const { records, waiting } = state;
    const { lastListed } = records;
    // Is it this record, or the service? Otherwise each of thousands would be tried, again and again.
    const others = async (app: ApplicationSession) =>
      await assertOthersRead(app, lastListed, { id, failure });
    await (this.proof ??= source.call(others, this.withinMs()));
    tried.add(id);
    const tries = (before?.tries ?? 0) + 1;
    const revision = version?.revision ?? before?.revision ?? 0;
    if (tries < MAX_TRIES) {
      if (before === undefined && waiting.size >= MAX_WAITING) {
        this.overflow ??= failure;
        return;
      }
      this.failures.push(failure);
      waiting.set(id, { tries, revision, at: began });
      this.done.add(id);
      return;
    }
    const missing = async (app: ApplicationSession) => await findMissing(app, [id], lastListed);
    const isShown = async (): Promise<boolean> =>
      version !== null || (await source.listByIds([id]))?.length === 1;
    if (!isRefusal(failure) || (await isShown()) || !(await source.call(missing)).has(id)) {
      await this.tell({ id, revision, record: null, failure }, true, 1);
      warn(`Record ${id} is returned without its values: it cannot be read`);
      // Not output again; and its hashes stay, so that the next change of a watched part is seen.
      records.set(id, { hashes: [], ...records.get(id), revision });
    }
    this.close(id);
  }
}

/** Neither the list nor a read shows it, so the record would be read in every poll, and never be told. */
function lacksRevision(id: string): ServiceError {
  return new ServiceError(
    'settings',
    `Record ${id} is shown without its revision, so changes cannot be seen`,
    'If a part of the application has the name or the identifier "revision", change that. Otherwise ask the administrator of the service whether revisions can be read with this access key.',
  );
}

/** How many of the first candidates are near each other in the list. */
function nearEachOther(candidates: readonly Candidate[]): number {
  const end = candidates.findIndex(({ offset }, index) => {
    const before = candidates[index - 1]?.offset ?? offset;
    return offset < 0 || Math.abs(offset - before) > MAX_GAP;
  });
  return end < 0 ? candidates.length : end;
}

/** How many of the first candidates come before some that are near each other. */
function scattered(candidates: readonly Candidate[]): number {
  const portion = candidates.slice(0, PORTION);
  const isFollowed = (at: number): boolean => nearEachOther(candidates.slice(at, at + MIN_NEAR)) === MIN_NEAR;
  const end = portion.findIndex((_, at) => isFollowed(at));
  return end < 0 ? portion.length : end;
}
