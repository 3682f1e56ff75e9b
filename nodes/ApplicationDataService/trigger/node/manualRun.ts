import type { INodeExecutionData } from 'n8n-workflow';

import { settle } from '../../util/concurrently';
import { counted } from '../../parts/values/describe';
import { UserError } from '../../util/userError';
import type { PollSettings, PollTools, RecordChange } from '../poll/context';
import type { Version } from '../source/version';

const EXAMPLES = 5;
/** Records that do not meet the node's own conditions are passed over, so many at most. */
const MAX_LOOKED = 2000;

/**
 * Recent records as items, in the form of later changes, marked as samples.
 * @param name of the application.
 * @throws UserError if there is none; what the service answered if none can be read.
 */
export async function samples(
  { source, settings, deliver, time }: PollTools<INodeExecutionData>,
  name: string,
): Promise<INodeExecutionData[]> {
  const { watch } = source;
  const limit = watch.test === null ? EXAMPLES : MAX_LOOKED;
  const versions = await source.listLast(watch.updatedPart === null ? 'id' : 'newest', limit);
  const chosen = versions.filter(({ id, meets }) => id !== '' && meets === 'yes').slice(0, EXAMPLES);
  const read = await Promise.all(
    chosen.map(async ({ id }) => await settle(async () => await source.read(id))),
  );
  const items: INodeExecutionData[] = [];
  for (const outcome of read) {
    const version = 'value' in outcome ? outcome.value : null;
    if (version?.meets !== 'yes') continue;
    const change = exampleOf(version, settings, watch.keepsValues && items.length === 0);
    const delivery = await deliver(change, true, Math.max(1, time.left() / 2));
    if ('item' in delivery) items.push({ ...delivery.item, json: { ...delivery.item.json, sample: true } });
  }
  if (items.length > 0) return items;
  // One that cannot be read hides no other.
  const failed = read.find((outcome) => 'error' in outcome);
  if (failed !== undefined) throw failed.error;
  throw nothingToShow(source.isNarrowed, name, watch.test === null ? 0 : versions.length);
}

/**
 * A change that could have happened to the record; a deletion only if no other event is wanted.
 * @param isUpdate whether it should be an update: only these have changes to show.
 */
function exampleOf(
  { id, revision, record, values }: Version,
  { events }: PollSettings,
  isUpdate: boolean,
): RecordChange {
  const shown = Math.max(1, revision ?? 1);
  const change = { id, revision, record: record ?? null, before: values, after: values };
  if (events.has('updated') && (isUpdate || shown > 1 || !events.has('created')))
    return { ...change, event: 'updated', previousRevision: shown > 1 ? shown - 1 : null };
  if (events.has('created')) return { ...change, event: 'created', previousRevision: null };
  return { ...change, event: 'deleted', previousRevision: shown };
}

function nothingToShow(isNarrowed: boolean, name: string, looked: number): UserError {
  const none = looked === 0 ? 'No record' : `None of the last ${counted(looked, 'record')}`;
  return isNarrowed
    ? new UserError(
        `${none} of the application "${name}" meets the conditions`,
        'Change the filters to see examples, or publish the workflow: it waits for records that meet them.',
      )
    : new UserError(
        `The application "${name}" has no records to show`,
        'Add a record to see examples, or publish the workflow: it waits for the first one.',
      );
}
