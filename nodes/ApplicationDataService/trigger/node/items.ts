import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { outputKey, partKey, triggerKey } from '../../parts/model/keys';
import type { Part } from '../../parts/model/part';
import { parseJson, setOwn, type SimplifiedValue } from '../../parts/values/shapes';
import { mask } from '../../service/http/secrets';
import { messageOf } from '../../util/userError';
import {
  changeFiles,
  changePresenter,
  type ChangeSummary,
  type ChangeView,
  type ItemOfRecord,
  keepBinary,
} from '../../common/presentation';
import { isRefusal, ServiceError, toServiceError } from '../../service/http/errors';
import { downloadAttachment } from '../../service/read/attachments';
import type { Deliver, RecordChange, Warn } from '../poll/context';
import { LateError, type PollTime } from '../source/time';
import type { Watch } from '../source/watch';
import type { TriggerParameters } from './settings';

export interface ItemContext extends ChangeView {
  readonly context: IPollFunctions;
  readonly options: TriggerParameters['options'];
  readonly watch: Watch;
  readonly warn: Warn;
  readonly time: PollTime;
}

/** Makes n8n's items from changes (parameters.md, Trigger), with their attachments if these are wanted. */
export function itemMaker(wanted: ItemContext): Deliver<INodeExecutionData> {
  const present = changePresenter(wanted);
  return async (change, isLastTry, withinMs) => {
    const own = ownKeys(change, wanted);
    if (change.event === 'deleted') return { item: { json: own } };
    const { id, record, failure } = change;
    if (record === null) return { item: { json: { ...own, readError: mask(messageOf(failure)) } } };
    const json = present(own, record);
    if (!wanted.options.downloadAttachments) return { item: { json } };
    return await withFiles({ id, json, record }, isLastTry, withinMs, wanted);
  };
}

function ownKeys(change: RecordChange, { watch, options }: ItemContext): ChangeSummary {
  const { event, id, revision, previousRevision, before } = change;
  if (event === 'deleted') {
    const previous = options.previousValues === 'updatedAndDeleted' ? previousOf(before, watch) : null;
    return { event, id, ...(previous !== null && { previous }), previousRevision };
  }
  const changes = options.previousValues !== 'none' && event === 'updated' ? changesOf(change, watch) : null;
  return { event, id, ...(changes !== null && { changes }), revision, previousRevision };
}

/**
 * What changed of the watched parts: from what to what, by part key (parameters.md, previousValues). If nothing was
 * kept, all of them, without `from`. A part that is in error now is left out.
 */
function changesOf({ before, after, changed }: RecordChange, watch: Watch): IDataObject {
  const changes: IDataObject = {};
  for (const [index, part] of watch.watched.entries()) {
    const [from, to] = [before?.[index] ?? '', after?.[index] ?? ''];
    if (to === '' || (before !== undefined && changed?.[index] !== true)) continue;
    setOwn(changes, keyOf(part, watch), {
      ...(from !== '' && { from: valueOf(from) }),
      to: valueOf(to),
    });
  }
  return changes;
}

/** The values of a deleted record, as far as they were kept; `null` if none was. */
function previousOf(before: readonly string[] | undefined, watch: Watch): IDataObject | null {
  if (before === undefined) return null;
  const previous: IDataObject = {};
  for (const [index, part] of watch.watched.entries())
    if (before[index]) setOwn(previous, keyOf(part, watch), valueOf(before[index]));
  return previous;
}

function keyOf(part: Part, { keyMode }: Watch): string {
  return triggerKey(outputKey(partKey(part, keyMode)));
}

function valueOf(json: string): SimplifiedValue {
  return parseJson(json) as SimplifiedValue;
}

async function withFiles(
  item: ItemOfRecord,
  isLastTry: boolean,
  withinMs: number,
  wanted: ItemContext,
): ReturnType<Deliver<INodeExecutionData>> {
  const { context, time, warn, app } = wanted;
  const { id, json } = item;
  const end = time.clock.elapsed() + withinMs;
  const { binary, failures } = await changeFiles(wanted, item, async (file) => {
    const left = end - time.clock.elapsed();
    if (left <= 0) throw new LateError();
    return await time.limit(
      app.client,
      left,
      async (signal) => await downloadAttachment(app.until(signal).client, id, file, keepBinary(context)),
    );
  });
  const [failure] = failures;
  if (failure !== undefined && !isLastTry && !failures.every(isRefusal)) {
    const general = failures.find(concernsService);
    if (general !== undefined) throw toServiceError(general);
    return { later: failure };
  }
  if (failure !== undefined) {
    json.readError = mask(messageOf(failure));
    warn(`Record ${id} is returned without all its attachments: ${messageOf(failure)}`);
  }
  return { item: Object.keys(binary).length > 0 ? { json, binary } : { json } };
}

/** Whether the whole service is in trouble. Any other failure concerns only that file. */
function concernsService(failure: unknown): boolean {
  if (!(failure instanceof ServiceError)) return true;
  return failure.kind === 'unreachable' || failure.details.status === 429;
}
