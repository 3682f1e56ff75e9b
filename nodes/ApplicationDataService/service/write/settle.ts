import { attempt, type Settled, settle } from '../../util/concurrently';
import { pause } from '../../util/pause';
import { asUserError, type UserError } from '../../util/userError';
import type { ApplicationSession } from '../application/session';
import { isIndeterminate, isRefusal, ServiceError, toServiceError } from '../http/errors';
import { type CurrentRecord, readCurrent } from '../read/records';
import { ConflictError } from './conflict';
import { splitFiles, type Split } from './files';
import { type Contents, NO_CHECK, sendForm, updateForm } from './form';
import { look } from './seen';
import { assumedFound, joinFound, needsCurrent, planUpdate, type Update, type WritePlan } from './update';
import { type Seen, verdict } from './verdict';

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
  /** The revision by which a further try of the node judges that one, 0 for none. */
  readonly revision: number;
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
  const { id, context, stateOf } = update;
  const write = { app, update, contents };
  const isRead = doubt === null && known === null && needsCurrent(update);
  const current = isRead ? await readCurrent(app, id, context) : known;
  const begun = { current, found: null, lost: null, revision: NO_CHECK, sentAgain: 0 };
  let next: State | SettledWrite = doubt === null ? begun : await settleDoubt(write, doubt);
  const maxPlans = stateOf === undefined ? MAX_PLANS : MAX_PLANS_OF_SYNC;
  for (let tried = 0; !('plan' in next) && tried < maxPlans; tried++) {
    const state: State = next;
    const attempted = await settle(async () => {
      if (tried > 0) await app.client.wait(Math.random() * Math.min(10 * 2 ** tried, MAX_PAUSE_MS));
      return await tryOnce(write, state);
    });
    if ('error' in attempted) throw afterLoss(asUserError(attempted.error), update, state);
    next = attempted.value;
  }
  if ('plan' in next) return next;
  const { lost, revision } = next;
  const spent = new ConflictError(
    `The record ${id} was changed in the meantime before each attempt to write it`,
    'The node read and compared it each time. Run the workflow again when nobody else works on it.',
    [id],
  );
  throw lost === null ? spent : inDoubt(lost, id, revision);
}

/** One attempt. @returns what the next one begins with, if one is to follow. */
async function tryOnce({ app, update, contents }: Write, state: State): Promise<SettledWrite | State> {
  const { current, lost, found } = state;
  // Thousands of rows take their time to be read, to be planned and to be sent.
  await pause();
  const planned = planUpdate(update, current, contents, found === null);
  await pause();
  const plan = found === null ? planned : { ...planned, found: joinFound(found, planned.found) };
  const settled = { plan, current, ...splitFiles(plan.values, contents) };
  if (plan.outcome === 'unchanged' && lost !== null)
    return { ...settled, plan: { ...plan, outcome: 'updated' } };
  if (plan.outcome !== 'updated') return settled;
  const form = updateForm(app, update.id, plan.revision, settled.first, update);
  const sent = await settle(async () => await sendForm(app, form, contents));
  if ('value' in sent) return settled;
  const failure = toServiceError(sent.error).about(update.id);
  if (![isIndeterminate, isRefusal].some((isOf) => isOf(failure))) throw failure;
  return await judge({ app, update, contents }, state, settled, failure);
}

