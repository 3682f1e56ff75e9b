import { holds, holdsAll } from '../../parts/compare';
import type { EncodedPart } from '../../parts/encode';
import { attempt, settle } from '../../util/concurrently';
import { UserError } from '../../util/userError';
import type { ApplicationSession } from '../application/session';
import { isIndeterminate, isRefusal, ServiceError, toServiceError } from '../http/errors';
import { valueOf } from '../../parts/types/entries';
import { type CurrentRecord, readCurrent } from '../read/records';
import { ConflictError } from './conflict';
import { splitFiles, type Split } from './files';
import { type Contents, NO_CHECK, sendForm, updateForm } from './form';
import { assumedFound, joinFound, needsCurrent, planUpdate, type Update, type WritePlan } from './update';
import { look } from './seen';
import { type Failed, type Guard, verdict } from './verdict';

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

/** What is to be written. */
interface Write {
  readonly app: ApplicationSession;
  readonly update: Update;
  readonly contents: Contents;
}

/** What an attempt begins with. */
interface State {
  /** The record as it is; `null` while it was not read. */
  readonly current: CurrentRecord | null;
  /** What the first plan found out; `null` if nothing was sent yet. */
  readonly found: WritePlan['found'] | null;
  /** The first answer that was lost. After it nothing is called refused, not found or not changed. */
  readonly lost: ServiceError | null;
  /** Times that the same request was sent again. */
  readonly sentAgain: number;
}

/**
 * Sends a change until it is done or certainly cannot be: reads, plans, sends, and judges what became of a request
 * without an `ok` by the record as it is then, on which the next plan is made.
 * @param known the record, where it is known already; `null` to read it, if a plan needs it.
 * @param doubt what an earlier try ended in, if it did not learn its outcome.
 * @throws what `planUpdate` throws; ServiceError as the service or the connection failed, `outcomeUnknown` where even
 * reading the record does not tell.
 */
export async function settleUpdate(
  app: ApplicationSession,
  update: Update,
  contents: Contents,
  known: CurrentRecord | null,
  doubt: ServiceError | null,
): Promise<SettledWrite> {
  const { id, context } = update;
  const write = { app, update, contents };
  let current = known;
  if (doubt !== null) {
    const found = await settleDoubt(write, doubt);
    if ('plan' in found) return found;
    current = found;
  } else if (known === null && needsCurrent(update)) {
    current = await readCurrent(app, id, context);
  }
  let state: State = { current, lost: doubt, found: doubt && assumedFound(update), sentAgain: 0 };
  const maxPlans = update.stateOf === undefined ? MAX_PLANS : MAX_PLANS_OF_SYNC;
  for (let tried = 1; tried <= maxPlans; tried++) {
    const next = await tryOnce(write, state);
    if ('plan' in next) return next;
    state = next;
    await app.client.wait(Math.random() * Math.min(10 * 2 ** tried, MAX_PAUSE_MS));
  }
  if (state.lost !== null) throw inDoubt(state.lost, id, state.current?.revision ?? NO_CHECK);
  throw new ConflictError(
    `The record ${id} was changed in the meantime before each attempt to write it`,
    'The node read and compared it each time. Run the workflow again when nobody else works on it.',
    [id],
  );
}

/** One attempt. @returns what the next one begins with, if one is to follow. */
async function tryOnce(write: Write, state: State): Promise<SettledWrite | State> {
  const { app, update, contents } = write;
  const { current, lost } = state;
  // Thousands of rows take their time to be read, to be planned and to be sent.
  const pause = async (): Promise<void> => (current === null ? undefined : await app.client.wait(0));
  await pause();
  const plan = planOrDoubt(write, state);
  await pause();
  const settled = { plan, current, ...splitFiles(plan.values, contents) };
  if (plan.outcome === 'unchanged' && lost !== null)
    return { ...settled, plan: { ...plan, outcome: 'updated' } };
  if (plan.outcome !== 'updated') return settled;
  const form = updateForm(app, update.id, plan.revision, settled.first, update);
  const sent = await settle(async () => await sendForm(app, form, contents));
  if ('value' in sent) return settled;
  const failure = toServiceError(sent.error).about(update.id);
  if (isIndeterminate(failure) || isRefusal(failure)) return await judge(write, state, settled, failure);
  throw lost === null ? failure : inDoubt(lost, update.id, plan.revision);
}

