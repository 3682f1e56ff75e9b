import type { EncodedPart } from '../../parts/record';
import { mergeRows } from '../../parts/mergeRows';
import { settle } from '../../util/concurrently';
import { readCurrent, valueOf, type CurrentRecord } from '../read/current';
import { ServiceError, toServiceError } from '../http/errors';
import { filePlaces } from './fileChanges';
import { describe, matchUploads, stepsOf, textOf, type Contents, type Step } from './fileSteps';
import { sendUpdate } from '../read/records';
import type { ApplicationSession } from '../application/session';
import { inTurn } from '../../util/turns';
import { loadFiles, type WriteTarget } from './write';
import { buildWriteRequest } from './writeRequest';

/** Failed requests after which a step is given up: those that others were quicker than, and those without an answer. */
const MAX_OVERTAKEN = 60;
const MAX_LOST = 3;

/**
 * Verifies by reading that a write uploaded and removed what it should, and does the rest: each further file in a request
 * of its own, under the revision that was read. Whether a service keeps several files of one name, and how many it
 * removes at once, is not documented (service-facts, "More that is not shown").
 * @param values those that were written, or those that ask for the same.
 * @param before the record as it was; nothing is in it for one that was just created.
 * @returns the names under which the service keeps the uploaded files.
 * @throws ServiceError where the service does not keep or remove a file; the write itself stands.
 */
export async function finishFiles(
  app: ApplicationSession,
  target: WriteTarget,
  values: readonly EncodedPart[],
  before: CurrentRecord,
): Promise<string[]> {
  const sizes = await uploadSizes(target, values);
  const key = JSON.stringify([app.client.address, app.application.id, target.id]);
  return await inTurn(key, async () => await finishInRounds(app, target, values, before, sizes));
}

async function finishInRounds(
  app: ApplicationSession,
  target: WriteTarget,
  values: readonly EncodedPart[],
  before: CurrentRecord,
  contents: Contents,
): Promise<string[]> {
  const sent = new Set<string>();
  const failures: ServiceError[] = [];
  for (;;) {
    const now = await readAgain(app, target);
    const places = filePlaces(values, before.record, now.record, target.context);
    const matched = places.map((place) => ({ place, matches: matchUploads(place, contents) }));
    const [step] = matched.flatMap(({ place, matches }) => stepsOf(place, matches, contents));
    if (step === undefined)
      return matched.flatMap(({ matches }) => [...matches.values()].map(({ name }) => name));
    if (sent.has(textOf(step))) throw notTaken(target, step);
    const failure = await sendStep(app, target, step, now);
    if (failure === null) {
      sent.add(textOf(step));
      continue;
    }
    failures.push(failure);
    const lost = failures.filter(({ kind }) => kind === 'outcomeUnknown').length;
    if (lost > MAX_LOST || failures.length > MAX_OVERTAKEN) throw afterWrite(target.id, step, failure);
    await app.client.pause(failures.length * 20);
  }
}

/** The size and name of each file that the values upload. */
async function uploadSizes(
  { context, uploadSource }: WriteTarget,
  values: readonly EncodedPart[],
): Promise<Contents> {
  const { uploads } = buildWriteRequest(values, context.keyMode);
  const names = [...new Set(uploads.map(({ binaryField }) => binaryField))];
  return new Map(await Promise.all(names.map(async (name) => [name, await uploadSource(name)] as const)));
}

/**
 * Does one step. Gives the failure where it was not done, or may not have been: reading the record tells, and it is safe
 * to do again under the revision that is read then.
 */
async function sendStep(
  app: ApplicationSession,
  target: WriteTarget,
  step: Step,
  now: CurrentRecord,
): Promise<ServiceError | null> {
  const { id, context, options, uploadSource } = target;
  const { fields, uploads, removals } = buildWriteRequest([stepValue(step, now, target)], context.keyMode);
  const files = await loadFiles(uploadSource, uploads);
  // Values are copied by key parts only where these are sent, as they were with the write itself.
  const stepOptions = { ...options, relookupKeyParts: [] };
  try {
    await sendUpdate(app, id, now.revision, [...fields, ...removals], files, stepOptions);
    return null;
  } catch (error) {
    const failure = toServiceError(error);
    if (failure.kind === 'outcomeUnknown') return failure;
    if (failure.kind === 'refused' && (await hasMoved(app, target, now))) return failure;
    throw afterWrite(id, step, failure);
  }
}

/** Whether somebody else changed the record. Where it cannot be read either, the failure before stays as it is. */
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

async function readAgain(app: ApplicationSession, { id, context }: WriteTarget): Promise<CurrentRecord> {
  try {
    return await readCurrent(app, id, context);
  } catch (error) {
    throw unverified(id, toServiceError(error));
  }
}

function unverified(id: string, { kind, message, description, details }: ServiceError): ServiceError {
  return new ServiceError(
    kind,
    `The record ${id} was written, but its attachments could not be verified: ${message}`,
    `Look in the application whether they are there. ${description}`,
    details,
  );
}

function notTaken({ id }: WriteTarget, step: Step): ServiceError {
  return new ServiceError(
    'badAnswer',
    `The record ${id} was written, but ${describe(step)}, although the service said so`,
    'Everything else was done. Look at the record in the application; the part may hold one file only, or change files itself.',
  );
}

function afterWrite(
  id: string,
  step: Step,
  { kind, message, description, details }: ServiceError,
): ServiceError {
  return new ServiceError(
    kind,
    `The record ${id} was written, but ${describe(step)}: ${message}`,
    `What stands before that was done. ${description}`,
    details,
  );
}
