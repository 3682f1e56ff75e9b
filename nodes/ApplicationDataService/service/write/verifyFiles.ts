import { mergeRows } from '../../parts/mergeRows';
import type { SimplifiedRecord } from '../../parts/record';
import { settle } from '../../util/concurrently';
import { inTurn } from '../../util/turns';
import { asUserError, type UserError } from '../../util/userError';
import type { ApplicationSession } from '../application/session';
import { isDoubt, isRefusal, ServiceError } from '../http/errors';
import { readCurrent, valueOf, type CurrentRecord } from '../read/current';
import type { Checkpoint, Done } from './checkpoint';
import { filePlaces } from './filePlaces';
import {
  describe,
  matchUploads,
  stepsOf,
  storedUploads,
  textOf,
  type Contents,
  type Step,
  type StoredUpload,
} from './fileSteps';
import { contentsOf } from './contents';
import { updateForm } from './form';
import { sendUpdate, type WriteTarget } from './send';
import { unpackValues } from './sentFiles';
import type { EncodedPart } from '../../parts/encode';

/** Failed requests after which a step is given up: those that others were quicker than, and those without an answer. */
const MAX_OVERTAKEN = 60;
const MAX_LOST = 3;

/**
 * Verifies by reading that a write uploaded and removed what it should, and does the rest: each further file in a request
 * of its own, under the revision that was read. Whether a service keeps several files of one name, and how many it
 * removes at once, is not documented (service-facts, "More that is not shown").
 * @returns what was done, with the names under which the service keeps the uploaded files.
 * @throws ServiceError if the service does not keep or remove a file; the write itself stands.
 */
export async function finishFiles(
  app: ApplicationSession,
  target: WriteTarget,
  { unverified, ...done }: Done,
  checkpoint: Checkpoint,
): Promise<Done> {
  if (unverified === undefined) return done;
  const values = unpackValues(unverified.values, app.application.parts);
  const sent: Sent = {
    values,
    before: { ...unverified.before, id: target.id, revision: null },
    contents: await verifying(target, async () => await contentsOf(target, values)),
    isAnswered: unverified.isAnswered,
  };
  const key = JSON.stringify([app.client.address, app.application.id, target.id]);
  const uploads = await inTurn(key, async () => await finishInRounds(app, target, sent));
  const altered = uploads.flatMap(({ altered: text }) => text ?? []);
  const finished: Done = {
    ...done,
    files: uploads.map(({ name }) => name),
    ...(altered.length > 0 && { altered }),
  };
  checkpoint.reached(finished);
  return finished;
}

/** What a write sent, and what was there before it. */
interface Sent {
  readonly values: readonly EncodedPart[];
  readonly before: SimplifiedRecord;
  readonly contents: Contents;
  /** Whether the service answered that it had done it. */
  readonly isAnswered: boolean;
}

async function finishInRounds(
  app: ApplicationSession,
  target: WriteTarget,
  { values, before, contents, isAnswered }: Sent,
): Promise<StoredUpload[]> {
  const sent = new Set<string>();
  /** Uploads without an answer: what they left cannot be told from somebody else's file by its name alone. */
  const lost = new Set<string>();
  const failures: ServiceError[] = [];
  for (;;) {
    const now = await verifying(target, async () => await readCurrent(app, target.id, target.context));
    const places = filePlaces(values, before, now.record, target.context);
    const matched = places.map((place) => {
      const mayBeAltered = (add: string): boolean =>
        isAnswered && !lost.has(textOf({ place, add, fileName: '' }));
      return { place, matches: matchUploads(place, contents, mayBeAltered) };
    });
    const [step] = matched.flatMap(({ place, matches }) => stepsOf(target.id, place, matches, contents));
    if (step === undefined)
      return matched.flatMap(({ place, matches }) => storedUploads(place, matches, contents));
    if (sent.has(textOf(step))) throw notTaken(target, step);
    const failure = await sendStep(app, target, step, now);
    if (failure === null) {
      sent.add(textOf(step));
      continue;
    }
    failures.push(failure);
    if (failure.kind === 'outcomeUnknown') lost.add(textOf(step));
    const doubts = failures.filter(({ kind }) => kind === 'outcomeUnknown').length;
    if (doubts > MAX_LOST || failures.length > MAX_OVERTAKEN) throw afterWrite(target.id, step, failure);
    await app.client.pause(failures.length * 20);
  }
}

/**
 * Does one step. Returns the failure if it was not done, or may not have been: reading the record tells, and it is safe
 * to do again under the revision that is read then.
 */
async function sendStep(
  app: ApplicationSession,
  target: WriteTarget,
  step: Step,
  now: CurrentRecord,
): Promise<ServiceError | null> {
  // Values are copied by key parts only where these are sent, as they were with the write itself.
  const terms = { context: target.context, options: { ...target.options, relookupKeyParts: [] } };
  const done = await settle(async () => {
    const form = updateForm(app, target.id, now.revision, [stepValue(step, now, target)], terms);
    await sendUpdate(app, form, target.uploadSource);
  });
  if ('value' in done) return null;
  const failure = asUserError(done.error);
  if (isDoubt(failure)) return failure;
  if (isRefusal(failure) && (await hasMoved(app, target, now))) return failure;
  throw afterWrite(target.id, step, failure);
}

/** Whether somebody else changed the record. If it cannot be read either, the failure before stays as it is. */
async function hasMoved(
  app: ApplicationSession,
  { id, context }: WriteTarget,
  { revision }: CurrentRecord,
): Promise<boolean> {
  const now = await settle(async () => await readCurrent(app, id, context));
  return 'value' in now && now.value.revision !== revision;
}

/** One upload or removal as a value to write; in a row, among all rows that are there. */
function stepValue(step: Step, now: CurrentRecord, { context }: WriteTarget): EncodedPart {
  const { part, row } = step.place;
  const value = {
    kind: 'files',
    add: 'add' in step ? [step.add] : [],
    remove: 'remove' in step ? [step.remove] : [],
  } as const;
  if (row === undefined) return { part, value };
  const stored = valueOf(now.record, row.table, context);
  const rows = Array.isArray(stored) ? (stored as unknown[]) : [];
  const change = { ...(row.id !== null && { id: row.id }), values: [{ part, value }] };
  return { part: row.table, value: { kind: 'rows', rows: mergeRows(row.table, [change], rows, context) } };
}

/** Reads what verifying needs. If that fails, the write itself stands. */
async function verifying<T>({ id }: WriteTarget, read: () => Promise<T>): Promise<T> {
  const found = await settle(read);
  if ('value' in found) return found.value;
  const failure = asUserError(found.error);
  throw failure.reworded(
    `The record ${id} was written, but its attachments could not be verified: ${failure.message}`,
    `Check in the application whether they are there. ${failure.description}`,
  );
}

function notTaken({ id }: WriteTarget, step: Step): ServiceError {
  return new ServiceError(
    'badAnswer',
    `The record ${id} was written, but ${describe(step)}, although the service said so`,
    'Everything else was done. Look at the record in the application; the part may hold one file only, or change files itself.',
  );
}

function afterWrite(id: string, step: Step, failure: UserError): UserError {
  return failure.reworded(
    `The record ${id} was written, but ${describe(step)}: ${failure.message}`,
    `Everything before that was done. ${failure.description}`,
  );
}
