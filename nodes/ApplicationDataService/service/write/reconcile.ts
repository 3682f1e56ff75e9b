import { attempt, pause, settle } from '../../util/concurrently';
import { asUserError } from '../../util/userError';
import type { ApplicationSession } from '../application/session';
import { asClause, isConflict, isInDoubt, isRefusal, ServiceError, toServiceError } from '../http/errors';
import { type CurrentRecord, readCurrent, type ShownRecord } from '../read/records';
import type { ItemOutcome } from './checkpoint';
import { NO_CHECK, sendForm, updateForm } from './form';
import { asDone, joinOutcomes, leftOf, planUpdate, type WritePlan } from './plan';
import { needsCurrent, type Update } from './update';
import { dependsOnRecord, type Failed, look, type Seen, verdict } from './verdict';

/** Plans for one request, where others change the record meanwhile (docs/dev/guarantees.md). */
const MAX_PLANS = 5;
const MAX_PLANS_OF_SYNC = 3;

/**
 * Before another plan, a random wait of up to twice this, in milliseconds, then twice as long each time: two processes
 * that write to one record find their turns in five plans.
 */
const FIRST_PAUSE_MS = 50;

/** A request that the service has done, or that was not needed. */
interface EndedWrite {
  readonly kind: 'ended';
  readonly plan: WritePlan;
  /** The record as the plan was made on; `null` if it was not read. */
  readonly current: ShownRecord | null;
}

/** A request that is to be planned, for the first time or again. */
interface OpenWrite {
  readonly kind: 'open';
  /** The record as it was read last; `null` if it was not read. */
  readonly current: ShownRecord | null;
  /** What the plan of the first request came to; absent while nothing was sent. */
  readonly first?: readonly ItemOutcome[];
  /** After it, nothing is called refused, not found or not changed. */
  readonly lost?: Lost;
}

/** The first answer that was lost, and the revision by which the record tells what became of it; 0 for none. */
interface Lost {
  readonly failure: ServiceError;
  readonly revision: number;
}

/**
 * Sends a change until it is done or certainly cannot be. Each round plans on what is known, sends, and judges a
 * request without an `ok` by the record as it is then, on which the next round plans.
 * @param shown the record, where it was read already.
 * @param doubt what an earlier try of the node ended in, if it did not learn what became of the request.
 * @throws what `planUpdate` throws; ServiceError, `inDoubt` where even reading the record does not tell.
 */
export async function reconcileRecord(
  app: ApplicationSession,
  update: Update,
  shown: ShownRecord | null,
  doubt: ServiceError | null,
): Promise<EndedWrite> {
  let round: EndedWrite | OpenWrite =
    doubt === null ? { kind: 'open', current: shown } : await judgeAgain(app, update, doubt);
  const max = update.isState ? MAX_PLANS_OF_SYNC : MAX_PLANS;
  for (let plans = 0; plans < max && round.kind === 'open'; plans++) {
    if (plans > 0) await app.client.wait(Math.random() * FIRST_PAUSE_MS * 2 ** plans);
    round = await planAndSend(app, update, round);
  }
  if (round.kind === 'ended') return round;
  if (round.lost !== undefined) throw doubtAbout(update, round.lost, round.current);
  throw new ServiceError(
    'conflict',
    `The record ${update.id} was changed in the meantime before each attempt to write it`,
    'The node read and compared it each time. Run the workflow again when nobody else works on it.',
    { ids: [update.id] },
  );
}

async function read(app: ApplicationSession, { id, context }: Update): Promise<CurrentRecord> {
  return await readCurrent(app, id, context);
}

async function planAndSend(
  app: ApplicationSession,
  update: Update,
  given: OpenWrite,
): Promise<EndedWrite | OpenWrite> {
  const mustRead = given.current === null && needsCurrent(update);
  const open = mustRead ? { ...given, current: await read(app, update) } : given;
  const { current, first, lost } = open;
  // Thousands of rows take their time to be read, to be planned and to be sent.
  await pause();
  const planned = attempt(() => planUpdate(update, current, first === undefined));
  await pause();
  if ('error' in planned) throw afterLoss(update, open, planned.error);
  const { items: last } = planned.value;
  const items = first === undefined ? last : joinOutcomes(first, last, lost !== undefined);
  const plan = { ...planned.value, items };
  if (lost !== undefined && lacksRow(items, first)) throw doubtAbout(update, lost, current);
  if (plan.request.length === 0) return { kind: 'ended', plan, current };
  // A list may show none: it is read first.
  if (plan.revision === null)
    return await planAndSend(app, update, { ...open, current: await read(app, update) });
  const form = updateForm(app, update.id, plan.revision, plan.request, update);
  const answer = await settle(async () => await sendForm(app, form, update.contents));
  if ('value' in answer) return { kind: 'ended', plan, current };
  const failure = toServiceError(answer.error).about(update.id);
  if (!isInDoubt(failure) && !isRefusal(failure)) throw afterLoss(update, open, failure);
  return await judge(app, update, open, plan, failure);
}

