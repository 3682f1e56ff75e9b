import { type ApplicationSession, CALLS_AT_ONCE } from '../../service/application/session';
import { isRefusal, ServiceError, unusable } from '../../service/http/errors';
import { assertOthersRead, findMissing, isAboutOneRecord } from '../../service/read/notThere';
import { allOf, nullIf, pause, settle } from '../../util/concurrently';
import { counted } from '../../parts/values/describe';
import { messageOf } from '../../util/userError';
import { IDS_PER_LIST } from '../source/recordSource';
import { type Budget, wasShort } from '../source/time';
import type { Version } from '../source/watch';
import type { Waiting } from '../state/stateCodec';
import { partChanges, decide, remember } from './compare';
import type { PollContext, RecordChange, Told } from './context';

/** How many polls try to read a record or one of its files before it is output without it. */
const MAX_TRIES = 3;
/** How many records may wait: one list by IDs asks for all of them. More are a sign that the service is in trouble. */
const MAX_WAITING = 100;

/** A record that is new or changed, but is not yet read whole and output. */
export interface Candidate {
  readonly id: string;
  /** As the list showed it; `null` if it is tried again, and no list shows it. */
  readonly version: Version | null;
}

/** Up to so many are read one by one, which shows all of their parts: a list may leave out generated numbers. */
const FEW = 4;

/**
 * Reads candidates whole, makes items from them and remembers them as output, as many as there is room for. Each is
 * output, or waits, or is output in part after enough tries, as long as there is time; in the order of the candidates.
 * Never throws.
 * @returns the first candidate that was neither output nor waits, and the failure that ended it early.
 */
