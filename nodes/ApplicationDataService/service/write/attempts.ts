import type { IDataObject } from 'n8n-workflow';

import type { Part } from '../../parts/model/part';
import { attempt, settle, type Settled } from '../../util/concurrently';
import { UserError } from '../../util/userError';
import type { ApplicationSession } from '../application/session';
import { isIndeterminate, isRefusal, ServiceError, toServiceError } from '../http/errors';
import { findMissing } from '../read/notThere';
import { type CurrentRecord, readCurrent } from '../read/records';
import { partsBefore } from './checkpoint';
import { contentsOf } from './files';
import { sendForm, updateForm, type WriteTarget } from './form';
import { type Trace, traceOf, verdict, type WritePlan } from './verdict';

/** Attempts to write a record that others change at the same time. */
const MAX_ATTEMPTS = 60;

/** Longest wait between two attempts, in milliseconds. */
const LONGEST_PAUSE_MS = 1000;

/** Attempts whose answer was lost, and which were seen not to be done. */
const MAX_LOST = 3;

/** Refusals in a row that each let the record grow by what was sent: the service may save first and refuse then. */
const MAX_GROWING_REFUSALS = 10;

/** A change of one record, planned again for each attempt. */
export interface RecordWrite extends WriteTarget {
  /** Whether a plan can only be made with the record in hand. */
  readonly needsCurrent: boolean;
  /** The parts that a plan may need of the record. */
  readonly concerns: readonly Part[];
  /**
   * Whether a new plan tells added rows and files from those that are missing: then it need not be known what an
   * attempt added.
   */
  readonly comparesAgain: boolean;
  /**
   * What to send.
   * @param current the record as it is; `null` while it was not read.
   * @param before the record before the first attempt; `null` in the first one.
   */
  plan(current: CurrentRecord | null, before: CurrentRecord | null): WritePlan;
}

/** A write that the service has done, or that needed nothing. */
export interface Written {
  readonly plan: WritePlan;
  /** The record as the plan was made on. */
  readonly current: CurrentRecord | null;
  /** Whether the service said that it had done it. */
  readonly isAnswered: boolean;
  /** What it said instead. */
  readonly said?: string;
}

/**
 * Sends a change until it is done or certainly cannot be: each attempt is planned on the record as it is, and what
 * became of one without a good answer is told by reading.
 * @param current the record as it is; `null` while it was not read.
 * @param indeterminate what an earlier try ended in, if it did not learn its outcome.
 */
export async function sendUntilDone(
  app: ApplicationSession,
  write: RecordWrite,
  current: CurrentRecord | null,
  indeterminate: Error | null = null,
): Promise<Written> {
  const attempts =
    indeterminate === null
      ? new Attempts(app, write, current, null)
      : await reconcile(app, write, indeterminate);
  if (!(attempts instanceof Attempts)) return attempts;
  for (let tried = 1; ; tried++) {
    const written = await attempts.next(tried === MAX_ATTEMPTS);
    if (written !== null) return written;
    await app.client.wait(Math.random() * Math.min(tried * 20, LONGEST_PAUSE_MS));
  }
}

/** The attempts of one write, and what is known of those before. */
class Attempts {
  /** Attempts under the same revision whose answer was lost. */
  private lost: ServiceError[] = [];

  /** Refusals in a row that each let the record grow by what was sent. */
  private growing = 0;

  /**
   * @param before the record before the first attempt, if there was one.
   * @param indeterminate the failure of an attempt that may be done all the same, and was followed by a new plan.
   */
  constructor(
    private readonly app: ApplicationSession,
    private readonly write: RecordWrite,
    private current: CurrentRecord | null,
    private before: CurrentRecord | null,
    private indeterminate?: ServiceError,
  ) {}

  /** Makes one attempt; `null` if another one is to follow. */
  async next(isLast: boolean): Promise<Written | null> {
    const { current, write } = this;
    const planned = attempt(() => write.plan(current, this.before));
    if ('error' in planned) throw this.unplanned(planned.error);
    const plan = planned.value;
    if (plan.outcome !== 'updated') {
      const isDone = this.indeterminate !== undefined && plan.outcome === 'unchanged';
      const said = isDone && isRefusal(this.indeterminate) ? { said: this.indeterminate.message } : {};
      return { plan: isDone ? { ...plan, outcome: 'updated' } : plan, current, isAnswered: false, ...said };
    }
    const failure = await this.send(plan);
    return failure === null ? { plan, current, isAnswered: true } : await this.judge(plan, failure, isLast);
  }

