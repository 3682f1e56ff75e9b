import type { EncodedPart } from '../../parts/encode';
import { namePart } from '../../parts/model/errors';
import type { Part } from '../../parts/model/part';
import { describeValues } from '../../parts/values/describe';
import type { Entry } from '../../parts/values/shapes';
import { settle } from '../../util/concurrently';
import { groupBy } from '../../util/groupBy';
import { messageOf } from '../../util/userError';
import type { ApplicationSession } from '../application/session';
import { ServiceError } from '../http/errors';
import { type CurrentRecord, readCurrent } from '../read/records';
import type { Checkpoint, Done } from './checkpoint';
import { fileChanges, storedFiles } from './files';
import type { WriteTarget } from './form';

/** A request that was done. */
interface Sent {
  readonly values: readonly EncodedPart[];
  /** The record before it, empty if it is new. */
  readonly before: Entry;
  readonly done: Done;
}

/** A part that got several files: in a table part, in all its rows together. */
interface Several {
  readonly part: Part;
  readonly table: Part | undefined;
  readonly count: number;
}

/**
 * Counts the files of a request where a part got several: whether a service keeps all of several is not documented
 * (service-facts, "More that is not shown"). Where there are fewer new ones, the item fails, in each further try, too.
 * @returns the record as it was read for that; `null` if no part got several.
 * @throws ServiceError: the write itself stands.
 */
export async function assertFilesKept(
  app: ApplicationSession,
  { id, context }: Pick<WriteTarget, 'id' | 'context'>,
  { values, before, done }: Sent,
  checkpoint: Checkpoint,
): Promise<CurrentRecord | null> {
  const several = severalIn(values);
  if (several.length === 0) return null;
  const fail = (message: string, description: string): never => {
    const fault = { message, description };
    checkpoint.recordProgress({ ...done, fault });
    throw faultOf({ ...done, fault });
  };
  const parts = several.map(({ part }) => namePart(part)).join(' and ');
  const unknown = `The record ${id} was written, but it is not known whether the service kept all files in ${parts}`;
  const advice =
    'Check in the application which of them are there, and add the others with Attachment > Upload.';
  const read = await settle(async () => await readCurrent(app, id, context));
  if ('error' in read) return fail(`${unknown}: ${messageOf(read.error)}`, advice);
  for (const { part, table, count } of several) {
    const files = storedFiles(read.value.record, part, table, context);
    if (files === undefined) return fail(unknown, `The record does not show them. ${advice}`);
    const earlier = new Set(storedFiles(before, part, table, context)?.map((file) => file.id));
    const kept = files.filter((file) => !earlier.has(file.id));
    if (kept.length >= count) continue;
    const names = kept.map(({ name }) => name);
    const there =
      names.length === 0 ? 'None of them is there.' : `These are there: ${describeValues(names)}.`;
    return fail(
      `The record ${id} was written, but the service kept ${kept.length} of ${count} files in ${namePart(part)}`,
      `${there} Add the others one at a time with Attachment > Upload.`,
    );
  }
  return read.value;
}

/** @throws ServiceError what has become of the files of a write that stands */
export function assertNoFault(done: Done): void {
  if (done.fault !== undefined) throw faultOf(done);
}

function faultOf({ id, fault }: Done): ServiceError {
  return new ServiceError('badAnswer', fault!.message, fault!.description, { ids: [id] });
}

function severalIn(values: readonly EncodedPart[]): Several[] {
  const adding = fileChanges(values).filter(({ value }) => value.add.length > 0);
  return groupBy(adding, ({ part, row }) => JSON.stringify([row?.table.id, part.id])).flatMap((changes) => {
    const [{ part, row }] = changes;
    const count = changes.reduce((sum, { value }) => sum + value.add.length, 0);
    return count > 1 ? [{ part, table: row?.table, count }] : [];
  });
}
