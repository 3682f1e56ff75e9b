import type { INodeExecutionData } from 'n8n-workflow';

import type { RawRecord } from '../../service/read/recordList';
import { counted } from '../../util/counted';
import { UserError } from '../../util/userError';
import type { Deliver, PollSettings, RecordChange, WholeRecord } from '../poll/context';
import type { Budget } from '../poll/time';
import type { ServiceSource } from '../source/serviceSource';
import type { Watch } from '../source/watch';

const EXAMPLES = 5;
/** Records that do not meet the node's own conditions are passed over, on so many pages of this length. */
const PAGES = 2;
const PAGE_LENGTH = 1000;

/** Recent records as items, in the form of later changes, marked as samples; and how many records were looked at. */
export async function samples(
  source: ServiceSource,
  settings: PollSettings,
  watch: Watch,
  deliver: Deliver<RawRecord, INodeExecutionData>,
  budget: Budget,
): Promise<{ readonly items: INodeExecutionData[]; readonly looked: number }> {
  const { test } = watch;
  const within = (): number => Math.max(1, budget.left() / 2);
  const limit = test === null ? EXAMPLES : PAGE_LENGTH;
  const ids: string[] = [];
  let looked = 0;
  for (let page = 0; page < PAGES && ids.length < EXAMPLES; page++) {
    const order = watch.updatedPart === null ? 'lastId' : 'newest';
    const versions = await source.list({ order, offset: looked, limit, withinMs: within() });
    looked += versions.length;
    ids.push(...versions.filter(({ isOut }) => isOut !== true).map(({ id }) => id));
    if (versions.length === 0 || test === null) break;
  }
  const read = await Promise.all(
    [...new Set(ids)].slice(0, EXAMPLES).map(async (id) => await source.read(id)),
  );
  const items: INodeExecutionData[] = [];
  for (const record of read) {
    if (record === null || record.isOut === true) continue;
    const change = exampleOf(record, settings);
    const delivery = await deliver(change, true, within());
    if ('item' in delivery) items.push({ ...delivery.item, json: { ...delivery.item.json, sample: true } });
  }
  return { items, looked };
}

/** A change that could have happened to the record; a deletion only if no other event is wanted. */
function exampleOf(
  { id, revision, record, values: after }: WholeRecord<RawRecord>,
  { events }: PollSettings,
): RecordChange<RawRecord> {
  const version = { id, revision, record, before: undefined, after, changed: null };
  if (events.has('updated') && (revision > 1 || !events.has('created')))
    return { ...version, event: 'updated', previousRevision: revision > 1 ? revision - 1 : null };
  if (events.has('created')) return { ...version, event: 'created', previousRevision: null };
  return { ...version, event: 'deleted', previousRevision: Math.max(1, revision), before: after };
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
