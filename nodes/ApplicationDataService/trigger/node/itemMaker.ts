import type { IBinaryData, IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { outputKey, partKey, triggerKey } from '../../parts/model/keys';
import type { Part } from '../../parts/model/part';
import { parseJson, setOwn, type SimplifiedValue } from '../../parts/values/shapes';
import { mask } from '../../service/http/secrets';
import { messageOf } from '../../util/userError';
import { changeFilesEach, changePresenter, type ChangeView } from '../../common/changeItem';
import { isRefusal, ServiceError, toServiceError } from '../../service/http/errors';
import { downloadAttachment } from '../../service/read/attachments';
import type { AttachedFile } from '../../service/read/download';
import type { RecordChange, Deliver, Delivery, Warn } from '../poll/contract';
import { Deadline, LateError, type PollTime } from '../source/deadline';
import { isChanged } from '../source/versionReader';
import type { Watch } from '../source/watch';
import type { FileStore } from './fileStore';
import type { TriggerParameters } from './triggerParameters';
import type { RawRecord } from '../../service/read/recordList';

/** The tools for making items. */
export interface ItemContext extends ChangeView {
  readonly context: IPollFunctions;
  readonly options: TriggerParameters['options'];
  readonly watch: Watch;
  readonly files: FileStore;
  readonly warn: Warn;
  readonly time: PollTime;
}

/**
 * Makes n8n's items from changes (parameters.md, Trigger), with their attachments if these are wanted. Downloaded files
 * are kept for the next poll if others failed.
 */
export function itemMaker(wanted: ItemContext): Deliver<RawRecord, INodeExecutionData> {
  const present = changePresenter(wanted);
  return async (change, lacks, withinMs) => {
    const own = ownKeys(change, wanted);
    if (change.event === 'deleted') return { item: { json: own } };
    const { id, record } = change;
    if (record === null) return { item: { json: { ...own, readError: mask(messageOf(lacks)) } } };
    const json = present(own, record);
    if (!wanted.options.downloadAttachments) return { item: { json } };
    return await withFiles({ id, json, record }, lacks, withinMs, wanted);
  };
}

type OwnKeys = IDataObject & { readonly event: string; readonly id: string };

/** What the trigger itself adds to a change. */
function ownKeys(change: RecordChange<RawRecord>, { watch, options }: ItemContext): OwnKeys {
  const { event, id, previousRevision, before } = change;
  if (change.event === 'deleted') {
    const previous = options.previousValues === 'updatedAndDeleted' ? previousOf(before, watch) : null;
    return { event, id, ...(previous !== null && { previous }), previousRevision };
  }
  const changes = options.previousValues !== 'none' && event === 'updated' ? changesOf(change, watch) : null;
  const { revision } = change;
  return { event, id, ...(changes !== null && { changes }), revision, previousRevision };
}

/**
 * What changed of the watched parts: from what to what, by part key (parameters.md, previousValues). If nothing was
 * kept, all of them, without `from`. A part that is in error now is left out.
 */
function changesOf(
  { before, after, changed }: Exclude<RecordChange<RawRecord>, { event: 'deleted' }>,
  watch: Watch,
): IDataObject {
  const changes: IDataObject = {};
  // One hash for all parts does not tell which of them changed.
  const parts = changed?.length === watch.watched.length ? changed : null;
  for (const [index, part] of watch.watched.entries()) {
    const [from, to] = [before?.[index] ?? '', after?.[index] ?? ''];
    const tells = before !== undefined && (from !== '' || parts !== null);
    if (to === '' || (tells && !(parts?.[index] ?? isChanged(part, from, to, watch.keyMode)))) continue;
    const change = from === '' ? { to: valueOf(to) } : { from: valueOf(from), to: valueOf(to) };
    setOwn(changes, keyOf(part, watch), change);
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
  item: { readonly id: string; readonly json: IDataObject; readonly record: RawRecord },
  lacks: unknown,
  withinMs: number,
  wanted: ItemContext,
): Promise<Delivery<INodeExecutionData>> {
  const { files, time, warn } = wanted;
  const { clock } = time;
  const deadline = new Deadline(clock, time, wanted.app.client);
  const { id } = item;
  const end = clock.now() + withinMs;
  const { binary, failures } = await changeFilesEach(wanted, item, async (file) => {
    const key = `${id}/${file.id}/${file.name}/${file.size}/${file.url}`;
    const kept = files.get(key);
    if (kept !== undefined) return kept;
    // It was tried often enough, or there is no time left.
    if (lacks !== null) throw toServiceError(lacks);
    if (clock.now() >= end) throw new LateError();
    const data = await deadline.within(
      end - clock.now(),
      async (signal) => await download(id, file, { ...wanted, app: wanted.app.until(signal) }),
    );
    files.keep(id, key, data, file.size ?? data.data.length);
    return data;
  });
  const { json } = item;
  const [failure] = failures;
  const isFinal = lacks !== null || failures.every(isRefusal);
  if (failure !== undefined && !isFinal) {
    const general = failures.find(concernsService);
    if (general !== undefined) throw toServiceError(general);
    const came = Object.keys(binary).length;
    return { later: failure, hasProgressed: files.hasMore(id, came) };
  }
  files.release(id);
  if (failure !== undefined) {
    json.readError = mask(messageOf(failure));
    warn(`Record ${id} is returned without all its attachments: ${messageOf(failure)}`);
  }
  return { item: Object.keys(binary).length > 0 ? { json, binary } : { json } };
}

async function download(id: string, file: AttachedFile, { app, context }: ItemContext): Promise<IBinaryData> {
  return await downloadAttachment(
    app,
    id,
    file,
    async (content, name, type) => await context.helpers.prepareBinaryData(content, name, type),
  );
}

/** Whether the whole service is in trouble. Any other failure concerns only that file. */
function concernsService(failure: unknown): boolean {
  if (!(failure instanceof ServiceError)) return true;
  return failure.kind === 'unreachable' || failure.details.status === 429;
}
