import { concurrently, settle } from '../../util/concurrently';
import { counted } from '../../util/counted';
import { messageOf } from '../../util/userError';
import { changeOf, judge, remembered, wasThereBefore, type Candidate } from './compare';
import type { Budget, Change, Given, Head, WholeRecord } from './contract';
import type { PollContext } from './memory';
import { readWhole } from './readWhole';

/** How many polls try to read a record or one of its files before it is output without it. */
const MOST_TRIES = 3;
/** The same if no other record can be read either, because the service may be in trouble. */
const MOST_TRIES_IN_DOUBT = 10;
/** How many records are made into items at the same time. */
const ITEMS_AT_ONCE = 4;
/** How many records may wait. More are a sign that the service is in trouble. */
const MOST_WAITING = 100;

/** The items that were made from candidates. */
interface Gift<T> {
  readonly given: readonly Given<T>[];
  /** The first candidate that was neither output nor postponed; `null` if there is none. */
  readonly left: Candidate | null;
  readonly failure?: unknown;
}

/**
 * Outputs the first candidates: reads them whole, makes items from them and remembers them as output. Each is output, is output in
 * part after enough tries, or waits. Only failures of the service as a whole end it. Never throws.
 * @param had records that were already read whole.
 */
export async function give<R, T>(
  candidates: readonly Candidate[],
  room: number,
  budget: Budget,
  context: PollContext<R, T>,
  had: ReadonlyMap<string, WholeRecord<R>> = new Map(),
): Promise<Gift<T>> {
  const chosen = candidates.slice(0, room);
  const giving = new Giving(budget, context, had);
  const outcome = await settle(async () => await giving.all(chosen));
  const waited = giving.keepWaiting(chosen);
  const failure = 'error' in outcome ? outcome.error : waited.failure;
  const left = waited.left ?? candidates[room] ?? null;
  return { given: giving.given, left, ...(failure !== undefined && { failure }) };
}

/** The waiting records, starting with those tried least often. */
export function waitingCandidates<R, T>({ state, memory }: PollContext<R, T>): Candidate[] {
  const { waiting, records } = state;
  return [...waiting]
    .map(([id, { tries, revision }]): Candidate => {
      // Failed polls, of which n8n saved nothing, count too.
      const most = Math.max(tries, memory.tries.get(id) ?? 0);
      return { id, head: null, revision, known: records.get(id), offset: null, before: null, tries: most };
    })
    .sort((one, other) => one.tries - other.tries);
}

class Giving<R, T> {
  readonly given: Given<T>[] = [];
  /** IDs of those that need not be tried again. */
  private readonly settled = new Set<string>();
  /** Why a record could not be output in this poll. */
  private readonly failed = new Map<string, unknown>();

  constructor(
    private readonly budget: Budget,
    private readonly context: PollContext<R, T>,
    private readonly had: ReadonlyMap<string, WholeRecord<R>>,
  ) {}

  /** @throws failures of the service as a whole. */
  async all(candidates: readonly Candidate[]): Promise<void> {
    const { had } = this;
    const lacking = candidates.filter(({ id }) => !had.has(id));
    const whole = await readWhole(lacking, this.budget, this.context);
    await this.items(candidates, (id) => had.get(id) ?? whole.records.get(id));
    for (const each of candidates)
      if (whole.refused.has(each.id)) this.neither(each, whole.shown.has(each.id));
    const { failure } = whole;
    if (failure !== undefined) throw failure as Error;
    await this.failures(candidates, whole.failed);
  }

  /**
   * Unfinished candidates wait. Those that failed get one more try on their count.
   * @returns the first one for which there is no room to wait, and why it could not be output.
   */
  keepWaiting(candidates: readonly Candidate[]): { left: Candidate | null; failure?: unknown } {
    const { state, memory } = this.context;
    const { waiting } = state;
    for (const candidate of candidates) {
      const { id, revision } = candidate;
      if (this.settled.has(id)) {
        waiting.delete(id);
        memory.tries.delete(id);
        continue;
      }
      const failure = this.failed.get(id);
      if (!waiting.has(id) && waiting.size >= MOST_WAITING) return { left: candidate, failure };
      const tries = this.triesOf(candidate) + (failure === undefined ? 0 : 1);
      waiting.set(id, { tries, revision });
      if (tries > 0) memory.tries.set(id, tries);
    }
    return { left: null };
  }

  /** How many polls tried a record, including failed polls of which n8n saved nothing. */
  private triesOf({ id, tries }: Candidate): number {
    return Math.max(tries, this.context.memory.tries.get(id) ?? 0);
  }

