import { UserError } from '../../util/userError';
import type { RawRecord } from '../../service/read/records';
import type { Application } from '../../service/application/definition';
import type { Change, PollSettings } from '../poll/settings';
import type { ListedRecord } from '../poll/recordSource';
import type { ServiceSource } from '../source/serviceSource';

/** So many records are shown as examples. */
const EXAMPLES = 5;

/**
 * Recent records, as the changes that the trigger would emit.
 * @throws UserError when there is none to show.
 */
export async function manualRun(
  source: ServiceSource,
  { events, narrowed }: PollSettings,
  { name }: Application,
): Promise<Change<RawRecord>[]> {
  const recent = await recentRecords(source);
  if (recent.length === 0) {
    throw narrowed
      ? new UserError(
          `No record of the application "${name}" meets the conditions`,
          'The trigger can be activated all the same; it waits for records that do. To see examples, change the filters.',
        )
      : new UserError(
          `The application "${name}" has no records to show`,
          'The trigger can be activated all the same; it waits for the first one. To see examples, add a record.',
        );
  }
  return recent.map(({ id, revision, record }) => {
    if (events.has('created')) return { event: 'created', id, revision, previousRevision: null, record };
    const previousRevision = Math.max(0, revision - 1);
    if (events.has('updated')) return { event: 'updated', id, revision, previousRevision, record };
    return { event: 'deleted', id, previousRevision: revision };
  });
}

interface Example {
  readonly id: string;
  readonly revision: number;
  readonly record: RawRecord;
}

/** The last changed ones. Where no part shows that, or the service does not sort by it, those with the highest ids. */
async function recentRecords(source: ServiceSource): Promise<Example[]> {
  const listed = await source.newest(0, EXAMPLES);
  const whole = listed.filter((each): each is ListedRecord<RawRecord> & Example => each.record !== undefined);
  if (whole.length > 0 && whole.length === listed.length) return whole;
  const ids = listed.length > 0 ? listed.map(({ id }) => id) : await source.lastIds(EXAMPLES);
  const read = await Promise.all(ids.map(async (id) => await source.read(id)));
  return read.filter((each) => each !== null);
}