  /** Finds out what became of an attempt without a good answer; `null` if another one is to follow. */
  private async judge(plan: WritePlan, failure: ServiceError, isLast: boolean): Promise<Written | null> {
    const { current, app, write } = this;
    const isRefused = failure.kind !== 'outcomeUnknown';
    if (!isRefused) this.lost.push(failure);
    const reason = this.lost[0] ?? failure;
    const now = await readAfter(app, write, plan, current, reason);
    const trace = traceOf(plan, current, now, write.context, await contentsOf(write, plan.values));
    const answer = this.lost.length === 0 ? 'refused' : isRefused ? 'lostThenRefused' : 'lost';
    const result = verdict(plan.guard, answer, trace);
    const told = { current, isAnswered: false, ...(answer === 'refused' && { said: failure.message }) };
    if (result === 'done') return { plan, ...told };
    if (result === 'unknown') {
      if (!mayCompareAgain(write, plan, trace)) throw indeterminateError(reason, write, plan, current, now);
      this.indeterminate ??= reason;
    }
    if (isRefused && isHeldBefore(plan, trace))
      return { plan: { ...plan, outcome: 'unchanged', values: [] }, ...told };
    this.assertWorthTrying(plan, trace, isRefused, reason, now);
    if (isLast || (trace.moved === 0 && isRefused)) throw this.ending(failure, plan, now);
    this.goOn(now, trace);
    return null;
  }

  /** The next attempt is planned on the record as it is now. */
  private goOn(now: CurrentRecord, { moved }: Trace): void {
    if (moved !== 0) this.lost = [];
    this.before ??= this.current;
    this.current = now;
  }

  /** Sends a plan; returns the failure that reading the record may settle, and throws any other. */
  private async send({ revision, values, guard }: WritePlan): Promise<ServiceError | null> {
    const { app, write, lost } = this;
    const form = updateForm(app, write.id, revision, values, write);
    const sent = await settle(async () => await sendForm(app, form, write.uploadSource));
    if ('value' in sent) return null;
    const failure = toServiceError(sent.error).about(write.id);
    if (isIndeterminate(failure) || (isRefusal(failure) && guard !== 'none')) return failure;
    // An earlier attempt may still arrive.
    this.indeterminate ??= lost[0];
    throw this.ending(failure, { revision }, null);
  }

  /** Why no further attempt can be planned. That says nothing about an earlier one which may be done. */
  private unplanned(error: unknown): unknown {
    const { before, current, indeterminate, write } = this;
    if (indeterminate === undefined || !(error instanceof UserError)) return error;
    if (isIndeterminate(indeterminate) && indeterminate.details.sent !== undefined) return indeterminate;
    return indeterminateError(indeterminate, write, { revision: before?.revision ?? 0 }, before, current);
  }

  /** The failure of the last attempt; or that of an earlier one, if that may be done. */
  private ending(
    failure: ServiceError,
    plan: Pick<WritePlan, 'revision'>,
    now: CurrentRecord | null,
  ): ServiceError {
    const { current, indeterminate, write } = this;
    return indeterminate === undefined
      ? failure
      : indeterminateError(indeterminate, write, plan, current, now, true);
  }

  /** @throws ServiceError where a further attempt would not tell more, or could do harm. */
  private assertWorthTrying(
    plan: WritePlan,
    { added, moved, fresh }: Trace,
    isRefused: boolean,
    reason: ServiceError,
    now: CurrentRecord,
  ): void {
    const hasGrown = isRefused && added > 0 && moved === 1 && fresh === added;
    this.growing = hasGrown ? this.growing + 1 : 0;
    if (this.lost.length > MAX_LOST && plan.guard === 'none') throw notDone(this.write.id, reason);
    if (this.growing === MAX_GROWING_REFUSALS || this.lost.length > MAX_LOST)
      throw indeterminateError(reason, this.write, plan, this.current, now);
  }
}

/**
 * Finds out what became of a write whose outcome an earlier try did not learn, by what that try had read.
 * @throws `indeterminate` if the record does not tell, or cannot be read.
 */
