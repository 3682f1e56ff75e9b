import { settle } from '../../util/concurrently';
import { counted } from '../../util/counted';
import { messageOf } from '../../util/userError';
import { changeOf, judge, remembered, wasThereBefore, type Candidate } from './compare';
import type { PollContext, RecordChange, WholeRecord } from './context';
import { isWhole, readWhole } from './readWhole';
import { eachInTime, type Budget } from './time';

/** How many polls try to read a record or one of its files before it is output without it. */
const MAX_TRIES = 3;
/** The same if no other record can be read either, because the service may be in trouble. */
const MAX_TRIES_IN_DOUBT = 10;
/** How many records may wait. More are a sign that the service is in trouble. */
const MAX_WAITING = 100;

/**
 * Outputs the first candidates: reads them whole, makes items from them and remembers them as output. Each is output,
 * is output in part after enough tries, or waits. Only failures of the service as a whole end it. Never throws.
 * @returns the first candidate that was neither output nor postponed, and the failure that ended it early.
 */
export async function emit<R, T>(
  candidates: readonly Candidate<R>[],
  room: number,
  budget: Budget,
  context: PollContext<R, T>,
): Promise<{ readonly left: Candidate | null; readonly failure: unknown }> {
  const chosen = candidates.slice(0, room);
  const emission = new Emission(budget, context);
  const outcome = await settle(async () => await emission.all(chosen));
  const unplaced = emission.keepWaiting(chosen);
  const failure = 'error' in outcome ? outcome.error : unplaced?.failure;
  return { failure, left: unplaced?.candidate ?? candidates[room] ?? null };
}

/** The waiting records, starting with those tried least often. */
export function waitingCandidates<R>({ state }: PollContext<R, unknown>): Candidate<R>[] {
  return [...state.waiting]
    .sort(([, one], [, other]) => one.tries - other.tries)
    .map(([id, { revision }]) => ({
      id,
      version: null,
      revision,
      known: state.records.get(id),
      offset: null,
    }));
}

class Emission<R, T> {
  /** IDs of those that need not be tried again. */
  private readonly settled = new Set<string>();
  /** Why a record could not be output in this poll. */
  private readonly failed = new Map<string, unknown>();

  constructor(
    private readonly budget: Budget,
    private readonly context: PollContext<R, T>,
  ) {}

  /** @throws failures of the service as a whole. */
  async all(candidates: readonly Candidate<R>[]): Promise<void> {
    const { warn } = this.context;
    const lacking = candidates.filter(({ version }) => version === null || !isWhole(version));
    const { records, refused, failed, failure } = await readWhole(lacking, this.budget, this.context);
    const read = candidates.flatMap((candidate) => {
      const { id, version } = candidate;
      const whole = version !== null && isWhole(version) ? version : records.get(id);
      return whole === undefined ? [] : [{ candidate, whole }];
    });
    await eachInTime(read, this.budget, async ({ candidate, whole }) => await this.item(candidate, whole));
    for (const id of refused) {
      this.settled.add(id);
      warn(`Record ${id} was created or changed, but the service refuses to return it: it is not reported`);
    }
    if (failure !== undefined) throw failure as Error;
    if (failed.size > 0) await this.unreadable(candidates, failed);
  }

  /**
   * Unfinished candidates wait. Those that failed get one more try on their count.
   * @returns the first one for which there is no room to wait, and why it could not be output.
   */
  keepWaiting(candidates: readonly Candidate<R>[]): { candidate: Candidate; failure: unknown } | null {
    const { waiting } = this.context.state;
    for (const candidate of candidates) {
      const { id, revision } = candidate;
      const failure = this.failed.get(id);
      const isSettled = this.settled.has(id);
      if (!isSettled && !waiting.has(id) && waiting.size >= MAX_WAITING) return { candidate, failure };
      if (isSettled) waiting.delete(id);
      else waiting.set(id, { tries: this.triesOf(id) + (failure === undefined ? 0 : 1), revision });
    }
    return null;
  }

  private triesOf(id: string): number {
    return this.context.state.waiting.get(id)?.tries ?? 0;
  }

  /**
   * Outputs a record that was read. One that waited is compared again: it may have been output since, or be unchanged.
   */
  private async item(candidate: Candidate<R>, whole: WholeRecord<R>): Promise<void> {
    const { id, version, known } = candidate;
    const { state, settings } = this.context;
    if (whole.isOut === true) {
      if (known !== undefined) state.records.markFilteredOut(id);
      this.settled.add(id);
      return;
    }
    // If the revision is the same, the values from the list, because the record is compared with lists.
    const seen = version?.revision === whole.revision ? version : whole;
    let verdict = judge(seen, known, wasThereBefore(id, state.baseline), settings, state.records);
    if (known?.revision === whole.revision) verdict = 'remember';
    else if (version !== null) verdict = 'emit';
    if (verdict === 'emit' && !(await this.delivered(changeOf(candidate, seen, whole)))) return;
    if (verdict !== 'nothing') {
      state.records.set(id, remembered(seen, known));
      state.records.meet(id);
    }
    this.settled.add(id);
  }

  /** Reads that failed: each counts as a try. After enough of them, the record is output without its values. */
  private async unreadable(
    candidates: readonly Candidate<R>[],
    failures: ReadonlyMap<string, unknown>,
  ): Promise<void> {
    const { source, state, warn } = this.context;
    const most = (await source.answersWell()) ? MAX_TRIES : MAX_TRIES_IN_DOUBT;
    const [first] = failures.values();
    warn(
      `${counted(failures.size, 'record')} cannot be read now; the next poll tries again: ${messageOf(first)}`,
    );
    for (const candidate of candidates) {
      const { id, revision, known } = candidate;
      const failure = failures.get(id);
      if (failure === undefined) continue;
      if (this.triesOf(id) + 1 < most) this.failed.set(id, failure);
      else if (await this.delivered(changeOf(candidate, null, null, failure))) {
        warn(`Record ${id} is returned without its values: it cannot be read`);
        // Not output again; and its hashes stay, so that the next change of a watched part is seen.
        state.records.set(id, { hashes: [], ...known, revision });
        this.settled.add(id);
      }
    }
  }

  /** Makes an item, in part if it was tried often enough. @returns whether there is one now. */
  private async delivered(change: RecordChange<R>): Promise<boolean> {
    const { id, event } = change;
    const { deliver, budget, emitted } = this.context;
    const isLastTry = this.triesOf(id) + 1 >= MAX_TRIES;
    const delivery = await deliver(change, isLastTry, Math.max(1, budget.left() / 2));
    if ('later' in delivery) this.failed.set(id, delivery.later);
    else emitted.push({ event, id, item: delivery.item });
    return 'item' in delivery;
  }
}