  /** Makes items from the records that were read. */
  private async items(
    candidates: readonly Candidate[],
    recordOf: (id: string) => WholeRecord<R> | undefined,
  ): Promise<void> {
    let isFirst = true;
    const tasks = candidates.flatMap((candidate) => {
      const whole = recordOf(candidate.id);
      if (whole === undefined) return [];
      return async () => {
        if (!isFirst && this.budget.left() <= 0) return;
        isFirst = false;
        await this.item(candidate, whole);
      };
    });
    const outcomes = await concurrently(tasks, { limit: ITEMS_AT_ONCE, stopOnError: true });
    for (const outcome of outcomes) if (outcome !== undefined && 'error' in outcome) throw outcome.error;
  }

  private async item(candidate: Candidate, whole: WholeRecord<R>): Promise<void> {
    const { id, head, known } = candidate;
    const { state } = this.context;
    // If the revision is the same, the values from the list, because the record is compared with lists.
    const seen = head?.revision === whole.revision ? head : whole;
    if (whole.isOut === true) {
      if (known !== undefined) state.records.markAway(id);
      this.settled.add(id);
      return;
    }
    const verdict = this.verdict(candidate, whole, seen);
    if (verdict === 'emit' && !(await this.delivered(changeOf(candidate, seen, whole), candidate))) return;
    if (verdict !== 'nothing' || known?.revision === whole.revision) {
      state.records.set(id, remembered(seen, known, state));
      state.records.meet(id);
    }
    this.settled.add(id);
  }

  /** Records that were tried before are checked again: they may have been output since, or be unchanged. */
  private verdict(
    { id, head, known }: Candidate,
    whole: WholeRecord<R>,
    seen: Head,
  ): 'emit' | 'remember' | 'nothing' {
    const { settings, state } = this.context;
    if (known?.revision === whole.revision) return 'remember';
    return head === null ? judge(seen, known, wasThereBefore(id, state.baseline), settings, state) : 'emit';
  }

  /** Reads that failed: each counts as a try. */
  private async failures(
    candidates: readonly Candidate[],
    failures: ReadonlyMap<string, unknown>,
  ): Promise<void> {
    if (failures.size === 0) return;
    const { source, warn } = this.context;
    const most = (await source.answersWell()) ? MOST_TRIES : MOST_TRIES_IN_DOUBT;
    const [first] = failures.values();
    warn(
      `${counted(failures.size, 'record')} cannot be read now; the next poll tries again: ${messageOf(first)}`,
    );
    for (const candidate of candidates) {
      const failure = failures.get(candidate.id);
      if (failure === undefined) continue;
      // It is not known whether a record that no list shows was changed.
      if (candidate.revision === null) this.settled.add(candidate.id);
      else if (this.triesOf(candidate) + 1 < most) this.failed.set(candidate.id, failure);
      else if (await this.delivered(changeOf(candidate, null, null), candidate, failure))
        this.withoutValues(candidate);
    }
  }

  /**
   * It was output although it cannot be read. Its revision is remembered, so that it is not output again; its hashes stay, so
   * that the next change of a watched part is seen.
   */
  private withoutValues({ id, revision, known }: Candidate): void {
    const { warn, state } = this.context;
    warn(`Record ${id} is returned without its values: it cannot be read`);
    if (revision !== null) state.records.set(id, { hashes: [], ...known, revision });
    this.settled.add(id);
  }

  /** Makes an item, in part if it was tried often enough. @returns whether there is one now. */
  private async delivered(change: Change<R>, candidate: Candidate, lacks: unknown = null): Promise<boolean> {
    const { id } = candidate;
    const { deliver, budget } = this.context;
    let delivery = await deliver(change, lacks, Math.max(1, budget.left() / 2));
    if ('later' in delivery) {
      if (delivery.hasProgressed) return false;
      this.failed.set(id, delivery.later);
      if (this.triesOf(candidate) + 1 < MOST_TRIES) return false;
      delivery = await deliver(change, delivery.later, Math.max(1, budget.left() / 2));
    }
    if (!('item' in delivery)) return false;
    this.failed.delete(id);
    this.given.push({ event: change.event, id, item: delivery.item });
    return true;
  }

  /** The service refuses to read it, and the list does not contain it either. */
  private neither({ id, revision }: Candidate, isListed: boolean): void {
    const { state, warn } = this.context;
    this.settled.add(id);
    if (revision === null) {
      // A list did not show it, so it may be gone.
      state.records.markMissing(id);
      state.settling = true;
      return;
    }
    warn(
      isListed
        ? `Record ${id} was created or changed, but the service refuses to return it: it is not reported`
        : `Record ${id} was created or changed, but can now be neither read nor listed: it is not reported`,
    );
  }
}