/** What became of a request without an `ok`, and what follows. */
async function judge(
  write: Write,
  state: State,
  settled: SettledWrite,
  failure: ServiceError,
): Promise<SettledWrite | State> {
  const { id } = write.update;
  const { guard, revision, found } = settled.plan;
  const isLost = isIndeterminate(failure);
  const lost = state.lost ?? (isLost ? failure : null);
  // What is refused without a revision was not done, whatever the record shows.
  const read = lost === null && guard === 'none' ? null : await readIfPossible(write);
  const now = recordIn(read);
  // A refusal after a lost answer says nothing about that one.
  const answer = isLost ? 'lost' : lost === null ? 'refused' : 'refusedAfterLoss';
  const follows = verdict(guard, answer, seenIn(write, settled, now));
  if (follows === 'done') return settled;
  if (follows === 'refused') throw failure;
  const sentAgain = follows === 'sendAgain' ? state.sentAgain + 1 : 0;
  if (follows === 'unknown' || sentAgain > MAX_SENT_AGAIN) throw inDoubt(lost ?? failure, id, revision, read);
  const next = guard === 'none' ? NO_CHECK : now!.revision;
  return { current: now, lost, found: state.found ?? found, sentAgain, revision: next };
}

function seenIn(
  { update, contents }: Write,
  { plan, current, first }: SettledWrite,
  now: CurrentRecord | null,
): Seen | null {
  return now && look(first, plan.revision, current?.record ?? update.known, now, update.context, contents);
}

/** The record as it is. That it cannot be read says nothing about a write. */
async function readIfPossible({ app, update }: Write): Promise<Settled<CurrentRecord>> {
  return await settle(async () => await readCurrent(app, update.id, update.context));
}

function recordIn(read: Settled<CurrentRecord> | null): CurrentRecord | null {
  return read !== null && 'value' in read ? read.value : null;
}

/**
 * What an attempt failed with. After a lost answer, why another request is not sent says nothing about that one; under
 * the user's revision, it is planned again only where the table says that it is a conflict.
 */
function afterLoss(failure: UserError, update: Update, { lost, revision }: State): UserError {
  const isSaid = isIndeterminate(failure) || (update.revision !== null && failure instanceof ConflictError);
  return lost === null || isSaid ? failure : inDoubt(lost, update.id, revision);
}

/**
 * Finds out what became of a write whose outcome an earlier try did not learn, by the revision that it was sent under
 * and by what of it is still to be sent.
 * @returns what an attempt begins with, if the write is to be sent again.
 * @throws `doubt` if the record does not tell, or cannot be read.
 */
async function settleDoubt(write: Write, doubt: ServiceError): Promise<SettledWrite | State> {
  const { update, contents } = write;
  const { revision } = doubt.details.sent ?? {};
  if (revision === undefined) throw doubt;
  const read = await readIfPossible(write);
  if ('error' in read) throw doubt.unread(read.error);
  const { value: current } = read;
  const planned = attempt(() => planUpdate(update, current, contents, false));
  if ('error' in planned) throw doubt;
  const { value: plan } = planned;
  const guard = revision === NO_CHECK ? 'none' : update.revision === null ? 'node' : 'user';
  const seen = look(plan.values, revision, {}, current, update.context, contents);
  const follows = verdict(guard, 'lost', seen, false);
  const found = assumedFound(update);
  if (follows === 'sendAgain') return { current, found, lost: doubt, revision, sentAgain: 0 };
  if (follows !== 'done') throw doubt;
  const done = { ...plan, outcome: 'updated', found: joinFound(found, plan.found) } as const;
  return { plan: done, first: [], later: [], current };
}

/** It is not known what became of a write: with what a further try needs to find out. */
function inDoubt(
  failure: ServiceError,
  id: string,
  revision: number,
  read: Settled<CurrentRecord> | null = null,
): ServiceError {
  const now = recordIn(read);
  const seen =
    now === null ? '' : `The record ${id}, which now has revision ${now.revision}, does not tell. `;
  const isKnown = failure.kind === 'outcomeUnknown';
  const unsaid = `It is not known whether the record ${id} was changed (outcome unknown): ${failure.message}`;
  const details = { ...failure.details, action: 'update_data', sent: { revision } };
  const message = isKnown ? failure.message : unsaid;
  const doubt = new ServiceError(
    'outcomeUnknown',
    message,
    `${seen}${failure.description}`,
    details,
    failure,
  );
  return read !== null && 'error' in read ? doubt.unread(read.error) : doubt;
}
