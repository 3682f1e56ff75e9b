import { attempt, pause, settle } from '../../util/concurrently';
import { asUserError } from '../../util/userError';
import type { ApplicationSession } from '../application/session';
import { asClause, isConflict, isIndeterminate, ServiceError, toServiceError } from '../http/errors';
import { type CurrentRecord, readCurrent } from '../read/records';
import { NO_CHECK, sendForm, updateForm } from './form';
import {
  assumedFound,
  joinFound,
  lacksRow,
  needsCurrent,
  planUpdate,
  type Update,
  type WritePlan,
} from './update';
import { look, type Seen, verdict } from './verdict';

/** Plans for one write of a record that others change meanwhile (docs/dev/guarantees.md, "What becomes of a write"). */
const MAX_PLANS = 10;
const MAX_PLANS_OF_SYNC = 3;

/** Times that a request whose answer was lost is sent again, as it was. */
const MAX_SENT_AGAIN = 3;

/** Longest wait between two attempts, in milliseconds. */
const MAX_PAUSE_MS = 1000;

/** A write that the service has done, or that needed nothing. */
interface SettledWrite {
  readonly plan: WritePlan;
  /** The record as the plan was made on; `null` if it was not read. */
  readonly current: CurrentRecord | null;
}

/**
 * Sends a change until it is done or certainly cannot be: reads, plans, sends, and judges what became of a request
 * without an `ok` by the record as it is then, on which the next plan is made.
 * @param known the record, where it is known already.
 * @param doubt what an earlier try ended in, if it did not learn its outcome.
 * @throws what `planUpdate` throws; ServiceError, `outcomeUnknown` where even reading the record does not tell.
 */
export async function settleUpdate(
  app: ApplicationSession,
  update: Update,
  known: CurrentRecord | null,
  doubt: ServiceError | null,
): Promise<SettledWrite> {
  const write = new Write(app, update, known);
  return await (doubt === null ? write.run() : write.runAgain(doubt));
}

class Write {
  /** What the first plan found out; `null` if nothing was sent yet. */
  private found: WritePlan['found'] | null = null;
  /** The first answer that was lost. After it nothing is called refused, not found or not changed. */
  private lost: ServiceError | null = null;
  /** The revision by which a further try of the node judges that one, 0 for none. */
  private revision = NO_CHECK;
  /** The record at the last look at what became of a request, or why there is none. */
  private now: CurrentRecord | null = null;
  private unread: unknown = null;
  private sentAgain = 0;

  constructor(
    private readonly app: ApplicationSession,
    private readonly update: Update,
    /** The record as it is; `null` while it was not read. */
    private current: CurrentRecord | null,
  ) {}

  async run(): Promise<SettledWrite> {
    if (this.lost === null && this.current === null && needsCurrent(this.update))
      this.current = await this.read();
    const maxPlans = this.update.stateOf === undefined ? MAX_PLANS : MAX_PLANS_OF_SYNC;
    let plans = 0;
    while (plans < maxPlans) {
      try {
        const tried = plans + this.sentAgain;
        if (tried > 0) await this.app.client.wait(Math.random() * Math.min(10 * 2 ** tried, MAX_PAUSE_MS));
        const settled = await this.tryOnce();
        if (settled !== null) return settled;
      } catch (error) {
        const { lost, update } = this;
        const failure = asUserError(error);
        // After a lost answer, why another request is not sent says nothing about that one; under the user's revision,
        // it is planned again only where the table says that it is a conflict.
        const isSaid = isIndeterminate(failure) || (update.revision !== null && isConflict(failure));
        throw lost === null || isSaid ? failure : this.inDoubt(lost);
      }
      // What is sent again as it was is no new plan.
      if (this.sentAgain === 0) plans += 1;
    }
    if (this.lost !== null) throw this.inDoubt(this.lost);
    const { id } = this.update;
    throw new ServiceError(
      'conflict',
      `The record ${id} was changed in the meantime before each attempt to write it`,
      'The node read and compared it each time. Run the workflow again when nobody else works on it.',
      { ids: [id] },
    );
  }