async function reconcile(
  app: ApplicationSession,
  write: RecordWrite,
  indeterminate: Error,
): Promise<Attempts | Written> {
  if (!(indeterminate instanceof ServiceError) || indeterminate.details.sent === undefined)
    throw indeterminate;
  const { sent } = indeterminate.details;
  const { id, context } = write;
  const read = await settle(async () => await readCurrent(app, id, context));
  if ('error' in read) throw indeterminate;
  const now = read.value;
  const before = sent.before === null ? null : recordBefore(id, sent.revision, sent.before);
  const plan = planAgain(write, before, indeterminate);
  if (plan.outcome !== 'updated' || plan.revision !== sent.revision) throw indeterminate;
  const trace = traceOf(plan, before, now, context, await contentsOf(write, plan.values));
  const result = verdict(plan.guard, sent.isRefused === true ? 'refused' : 'lost', trace);
  if (result === 'done') return { plan, current: before, isAnswered: false };
  if (result === 'unknown' && !mayCompareAgain(write, plan, trace)) throw indeterminate;
  const isOpen = result === 'unknown' || sent.isOpen === true;
  const current = write.needsCurrent || plan.guard === 'user' ? now : null;
  return new Attempts(app, write, current, before, isOpen ? indeterminate : undefined);
}

/** A record as it was before a write, by the parts of it that were remembered. */
export function recordBefore(id: string, revision: number | null, parts: IDataObject): CurrentRecord {
  return { id, revision: revision ?? 0, record: { ...parts, id, revision } };
}

/** What was sent, planned once more. @throws `indeterminate` where that is no longer possible. */
function planAgain(write: RecordWrite, before: CurrentRecord | null, indeterminate: Error): WritePlan {
  const planned = attempt(() => write.plan(before, null));
  if ('value' in planned) return planned.value;
  throw planned.error instanceof UserError ? indeterminate : planned.error;
}

/** Whether a record has not moved, and holds all that was sent. */
function isHeldBefore({ guard }: WritePlan, { held, added, moved }: Trace): boolean {
  return moved === 0 && guard !== 'none' && held === true && added === 0;
}

/**
 * Whether a new plan, made on the record as it is now, tells what is still missing. The user's guard is never given up
 * for that.
 */
function mayCompareAgain({ comparesAgain }: RecordWrite, { guard }: WritePlan, { moved }: Trace): boolean {
  return comparesAgain && guard === 'node' && moved !== 0;
}

/**
 * The record as it is after a failure. Where it was readable before and refuses now, it is asked once more after others
 * have answered: a passing refusal says nothing about the write.
 * @throws if it cannot be read either: a refusal of both is about the record; else it is not known what became of the
 * write.
 */
async function readAfter(
  app: ApplicationSession,
  write: RecordWrite,
  plan: WritePlan,
  before: CurrentRecord | null,
  failure: ServiceError,
): Promise<CurrentRecord> {
  const readNow = async (): Promise<Settled<CurrentRecord>> =>
    await settle(async () => await readCurrent(app, write.id, write.context));
  const refuses = (read: Settled<CurrentRecord>): boolean => 'error' in read && isRefusal(read.error);
  let read = await readNow();
  if (failure.kind !== 'outcomeUnknown' && refuses(read)) {
    if (before === null) throw failure;
    const missing = await settle(async () => await findMissing(app, [write.id]));
    if ('value' in missing && missing.value.has(write.id)) throw failure;
    if ('value' in missing) read = await readNow();
  }
  if ('value' in read) return read.value;
  throw indeterminateError(failure, write, plan, before, null);
}

/**
 * It is not known what became of a write: with what a further try needs to find out.
 * @param isOpen an attempt before the last one may be done
 */
function indeterminateError(
  failure: ServiceError,
  { id, concerns, context }: RecordWrite,
  { revision }: Pick<WritePlan, 'revision'>,
  before: CurrentRecord | null,
  now: CurrentRecord | null,
  isOpen = false,
): ServiceError {
  const isRefused = failure.kind !== 'outcomeUnknown';
  const sent = {
    revision,
    before: before === null ? null : partsBefore(concerns, before, context),
    ...(isRefused && { isRefused }),
    ...(isOpen && { isOpen }),
  };
  const seen =
    now === null
      ? ''
      : `The record ${id} now has revision ${now.revision} and does not hold all the values that were sent, or does not tell. `;
  const message = !isRefused
    ? failure.message
    : `It is not known whether the record ${id} was changed (outcome unknown): ${failure.message}`;
  return new ServiceError('outcomeUnknown', message, `${seen}${failure.description}`, {
    ...failure.details,
    action: 'update_data',
    sent,
  });
}

/** The answers were lost, and the record holds nothing of what was sent. */
function notDone(id: string, { details }: ServiceError): ServiceError {
  return new ServiceError(
    'lost',
    `The record ${id} was not changed: the service did not answer, and the record does not hold the values that were sent`,
    'Try again later.',
    details,
  );
}