export async function emit<T, C extends Candidate>(
  candidates: readonly C[],
  budget: Budget,
  context: PollContext<T>,
): Promise<{ readonly left: C | null; readonly failure: Error | undefined }> {
  const { emitted, settings, warn } = context;
  const chosen = candidates.slice(0, Math.max(0, settings.maxRecords - emitted.length));
  const emission = new Emission(budget, context);
  const outcome = await settle(async () => await emission.run(chosen));
  emitted.push(...chosen.flatMap(({ id }) => emission.told.get(id) ?? []));
  const { length, 0: failure } = emission.failures;
  if (length > 0)
    warn(`${counted(length, 'record')} cannot be read now; the next poll tries again: ${messageOf(failure)}`);
  const left = candidates.find(({ id }) => !emission.done.has(id)) ?? null;
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
    private readonly budget: Budget,
    private readonly context: PollContext<T>,
  ) {}

  /** @throws failures of the service as a whole. */
  async run(candidates: readonly Candidate[]): Promise<void> {
    if (candidates.length > 0) await this.context.source.assertPartsCurrent();
    for (let rest = candidates; rest.length > 0 && (rest === candidates || this.budget.left() > 0);) {
      const portion = rest.slice(0, IDS_PER_LIST);
      // Lists without `fields` show all of a record.
      const whole = new Map(portion.flatMap(({ id, version }) => (version?.record ? [[id, version]] : [])));
      const unread = portion.flatMap(({ id }) => (whole.has(id) ? [] : id));
      const areMany = unread.length > FEW;
      if (areMany) for (const version of await this.list(unread)) whole.set(version.id, version);
      if (whole.size > 0) this.proof ??= Promise.resolve();
      // The first one always, so that every poll makes progress, the others as long as there is time.
      const tasks = portion.map((candidate, index) => async () => {
        if (index > 0 && this.budget.left() <= 0) return;
        await this.take(candidate, async (withinMs) => {
          return whole.get(candidate.id) ?? (await this.read(candidate.id, withinMs, !areMany));
        });
      });
      await allOf(tasks, CALLS_AT_ONCE);
      if (this.overflow !== null) throw this.overflow;
      rest = rest.slice(portion.length);
    }
  }

  /** Those of some records that a list of their IDs shows. One that fails is no harm. */
  private async list(ids: readonly string[]): Promise<readonly Version[]> {
    const listing = { whole: true, withinMs: this.withinMs() };
    const listed = await nullIf(isAboutOneRecord, this.context.source.listByIds(ids, listing));
    return (listed ?? []).filter(({ record }) => record !== undefined);
  }

  /** One record by itself, or from a list of its ID where that fails. */
  private async read(id: string, withinMs: number, mayList: boolean): Promise<Version> {
    const outcome = await settle(async () => {
      const version = await this.context.source.read(id, withinMs);
      if (version !== null) return version;
      throw new ServiceError('refused', `The service refuses to return record ${id}`, 'Try again later.');
    });
    if ('value' in outcome) return outcome.value;
    const [listed] = mayList && isAboutOneRecord(outcome.error) ? await this.list([id]) : [];
    if (listed === undefined) throw outcome.error;
    return listed;
  }

  /** For one record, so that others have time, too. */
  private withinMs(): number {
    return Math.max(1, Math.min(this.context.time.left() / 2, this.budget.left()));
  }

  private async take(candidate: Candidate, readWhole: (withinMs: number) => Promise<Version>): Promise<void> {
    const { time, state } = this.context;
    const { id } = candidate;
    const withinMs = this.withinMs();
    const outcome = await settle(async () => {
      const whole = await readWhole(withinMs);
      this.proof ??= Promise.resolve();
      await pause();
      return await this.judge(candidate, whole, withinMs);
    });
    const failure = ('error' in outcome ? outcome.error : outcome.value) as Error | null;
    if (failure === null) {
      this.done.add(id);
      state.waiting.delete(id);
    } else if ('error' in outcome && !isAboutOneRecord(failure)) throw failure;
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
      const remembered = state.records.get(id);
      const changed = remembered && partChanges(remembered, seen);
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
    const remembered = state.records.get(id);
    const event = remembered === undefined && settings.events.has('created') ? 'created' : 'updated';
    if (!settings.events.has(event)) return null;
    const before = { previousRevision: remembered?.revision ?? null, before: remembered?.values };
    const delivery = await deliver({ ...change, event, ...before }, isLastTry, withinMs);
    if ('later' in delivery) return delivery.later;
    this.told.set(id, { event, id, item: delivery.item });
    return null;
  }

  /**
   * What failed although another record can be read waits for the next poll, with one more try on its count.
   * @throws failures of the service as a whole.
   */
  private async fail(candidate: Candidate, failure: Error, before?: Waiting): Promise<void> {
    const { source, tried, state, began } = this.context;
    const { records, waiting } = state;
    const { id, version } = candidate;
    // Is it this record, or the service? Otherwise each of thousands would be tried, again and again.
    const others = async (app: ApplicationSession) =>
      await assertOthersRead(app, records.lastListed, { id, failure });
    await (this.proof ??= source.call(others, this.withinMs()));
    tried.add(id);
    const tries = (before?.tries ?? 0) + 1;
    const revision = version?.revision ?? before?.revision ?? 0;
    if (tries >= MAX_TRIES) {
      await this.giveUp(candidate, revision, failure);
    } else if (before === undefined && waiting.size >= MAX_WAITING) {
      this.overflow ??= failure;
    } else {
      this.failures.push(failure);
      waiting.set(id, { tries, revision, at: began });
      this.done.add(id);
    }
  }

  /** Outputs a record without its values, unless it is not there any more. */
  private async giveUp({ id, version }: Candidate, revision: number, failure: Error): Promise<void> {
    const { source, state, warn } = this.context;
    const { records } = state;
    const shown = version ?? (await nullIf(isAboutOneRecord, source.listByIds([id])))?.[0];
    const missing = async (app: ApplicationSession) => await findMissing(app, [id], records.lastListed);
    if (!isRefusal(failure) || shown !== undefined || !(await source.call(missing)).has(id)) {
      // Without its values, nothing is downloaded that would take time.
      await this.tell({ id, revision, record: null, failure }, true, 1);
      warn(`Record ${id} is returned without its values: it cannot be read`);
      // As the list shows it: it is not output again for a part that is not watched.
      remember({ ...(shown ?? { id, hashes: [], ...records.get(id) }), revision }, state);
    }
    this.done.add(id);
    state.waiting.delete(id);
  }
}

/** Neither the list nor a read shows it, so the record would be read in every poll, and never be told. */
function lacksRevision(id: string): ServiceError {
  return unusable(
    `Record ${id} is shown without its revision, so changes cannot be seen`,
    'If a part of the application has the name or the identifier "revision", change that. Otherwise ask the administrator of the service whether revisions can be read with this access key.',
  );
}