  /**
   * Finds out what became of a write whose outcome an earlier try did not learn, by the revision that it was sent under
   * and by what of it is still to be sent; and sends it again, if that is what follows.
   * @throws `doubt` if the record does not tell, or cannot be read.
   */
  async runAgain(doubt: ServiceError): Promise<SettledWrite> {
    const { update } = this;
    const { revision } = doubt.details.sent ?? {};
    if (revision === undefined) throw doubt;
    const read = await settle(async () => await this.read());
    if ('error' in read) throw doubt.unread(read.error);
    const { value: current } = read;
    const planned = attempt(() => planUpdate(update, current, false));
    if ('error' in planned) throw doubt;
    const guard = revision === NO_CHECK ? 'none' : update.revision === null ? 'node' : 'user';
    const seen = look(planned.value.values, revision, {}, current, update);
    const follows = verdict(guard, 'lost', seen, false);
    const found = joinFound(assumedFound(update), planned.value.found, true);
    // A row that is not there may have been changed before. Others tell, if nobody else has written.
    const isTold = seen.moved <= 1 && found.outcomes.some(({ outcome }) => outcome !== 'notFound');
    if (lacksRow(found) && !isTold) throw doubt;
    if (follows === 'sendAgain') {
      // Nothing of it was done, so what is to be removed and is not there was not removed by it.
      Object.assign(this, { current, found: planned.value.found, lost: doubt, revision });
      return await this.run();
    }
    if (follows !== 'done') throw doubt;
    return { plan: { ...planned.value, outcome: 'updated', found, first: [], later: [] }, current };
  }

  private async read(): Promise<CurrentRecord> {
    return await readCurrent(this.app, this.update.id, this.update.context);
  }

  /** @returns `null` if another attempt is to follow. */
  private async tryOnce(): Promise<SettledWrite | null> {
    const { app, update, current, found, lost } = this;
    // Thousands of rows take their time to be read, to be planned and to be sent.
    await pause();
    const planned = planUpdate(update, current, found === null);
    await pause();
    const plan =
      found === null ? planned : { ...planned, found: joinFound(found, planned.found, lost !== null) };
    if (found !== null && lost !== null && lacksRow(plan.found, found)) throw this.inDoubt(lost);
    if (plan.outcome === 'unchanged' && lost !== null)
      return { plan: { ...plan, outcome: 'updated' }, current };
    const settled = { plan, current };
    if (plan.outcome !== 'updated') return settled;
    const form = updateForm(app, update.id, plan.revision, plan.first, update);
    const sent = await settle(async () => await sendForm(app, form, update.contents));
    if ('value' in sent) return settled;
    const failure = toServiceError(sent.error).about(update.id);
    if (!['outcomeUnknown', 'refused'].includes(failure.kind)) throw failure;
    return await this.judge(settled, failure);
  }

  /** What became of a request without an `ok`; `null` if another attempt is to follow. */
  private async judge(settled: SettledWrite, failure: ServiceError): Promise<SettledWrite | null> {
    const { guard, revision, found } = settled.plan;
    // A refusal after a lost answer says nothing about that one.
    const refused = this.lost === null ? 'refused' : 'refusedAfterLoss';
    const answer = isIndeterminate(failure) ? 'lost' : refused;
    if (answer === 'lost') this.lost ??= failure;
    this.revision = revision;
    // What is refused without a revision was not done, whatever the record shows.
    const seen = answer === 'refused' && guard === 'none' ? null : await this.look(settled.plan);
    const follows = verdict(guard, answer, seen);
    if (follows === 'done') return settled;
    if (follows === 'refused') throw failure;
    this.sentAgain = follows === 'sendAgain' ? this.sentAgain + 1 : 0;
    if (follows === 'unknown' || this.sentAgain > MAX_SENT_AGAIN)
      throw this.inDoubt(answer === 'refused' ? failure : this.lost!);
    this.found ??= found;
    this.current = this.now;
    this.revision = guard === 'none' ? NO_CHECK : this.now!.revision;
    return null;
  }

  /** What the record shows of a request; `null` if it cannot be read. */
  private async look({ first, revision }: WritePlan): Promise<Seen | null> {
    const read = await settle(async () => await this.read());
    this.now = 'value' in read ? read.value : null;
    this.unread = 'error' in read ? read.error : null;
    const before = this.current?.record ?? this.update.known;
    return this.now && look(first, revision, before, this.now, this.update);
  }

  /** It is not known what became of a write: with what a further try needs to find out. */
  private inDoubt(failure: ServiceError): ServiceError {
    const { now, unread, revision } = this;
    const { id } = this.update;
    // The service's own words stand first.
    const seen = now && ` The record ${id}, which now has revision ${now.revision}, does not tell.`;
    const { kind, cause } = failure;
    // One that an earlier try has left says it all, and has no cause.
    const reason = kind === 'outcomeUnknown' ? cause?.message : failure.message;
    const message =
      reason === undefined
        ? failure.message
        : `It is not known whether the record ${id} was changed (outcome unknown): ${asClause(reason)}`;
    const description = `${failure.description}${seen ?? ''}`;
    const details = { ...failure.details, ids: [id], action: 'update_data', sent: { revision } };
    const doubt = new ServiceError('outcomeUnknown', message, description, details, cause ?? failure);
    return unread === null ? doubt : doubt.unread(unread);
  }
}
