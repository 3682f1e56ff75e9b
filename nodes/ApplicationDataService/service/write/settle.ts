import { holds, holdsAll } from '../../parts/compare';
import { attempt, settle } from '../../util/concurrently';
import { UserError } from '../../util/userError';
import type { ApplicationSession } from '../application/session';
import { isIndeterminate, isRefusal, ServiceError, toServiceError } from '../http/errors';
import { type CurrentRecord, readCurrent, valueOf } from '../read/records';
import { ConflictError } from './conflict';
import { fileChanges, splitFiles, type Split } from './files';
import { type Contents, NO_CHECK, sendForm, updateForm } from './form';
import { needsCurrent, planUpdate, type Update, type WritePlan } from './update';
import { type Guard, look, type Seen, type Verdict, verdict } from './verdict';

/** Plans for one write of a record that others change at the same time (parameters.md, "What became of a write"). */
const MAX_PLANS = 10;
const MAX_PLANS_OF_SYNC = 3;

/** Times that a request whose answer was lost is sent again, as it was. */
const MAX_SENT_AGAIN = 3;

/** Longest wait between two attempts, in milliseconds. */
const MAX_PAUSE_MS = 1000;

/** A write that the service has done, or that needed nothing. */
export interface Settled extends Split {
  readonly plan: WritePlan;
  /** The record as the plan was made on; `null` if it was not read. */
  readonly current: CurrentRecord | null;
}

/** What an attempt begins with. */
interface State {
  /** The record as it is; `null` while it was not read. */
  current: CurrentRecord | null;
  /** The first answer that was lost. After it nothing is called refused, not found or not changed. */
  lost: ServiceError | null;
  /** The table has called what the record shows a conflict: the item's policy may say so, too. */
  isConflict: boolean;
  /** Times that the same request was sent again. */
  sentAgain: number;
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
): Promise<Settled> {
  const { id, context } = update;
  const state: State = { current: known, lost: doubt, isConflict: false, sentAgain: 0 };
  if (doubt !== null) {
    const found = await settleDoubt(app, update, contents, doubt);
    if ('plan' in found) return found;
    state.current = found;
  } else if (known === null && needsCurrent(update)) {
    state.current = await readCurrent(app, id, context);
  }
  const maxPlans = update.stateOf === undefined ? MAX_PLANS : MAX_PLANS_OF_SYNC;
  for (let tried = 1; tried <= maxPlans; tried++) {
    const settled = await tryOnce(app, update, contents, state, tried === 1 && doubt === null);
    if (settled !== null) return settled;
    await app.client.wait(Math.random() * Math.min(10 * 2 ** tried, MAX_PAUSE_MS));
  }
  throw state.lost === null ? changedEachTime(id) : inDoubt(state.lost, id, state.current?.revision ?? 0);
}

/** One attempt, and what it changes of the state; `null` if another one is to follow. */
async function tryOnce(
  app: ApplicationSession,
  update: Update,
  contents: Contents,
  state: State,
  isFirst: boolean,
): Promise<Settled | null> {
  const { id, context } = update;
  const { current, lost } = state;
  // Thousands of rows take their time to be read, to be planned and to be sent.
  const pause = async (): Promise<void> => (current === null ? undefined : await app.client.wait(0));
  await pause();
  const plan = planOrDoubt(update, contents, state, isFirst);
  await pause();
  const { guard, revision } = plan;
  const settled = { plan, current, ...splitFiles(plan.values, contents) };
  if (plan.outcome === 'conflict') return settled;
  if (plan.outcome === 'unchanged')
    return lost === null ? settled : { ...settled, plan: { ...plan, outcome: 'updated' } };

  const form = updateForm(app, id, revision, settled.first, update);
  const sent = await settle(async () => await sendForm(app, form, contents));
  if ('value' in sent) return settled;
  const failure = toServiceError(sent.error).about(id);
  const isLost = isIndeterminate(failure);
  if (isLost) state.lost ??= failure;
  else if (!isRefusal(failure)) throw lost === null ? failure : inDoubt(lost, id, revision);

  // What is refused without a revision was not done, whatever the record shows.
  const tells = state.lost !== null || guard !== 'none';
  const read = tells ? await settle(async () => await readCurrent(app, id, context)) : null;
  const now = read !== null && 'value' in read ? read.value : null;
  const before = current?.record ?? update.known;
  const seen = now && look(settled.first, revision, before, now, context, contents);
  const answer = isLost ? 'lost' : lost === null ? 'refused' : 'refusedAfterLoss';
  const follows = verdict(guard, answer, seen);
  if (follows === 'done') return settled;
  if (follows === 'refused') throw failure;
  if (!goesOn(follows, state, now)) throw inDoubt(state.lost ?? failure, id, revision, now);
  return null;
}

