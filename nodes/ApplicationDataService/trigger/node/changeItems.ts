import type { IBinaryKeyData, IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { downloadAttachments } from '../../service/read/attachments';
import { concurrently, settle } from '../../util/concurrently';
import { isRefusal, ServiceError } from '../../service/http/errors';
import { recordPresenter } from '../../common/presentation';
import { withoutTriggerKeys } from '../../parts/model/keys';
import type { RawRecord } from '../../service/read/records';
import type { ApplicationSession } from '../../service/application/session';
import type { Change, Warn } from '../poll/settings';
import type { Watch } from '../source/watch';
import type { TriggerParameters } from './triggerParameters';
import { changePresenter } from './changePresenter';

/** Records whose files are downloaded at once. */
const RECORDS_AT_ONCE = 4;

/** What items are made with. */
export interface ItemContext {
  readonly context: IPollFunctions;
  readonly app: ApplicationSession;
  readonly watch: Watch;
  readonly options: TriggerParameters['options'];
  readonly warn: Warn;
  readonly signal: AbortSignal;
}

/**
 * Changes as n8n's items, with their attachments where these are wanted. An attachment that the service refuses is left
 * out with a warning: it would be refused for ever.
 * @throws ServiceError when an attachment cannot be downloaded now.
 */
export async function changeItems(
  changes: readonly Change<RawRecord>[],
  wanted: ItemContext,
): Promise<INodeExecutionData[]> {
  const present = changePresenter(wanted.watch, wanted.options);
  const items = changes.map((change) => ({ json: present(change) }));
  if (!wanted.options.downloadAttachments) return items;
  const tasks = changes.map((change, index) => async () => {
    const { json } = items[index] as INodeExecutionData;
    return { json, binary: change.event === 'deleted' ? {} : await filesOf(change, json, wanted) };
  });
  const outcomes = await concurrently(tasks, {
    limit: RECORDS_AT_ONCE,
    stopOnError: true,
    signal: wanted.signal,
  });
  return outcomes.map((outcome) => {
    if (outcome === undefined) throw outOfTime();
    if ('error' in outcome) throw outcome.error;
    return withFiles(outcome.value);
  });
}

function outOfTime(): ServiceError {
  return new ServiceError(
    'lost',
    'The attachments could not be downloaded within the time that a poll may take',
    'The next poll tries again. If it stays, set "Max Records per Poll" lower.',
  );
}

function withFiles({ json, binary }: { json: IDataObject; binary: IBinaryKeyData }): INodeExecutionData {
  return Object.keys(binary).length > 0 ? { json, binary } : { json };
}

async function filesOf(
  { id, record }: Change<RawRecord> & { record: RawRecord },
  json: IDataObject,
  { context, app, watch, options, warn, signal }: ItemContext,
): Promise<IBinaryKeyData> {
  // Raw output stays untouched: its files are found in the simplified record.
  const simplified = options.output === 'raw' ? simplify(watch, record, id) : withoutTriggerKeys(json);
  const downloaded = await settle(
    async () =>
      await downloadAttachments(
        app,
        [{ id, json: simplified }],
        watch.keyMode,
        async (content, name, type) => await context.helpers.prepareBinaryData(content, name, type),
        1,
        signal,
      ),
  );
  if ('value' in downloaded) return downloaded.value[0] ?? {};
  if (!isRefusal(downloaded.error)) throw downloaded.error;
  warn(`Record ${id} is given without its attachments: ${downloaded.error.message}`);
  return {};
}

function simplify({ parts, keyMode, wanted }: Watch, record: RawRecord, id: string): IDataObject {
  const partsToReturn = wanted === parts ? [] : wanted.map((part) => part.id);
  return recordPresenter(parts, keyMode, { partsToReturn })(record, id);
}
