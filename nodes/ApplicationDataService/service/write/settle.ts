import { attempt, type Settled, settle } from '../../util/concurrently';
import { pause } from '../../util/pause';
import { asUserError, type UserError } from '../../util/userError';
import type { ApplicationSession } from '../application/session';
import { isIndeterminate, isRefusal, ServiceError, toServiceError } from '../http/errors';
import { type CurrentRecord, readCurrent } from '../read/records';
import { splitFiles, type Split } from './files';
import { NO_CHECK, sendForm, updateForm } from './form';
import {
  assumedFound,
  ConflictError,
  joinFound,
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
export interface SettledWrite extends Split {
  readonly plan: WritePlan;
  /** The record as the plan was made on; `null` if it was not read. */
  readonly current: CurrentRecord | null;
}

/**
 * Sends a change until it is done or certainly cannot be: reads, plans, sends, and judges what became of a request
 * without an `ok` by the record as it is then, on which the next plan is made.
 * @param known the record, where it is known already; `null` to read it, if a plan needs it.
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
  /** Times that the same request was sent again. */
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
    for (let tried = 0; tried < maxPlans; tried++) {
      try {
        if (tried > 0) await this.app.client.wait(Math.random() * Math.min(10 * 2 ** tried, MAX_PAUSE_MS));
        const settled = await this.tryOnce();
        if (settled !== null) return settled;
      } catch (error) {
        throw this.afterLoss(asUserError(error));
      }
    }
    const { id } = this.update;
    if (this.lost !== null) throw this.inDoubt(this.lost, this.revision);
    throw new ConflictError(
      `The record ${id} was changed in the meantime before each attempt to write it`,
      'The node read and compared it each time. Run the workflow again when nobody else works on it.',
      [id],
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
    const planned = attempt(() => planUpdate(update, read.value, false));
    if ('error' in planned) throw doubt;
    const { value: plan } = planned;
    const guard = revision === NO_CHECK ? 'none' : update.revision === null ? 'node' : 'user';
    const seen = look(plan.values, revision, {}, read.value, update);
    const follows = verdict(guard, 'lost', seen, false);
    const found = assumedFound(update);
    if (follows === 'sendAgain') {
      Object.assign(this, { current: read.value, found, lost: doubt, revision });
      return await this.run();
    }
    if (follows !== 'done') throw doubt;
    const done = { ...plan, outcome: 'updated', found: joinFound(found, plan.found) } as const;
    return { plan: done, first: [], later: [], current: read.value };
  }

  private async read(): Promise<CurrentRecord> {
    return await readCurrent(this.app, this.update.id, this.update.context);
  }

  /** @returns `null` if another attempt is to follow. */
  private async tryOnce(): Promise<SettledWrite | null> {
    const { app, update, current, found } = this;
    // Thousands of rows take their time to be read, to be planned and to be sent.
    await pause();
    const planned = planUpdate(update, current, found === null);
    await pause();
    const plan = found === null ? planned : { ...planned, found: joinFound(found, planned.found) };
    const settled = { plan, current, ...splitFiles(plan.values, update.contents) };
    if (plan.outcome === 'unchanged' && this.lost !== null)
      return { ...settled, plan: { ...plan, outcome: 'updated' } };
    if (plan.outcome !== 'updated') return settled;
    const form = updateForm(app, update.id, plan.revision, settled.first, update);
    const sent = await settle(async () => await sendForm(app, form, update.contents));
    if ('value' in sent) return settled;
    const failure = toServiceError(sent.error).about(update.id);
    if ([isIndeterminate, isRefusal].some((isOf) => isOf(failure)))
      return await this.readVerdict(settled, failure);
    throw failure;
  }

  /** What became of a request without an `ok`; `null` if another attempt is to follow. */
  private async readVerdict(settled: SettledWrite, failure: ServiceError): Promise<SettledWrite | null> {
    const { guard, revision, found } = settled.plan;
    // A refusal after a lost answer says nothing about that one.
    const answer = isIndeterminate(failure) ? 'lost' : this.lost === null ? 'refused' : 'refusedAfterLoss';
    if (isIndeterminate(failure)) this.lost ??= failure;
    // What is refused without a revision was not done, whatever the record shows.
    const isRead = this.lost !== null || guard !== 'none';
    const read = isRead ? await settle(async () => await this.read()) : null;
    const now = recordIn(read);
    const follows = verdict(guard, answer, this.look(settled, now));
    if (follows === 'done') return settled;
    if (follows === 'refused') throw failure;
    this.sentAgain = follows === 'sendAgain' ? this.sentAgain + 1 : 0;
    if (follows === 'unknown' || this.sentAgain > MAX_SENT_AGAIN)
      throw this.inDoubt(this.lost ?? failure, revision, read);
    this.found ??= found;
    this.current = now;
    this.revision = guard === 'none' ? NO_CHECK : now!.revision;
    return null;
  }

  private look({ first, plan: { revision } }: SettledWrite, now: CurrentRecord | null): Seen | null {
    const { update, current } = this;
    return now && look(first, revision, current?.record ?? update.known, now, update);
  }

  /**
   * After a lost answer, why another request is not sent says nothing about that one; under the user's revision, it is
   * planned again only where the table says that it is a conflict.
   */
  private afterLoss(failure: UserError): UserError {
    const { lost, update } = this;
    const isSaid = isIndeterminate(failure) || (update.revision !== null && failure instanceof ConflictError);
    return lost === null || isSaid ? failure : this.inDoubt(lost, this.revision);
  }

  /** It is not known what became of a write: with what a further try needs to find out. */
  private inDoubt(
    failure: ServiceError,
    revision: number,
    read: Settled<CurrentRecord> | null = null,
  ): ServiceError {
    const { id } = this.update;
    const now = recordIn(read);
    const seen = now && `The record ${id}, which now has revision ${now.revision}, does not tell. `;
    const message =
      failure.kind === 'outcomeUnknown'
        ? failure.message
        : `It is not known whether the record ${id} was changed (outcome unknown): ${failure.message}`;
    const details = { ...failure.details, action: 'update_data', sent: { revision } };
    const description = `${seen ?? ''}${failure.description}`;
    const doubt = new ServiceError('outcomeUnknown', message, description, details, failure);
    return read !== null && 'error' in read ? doubt.unread(read.error) : doubt;
  }
}

function recordIn(read: Settled<CurrentRecord> | null): CurrentRecord | null {
  return read !== null && 'value' in read ? read.value : null;
}
