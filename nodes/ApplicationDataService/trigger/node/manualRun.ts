import type { INodeExecutionData } from 'n8n-workflow';

import { settle } from '../../util/concurrently';
import { counted } from '../../util/counted';
import { UserError } from '../../util/userError';
import type { Deliver, PollSettings, RecordChange } from '../poll/context';
import type { RecordSource } from '../source/recordSource';
import type { PollTime } from '../source/time';
import type { Version } from '../source/version';
import type { Watch } from '../source/watch';

const EXAMPLES = 5;
/** Records that do not meet the node's own conditions are passed over, on so many pages of this length. */
const PAGES = 2;
const PAGE_LENGTH = 1000;

/** Recent records as items, in the form of later changes, marked as samples; and how many records were looked at. */
export async function samples(
  source: RecordSource,
  settings: PollSettings,
  watch: Watch,
  deliver: Deliver<INodeExecutionData>,
  time: PollTime,
): Promise<{ readonly items: INodeExecutionData[]; readonly looked: number }> {
  const limit = watch.test === null ? EXAMPLES : PAGE_LENGTH;
  const order = watch.updatedPart === null ? 'id' : 'newest';
  const ids: string[] = [];
  let looked = 0;
  for (let page = 0; page < PAGES && ids.length < EXAMPLES; page++) {
    const versions = await source.listLast(order, { offset: looked, limit });
    looked += versions.length;
    ids.push(...versions.filter(({ id, meets }) => id !== '' && meets === 'yes').map(({ id }) => id));
    if (versions.length === 0 || watch.test === null) break;
  }
  const chosen = [...new Set(ids)].slice(0, EXAMPLES);
  const read = await Promise.all(chosen.map(async (id) => await settle(async () => await source.read(id))));
  const items: INodeExecutionData[] = [];
  for (const outcome of read) {
    const version = 'value' in outcome ? outcome.value : null;
    if (version?.meets !== 'yes') continue;
    const change = exampleOf(version, settings, watch.keepsValues && items.length === 0);
    const delivery = await deliver(change, true, Math.max(1, time.left() / 2));
    if ('item' in delivery) items.push({ ...delivery.item, json: { ...delivery.item.json, sample: true } });
  }
  // One that cannot be read hides no other.
  const failed = read.find((outcome) => 'error' in outcome);
  if (items.length === 0 && failed !== undefined) throw failed.error;
  return { items, looked };
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
  const version = {
    id,
    revision,
    record: record ?? null,
    before: values,
    after: values,
    changed: values?.map(() => true),
  };
  if (events.has('updated') && (isUpdate || shown > 1 || !events.has('created')))
    return { ...version, event: 'updated', previousRevision: shown > 1 ? shown - 1 : null };
  if (events.has('created')) return { ...version, event: 'created', previousRevision: null };
  return { ...version, event: 'deleted', previousRevision: shown };
}

/** The error of a manual run that finds no example. */
export function nothingToShow(
  { narrowed }: PollSettings,
  name: string,
  { test }: Watch,
  looked: number,
): UserError {
  if (!narrowed) {
    return new UserError(
      `The application "${name}" has no records to show`,
      'You can publish the workflow anyway; it waits for the first one. To see examples, add a record.',
    );
  }
  const none = test === null || looked === 0 ? 'No record' : `None of the last ${counted(looked, 'record')}`;
  return new UserError(
    `${none} of the application "${name}" meets the conditions`,
    'You can publish the workflow anyway; it waits for records that do. To see examples, change the filters.',
  );
}