/** What became of a request without an `ok`. @throws ServiceError if that was refused, or is not known */
async function judge(
  app: ApplicationSession,
  update: Update,
  open: OpenWrite,
  plan: WritePlan,
  failure: ServiceError,
): Promise<EndedWrite | OpenWrite> {
  const { guard } = plan;
  const { current } = open;
  const failed = failedAs(failure, open.lost);
  const lost = open.lost?.failure ?? (failed === 'lost' ? failure : undefined);
  const looked = dependsOnRecord(guard, failed) && (await settle(async () => await read(app, update)));
  const now = looked && 'value' in looked ? looked.value : null;
  const seen = now && look(plan, current?.record ?? update.before, now, update);
  switch (verdict(guard, failed, seen)) {
    case 'done':
      return { kind: 'ended', plan, current };
    case 'refused':
      throw failure;
    case 'unknown':
      throw doubtAbout(update, { failure: lost ?? failure, revision: plan.revision! }, now);
    case 'again':
      return again(open, plan, lost, now!);
  }
}

function failedAs(failure: ServiceError, lost: Lost | undefined): Failed {
  if (isInDoubt(failure)) return 'lost';
  return lost === undefined ? 'refused' : 'refusedAfterLoss';
}

function again(
  { first }: OpenWrite,
  { guard, items }: Pick<WritePlan, 'guard' | 'items'>,
  lost: ServiceError | undefined,
  current: CurrentRecord,
): OpenWrite {
  // By this, the record tells later what became of the answer that was lost.
  const revision = guard === 'none' ? NO_CHECK : current.revision;
  const left = lost && { lost: { failure: lost, revision } };
  return { kind: 'open', current, first: first ?? items, ...left };
}

/**
 * Judges what an earlier try of the node has left in doubt, by the revision that it was sent under, or judged by last,
 * and by what is still to be sent: what was there before is no longer known.
 * @throws `doubt` if the record does not tell, or cannot be read.
 */
async function judgeAgain(
  app: ApplicationSession,
  update: Update,
  doubt: ServiceError,
): Promise<EndedWrite | OpenWrite> {
  const { underRevision: revision } = doubt.details;
  if (revision === undefined) throw doubt;
  const looked = await settle(async () => await read(app, update));
  if ('error' in looked) throw doubt;
  const { value: current } = looked;
  const left = attempt(() => leftOf(update, current));
  if ('error' in left) throw doubt;
  const { plan, isHeld, removals } = left.value;
  const moved = current.revision - revision;
  const guard = revision === NO_CHECK ? 'none' : update.revision === null ? 'node' : 'user';
  // What Merge adds is never held: it would be sent again. With Replace and for Sync, equal rows are what is wanted.
  const seen: Seen = {
    moved: moved === 0 ? 'not' : 'otherwise',
    held: isHeld,
    adds: false,
    isAll: isHeld,
    isAsBefore: false,
  };
  const follows = verdict(guard, 'lost', seen);
  const { changes } = update;
  const items = changes === undefined ? [{ outcome: 'updated' } as const] : asDone(changes, plan.items);
  // A row that is not there may have been changed before. Others tell, if nobody else has written.
  const isTold = moved <= 1 && items.some(({ outcome }) => outcome !== 'notFound');
  if (lacksRow(items) && !isTold) throw doubt;
  // Nothing of it was done, so what is to be removed and is not there was not removed by it.
  if (follows === 'again')
    return again({ kind: 'open', current }, { guard, items: plan.items }, doubt, current);
  if (follows !== 'done') throw doubt;
  return { kind: 'ended', plan: { ...plan, request: [], removals, items }, current };
}

/** Whether a row that is to be changed is not there, and was there at first. */
function lacksRow(last: readonly ItemOutcome[], first?: readonly ItemOutcome[]): boolean {
  return last.some(({ outcome }, index) => outcome === 'notFound' && first?.[index]?.outcome !== 'notFound');
}

/**
 * Why a request was not sent. After a lost answer that says nothing about that one; under the user's revision, it is
 * planned again only where the table says that the policy is to decide.
 */
function afterLoss(update: Update, { lost, current }: OpenWrite, thrown: unknown): unknown {
  const failure = asUserError(thrown);
  const isSaid = isInDoubt(failure) || (update.revision !== null && isConflict(failure));
  return lost === undefined || isSaid ? failure : doubtAbout(update, lost, current);
}

/** It is not known what became of a write: with what a further try needs to find out. */
function doubtAbout({ id }: Update, { failure, revision }: Lost, now: ShownRecord | null): ServiceError {
  const seen = now && ` The record ${id}, which now has revision ${now.revision}, does not tell.`;
  const { kind, cause } = failure;
  // One that an earlier try has left says it all, and has no cause.
  const reason = kind === 'inDoubt' ? cause?.message : failure.message;
  const message =
    reason === undefined
      ? failure.message
      : `It is not known whether the record ${id} was changed (outcome unknown): ${asClause(reason)}`;
  // The service's own words stand first.
  const description = `${failure.description}${seen ?? ''}`;
  const details = { ...failure.details, ids: [id], action: 'update_data', underRevision: revision };
  return new ServiceError('inDoubt', message, description, details, cause ?? failure);
}
