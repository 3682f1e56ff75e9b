import type { IBinaryData, IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { outputKey, partKey, triggerKey } from '../../parts/model/keys';
import { counted } from '../../parts/values/describe';
import { parseJson, setOwn, type SimplifiedValue } from '../../parts/values/shapes';
import { mask } from '../../service/http/credentials';
import { settle } from '../../util/concurrently';
import { messageOf, UserError } from '../../util/userError';
import { changePresenter, type ChangeSummary, keepBinary } from '../../common/presentation';
import { isRefusal, ServiceError, toServiceError } from '../../service/http/errors';
import { type AttachedFile, downloadAttachment } from '../../service/read/attachments';
import type { Deliver, PollSettings, PollTools, RecordChange, Warn } from '../poll/context';
import { LateError, type PollTime } from '../source/time';
import type { RecordSource } from '../source/recordSource';
import type { Version, Watch } from '../source/watch';
import type { TriggerParameters } from './settings';

/** Makes n8n's items from changes (parameters.md, Trigger), with their attachments if these are wanted. */
export function itemMaker(
  context: IPollFunctions,
  source: RecordSource,
  options: TriggerParameters['options'],
  { clock }: PollTime,
  warn: Warn,
): Deliver<INodeExecutionData> {
  const { app, watch } = source;
  const present = changePresenter(app, watch.keyMode, options);
  return async (change, isLastTry, withinMs) => {
    const own = ownKeys(change, watch, options.previousValues);
    if (change.event === 'deleted') return { item: { json: own } };
    const { id, record, failure } = change;
    if (record === null) return { item: { json: { ...own, readError: mask(messageOf(failure)) } } };
    const end = clock.elapsed() + withinMs;
    const fetch = async (file: AttachedFile): Promise<IBinaryData> => {
      const left = end - clock.elapsed();
      if (left <= 0) throw new LateError();
      const keep = keepBinary(context);
      return await source.call(async ({ client }) => await downloadAttachment(client, id, file, keep), left);
    };
    const { json, binary, failures } = await present(own, record, options.downloadAttachments ? fetch : null);
    const [missed] = failures;
    if (missed !== undefined && !isLastTry && !failures.every(isRefusal)) {
      const general = failures.find(concernsService);
      if (general !== undefined) throw toServiceError(general);
      return { later: missed };
    }
    if (missed !== undefined) {
      json.readError = mask(messageOf(missed));
      warn(`Record ${id} is returned without all its attachments: ${messageOf(missed)}`);
    }
    return { item: Object.keys(binary).length > 0 ? { json, binary } : { json } };
  };
}

/** What a change says besides the record: see parameters.md, "previousValues". */
function ownKeys(
  change: RecordChange,
  watch: Watch,
  previousValues: TriggerParameters['options']['previousValues'],
): ChangeSummary {
  const { event, id, revision, previousRevision, before, after, changed } = change;
  if (event === 'deleted') {
    const isWanted = previousValues === 'updatedAndDeleted' && before !== undefined;
    const previous = isWanted && byPart(watch, (index) => parsedValue(before[index]));
    return { event, id, ...(previous && { previous }), previousRevision };
  }
  if (event === 'created' || previousValues === 'none') return { event, id, revision, previousRevision };
  const changes = byPart(watch, (index) => {
    const [from, to] = [parsedValue(before?.[index]), parsedValue(after?.[index])];
    // If nothing was kept, all of them; one that is in error now is left out.
    if (to === undefined || (before !== undefined && changed?.[index] === false)) return undefined;
    return { ...(from !== undefined && { from }), to };
  });
  return { event, id, changes, revision, previousRevision };
}

/** An object with what there is for each watched part, under its key. */
function byPart({ watched, keyMode }: Watch, valueAt: (index: number) => IDataObject[string]): IDataObject {
  const object: IDataObject = {};
  for (const [index, part] of watched.entries()) {
    const value = valueAt(index);
    if (value !== undefined) setOwn(object, triggerKey(outputKey(partKey(part, keyMode))), value);
  }
  return object;
}

function parsedValue(json = ''): IDataObject[string] {
  return json === '' ? undefined : (parseJson(json) as SimplifiedValue);
}

/** Whether the whole service is in trouble. Any other failure concerns only that file. */
function concernsService(failure: unknown): boolean {
  if (!(failure instanceof ServiceError)) return true;
  return failure.kind === 'unreachable' || failure.details.status === 429;
}

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
  const whole = read.flatMap((outcome) => ('value' in outcome ? (outcome.value ?? []) : []));
  for (const version of whole) {
    if (version.meets !== 'yes') continue;
    const before = valuesBefore(version, watch, whole);
    const change = exampleOf(version, before, settings, watch.keepsValues && items.length === 0);
    const delivery = await deliver(change, true, Math.max(1, time.left() / 2));
    if ('item' in delivery) items.push({ ...delivery.item, json: { ...delivery.item.json, sample: true } });
  }
  if (items.length > 0) return items;
  // One that cannot be read hides no other.
  const failed = read.find((outcome) => 'error' in outcome);
  if (failed !== undefined) throw failed.error;
  throw nothingToShow(source.isNarrowed, name, watch.test === null ? 0 : versions.length);
}

/** What the watched parts could have held before: what another record holds, another option, or nothing. */
function valuesBefore({ values }: Version, { watched }: Watch, all: readonly Version[]): Version['values'] {
  return values?.map((value, index) => {
    const { options, codec } = watched[index]!;
    const held = all.map((other) => other.values?.[index] ?? '');
    const possible = [...options.map((val) => ({ val })), {}].map((each) =>
      JSON.stringify(codec.read(each, watched[index]!)),
    );
    return [...held, ...possible].find((each) => each !== '' && each !== value) ?? '';
  });
}

/**
 * A change that could have happened to the record; a deletion only if no other event is wanted.
 * @param before what an update shows as values of before.
 * @param isUpdate whether it should be an update: only these have changes to show.
 */
function exampleOf(
  { id, revision, record, values }: Version,
  before: Version['values'],
  { events }: PollSettings,
  isUpdate: boolean,
): RecordChange {
  const shown = Math.max(1, revision ?? 1);
  const change = { id, revision, record: record ?? null, before: values, after: values };
  if (events.has('updated') && (isUpdate || shown > 1 || !events.has('created')))
    return { ...change, before, event: 'updated', previousRevision: shown > 1 ? shown - 1 : null };
  if (events.has('created')) return { ...change, event: 'created', previousRevision: null };
  return { ...change, event: 'deleted', previousRevision: shown };
}

function nothingToShow(isNarrowed: boolean, name: string, looked: number): UserError {
  const none = looked === 0 ? 'No record' : `None of the last ${counted(looked, 'record')}`;
  const [message, what] = isNarrowed
    ? [`${none} of the application "${name}" meets the conditions`, 'Change the filters']
    : [`The application "${name}" has no records to show`, 'Add a record'];
  return new UserError(
    message,
    `${what} to see examples, or publish the workflow: it waits for the first one.`,
  );
}