/** What became of a request without an `ok`, and what follows. */
async function judge(
  write: Write,
  state: State,
  settled: SettledWrite,
  failure: ServiceError,
): Promise<SettledWrite | State> {
  const { id, context, known } = write.update;
  const { plan, current, first } = settled;
  const { guard, revision } = plan;
  const lost = state.lost ?? (isIndeterminate(failure) ? failure : null);
  // What is refused without a revision was not done, whatever the record shows.
  const now = lost === null && guard === 'none' ? null : await readIfPossible(write);
  const seen = now && look(first, revision, current?.record ?? known, now, context, write.contents);
  const follows = verdict(guard, answerOf(failure, lost), seen);
  if (follows === 'done') return settled;
  if (follows === 'refused') throw failure;
  const sentAgain = follows === 'sendAgain' ? state.sentAgain + 1 : 0;
  if (follows === 'unknown' || sentAgain > MAX_SENT_AGAIN) throw inDoubt(lost ?? failure, id, revision, now);
  return { current: now, lost, found: state.found ?? plan.found, sentAgain };
}

/** A refusal after a lost answer says nothing about that one. */
function answerOf(failure: ServiceError, lost: ServiceError | null): Failed {
  if (isIndeterminate(failure)) return 'lost';
  return lost === null ? 'refused' : 'refusedAfterLoss';
}

/** The record as it is; `null` if it cannot be read, which says nothing about a write. */
async function readIfPossible({ app, update }: Write): Promise<CurrentRecord | null> {
  const read = await settle(async () => await readCurrent(app, update.id, update.context));
  return 'value' in read ? read.value : null;
}

/** Why no further attempt can be planned says nothing about an earlier one that may be done. */
function planOrDoubt({ update, contents }: Write, state: State): WritePlan {
  const { current, lost, found } = state;
  const planned = attempt(() => planUpdate(update, current, contents, found === null));
  if ('error' in planned) {
    const { error } = planned;
    // Under the user's revision, a lost write is planned again only where the table says that it is a conflict.
    const isConflict = update.revision !== null && error instanceof ConflictError;
    if (lost === null || !(error instanceof UserError) || isConflict) throw error;
    throw inDoubt(lost, update.id, current?.revision ?? NO_CHECK);
  }
  const plan = planned.value;
  return found === null ? plan : { ...plan, found: joinFound(found, plan.found) };
}

/**
 * Finds out what became of a write whose outcome an earlier try did not learn, by the revision that it was sent under.
 * @returns the record, if the write is to be sent again.
 * @throws `doubt` if the record does not tell, or cannot be read.
 */
async function settleDoubt(write: Write, doubt: ServiceError): Promise<SettledWrite | CurrentRecord> {
  const { update, contents } = write;
  const { sent } = doubt.details;
  if (sent === undefined) throw doubt;
  const current = await readIfPossible(write);
  if (current === null) throw doubt;
  const planned = attempt(() => planUpdate(update, current, contents, false));
  const plan = 'value' in planned ? planned.value : null;
  // What is still to be sent shows what the record does not hold.
  const isHeld = ({ part, value }: EncodedPart): boolean | null =>
    holds(part, value, valueOf(current.record, part, update.context), update.context);
  const held = plan && holdsAll(plan.values.map(isHeld));
  const moved = current.revision - sent.revision;
  const seen = { moved, held, adds: false, isAll: held === true, isAsBefore: false };
  const guard: Guard = sent.revision === NO_CHECK ? 'none' : update.revision === null ? 'node' : 'user';
  const follows = verdict(guard, 'lost', seen, false);
  if (follows === 'sendAgain') return current;
  if (follows !== 'done' || plan === null) throw doubt;
  const found = joinFound(assumedFound(update), plan.found);
  return { plan: { ...plan, outcome: 'updated', found }, first: [], later: [], current };
}

/** It is not known what became of a write: with what a further try needs to find out. */
function inDoubt(
  failure: ServiceError,
  id: string,
  revision: number,
  now: CurrentRecord | null = null,
): ServiceError {
  const seen =
    now === null ? '' : `The record ${id}, which now has revision ${now.revision}, does not tell. `;
  const isKnown = failure.kind === 'outcomeUnknown';
  const unsaid = `It is not known whether the record ${id} was changed (outcome unknown): ${failure.message}`;
  const details = { ...failure.details, action: 'update_data', sent: { revision } };
  const message = isKnown ? failure.message : unsaid;
  return new ServiceError('outcomeUnknown', message, `${seen}${failure.description}`, details, failure);
}
