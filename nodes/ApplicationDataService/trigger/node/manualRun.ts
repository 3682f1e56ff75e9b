import type { INodeExecutionData } from 'n8n-workflow';

import { UserError } from '../../util/userError';
import { nameNotRead } from '../../common/unknownName';
import type { ApplicationSession } from '../../service/application/session';
import { unknownNames } from '../../service/read/unknownNames';
import type { Budget, Change, Deliver, PollSettings } from '../poll/settings';
import type { WholeRecord } from '../poll/recordSource';
import type { ServiceSource } from '../source/serviceSource';
import type { Watch } from '../source/watch';
import type { RawRecord } from '../../service/read/recordList';

/** How many records are shown as examples. */
const EXAMPLES = 5;

/** Recent records as items, in the form of later changes, marked as samples; `null` if there is none to show. */
export async function samples(
  source: ServiceSource,
  settings: PollSettings,
  deliver: Deliver<RawRecord, INodeExecutionData>,
  budget: Budget,
): Promise<INodeExecutionData[] | null> {
  const recent = await recentRecords(source, budget);
  if (recent.length === 0) return null;
  const items: INodeExecutionData[] = [];
  for (const record of recent) {
    const change = exampleOf(record, settings);
    const within = (): number => Math.max(1, budget.left() / 2);
    const delivery = await deliver(change, null, within());
    const whole = 'item' in delivery ? delivery : await deliver(change, delivery.later, within());
    if ('item' in whole) items.push({ ...whole.item, json: { ...whole.item.json, sample: true } });
  }
  return items;
}

/** A change that could have happened to the record; a deletion only if no other event is wanted. */
function exampleOf(
  { id, revision, record, values: after }: WholeRecord<RawRecord>,
  { events }: PollSettings,
): Change<RawRecord> {
  const head = { id, revision, record, before: undefined, after };
  if (events.has('updated') && (revision > 1 || !events.has('created')))
    return { ...head, event: 'updated', previousRevision: revision > 1 ? revision - 1 : null };
  if (events.has('created')) return { ...head, event: 'created', previousRevision: null };
  return { event: 'deleted', id, previousRevision: Math.max(1, revision), before: after };
}

/** The error of a manual run that finds no example. A name in the filters that no record has may be misspelt. */
export async function nothingToShow(
  { narrowed }: PollSettings,
  app: ApplicationSession,
  { narrowing, test, keyMode }: Watch,
): Promise<UserError> {
  const { name } = app.application;
  if (!narrowed) {
    return new UserError(
      `The application "${name}" has no records to show`,
      'You can activate the trigger anyway; it waits for the first one. To see examples, add a record.',
    );
  }
  const conditions = test?.conditions ?? [];
  const names = await unknownNames(app, keyMode, { filter: narrowing.filter, conditions });
  return new UserError(
    `No record of the application "${name}" meets the conditions`,
    [
      ...names.map((each) => `${nameNotRead(each)}.`),
      'You can activate the trigger anyway; it waits for records that do. To see examples, change the filters.',
    ].join(' '),
  );
}

/** The last changed ones. If no part shows that, or the service does not sort by it, those with the highest IDs. */
async function recentRecords(source: ServiceSource, budget: Budget): Promise<WholeRecord<RawRecord>[]> {
  const slice = { offset: 0, limit: EXAMPLES, withinMs: Math.max(1, budget.left() / 2) };
  const listed = await source.newest(slice, true);
  const whole = listed.flatMap(({ record, ...head }) => (record === undefined ? [] : [{ ...head, record }]));
  if (whole.length > 0 && whole.length === listed.length) return whole.filter(({ isOut }) => isOut !== true);
  const ids = listed.length > 0 ? listed.map(({ id }) => id) : await source.lastIds(EXAMPLES);
  const read = await Promise.all(ids.map(async (id) => await source.read(id)));
  return read.flatMap((each) => (each === null || each.isOut === true ? [] : [each]));
}