/** Whether another attempt follows, which is planned on the record as it is now. */
function goesOn(follows: Verdict, state: State, now: CurrentRecord | null): boolean {
  state.sentAgain = follows === 'sendAgain' ? state.sentAgain + 1 : 0;
  state.isConflict = follows === 'conflict';
  state.current = now;
  return follows !== 'unknown' && state.sentAgain <= MAX_SENT_AGAIN;
}

/** Why no further attempt can be planned says nothing about an earlier one that may be done. */
function planOrDoubt(update: Update, contents: Contents, state: State, isFirst: boolean): WritePlan {
  const { current, lost, isConflict } = state;
  const planned = attempt(() => planUpdate(update, current, contents, isFirst));
  if ('value' in planned) return planned.value;
  const { error } = planned;
  if (lost === null || !(error instanceof UserError) || isConflict) throw error;
  throw inDoubt(lost, update.id, current?.revision ?? NO_CHECK);
}

/**
 * Finds out what became of a write whose outcome an earlier try did not learn, by the revision that it was sent under.
 * @returns the record, if the write is to be sent again.
 * @throws `doubt` if the record does not tell, or cannot be read.
 */
async function settleDoubt(
  app: ApplicationSession,
  update: Update,
  contents: Contents,
  doubt: ServiceError,
): Promise<Settled | CurrentRecord> {
  const { id, context } = update;
  const { sent } = doubt.details;
  if (sent === undefined) throw doubt;
  const read = await settle(async () => await readCurrent(app, id, context));
  if ('error' in read) throw doubt;
  const { revision } = sent;
  const now = read.value;
  const guard: Guard = revision === NO_CHECK ? 'none' : update.revision === null ? 'node' : 'user';
  const planned = attempt(() => planUpdate(update, now, contents, false));
  const found = 'value' in planned ? planned.value : null;
  const follows = verdict(guard, 'lost', seenLater(update, now, revision, guard, found), false);
  if (follows === 'sendAgain') return now;
  if (follows !== 'done' || found === null) throw doubt;
  return { plan: { ...found, outcome: 'updated' }, first: [], later: [], current: now };
}

/** What a record shows of a write, where it is not known what was there before. */
function seenLater(
  update: Update,
  now: CurrentRecord,
  revision: number,
  guard: Guard,
  found: WritePlan | null,
): Seen {
  const { values, rowChanges = [], context } = update;
  const shown = values.map(({ part, value }) =>
    holds(part, value, valueOf(now.record, part, context), context),
  );
  const held = guard === 'none' ? holdsAll(shown) : found?.values.length === 0;
  const adds =
    fileChanges([
      ...values,
      ...rowChanges.flatMap((change) => ('values' in change ? change.values : [])),
    ]).some(({ value }) => value.add.length > 0) ||
    rowChanges.some(({ kind }) => kind === 'add') ||
    values.some(({ value }) => value.kind === 'rows' && value.rows.some((row) => row.id === undefined));
  return { moved: now.revision - revision, held, adds, isAll: held === true && !adds, isAsBefore: false };
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

function changedEachTime(id: string): ConflictError {
  return new ConflictError(
    `The record ${id} was changed in the meantime before each attempt to write it`,
    'The node read and compared it each time. Run the workflow again when nobody else works on it.',
    [id],
  );
}
