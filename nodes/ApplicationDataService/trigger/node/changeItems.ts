import type { IBinaryKeyData, IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { concurrently, settle } from '../../util/concurrently';
import { isRefusal, ServiceError } from '../../service/http/errors';
import { changeFiles, changePresenter, type ChangeView } from '../../common/changeItem';
import type { RawRecord } from '../../service/read/records';
import type { Change, Warn } from '../poll/settings';
import type { TriggerParameters } from './triggerParameters';

/** Records whose files are downloaded at once. */
const RECORDS_AT_ONCE = 4;

/** What items are made with. */
export interface ItemContext extends ChangeView {
  readonly context: IPollFunctions;
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
  const present = changePresenter(wanted);
  const items = changes.map((change) => ({ json: jsonOf(change, present) }));
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

/** A deletion has no record to present. */
function jsonOf(change: Change<RawRecord>, present: ReturnType<typeof changePresenter>): IDataObject {
  const { event, id, previousRevision } = change;
  if (change.event === 'deleted') return { event, id, previousRevision };
  return present({ event, id, revision: change.revision, previousRevision }, change.record);
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
  { context, warn, signal, ...view }: ItemContext,
): Promise<IBinaryKeyData> {
  const downloaded = await settle(
    async () =>
      await changeFiles(
        view,
        { id, json, record },
        async (content, name, type) => await context.helpers.prepareBinaryData(content, name, type),
        signal,
      ),
  );
  if ('value' in downloaded) return downloaded.value;
  if (!isRefusal(downloaded.error)) throw downloaded.error;
  warn(`Record ${id} is given without its attachments: ${downloaded.error.message}`);
  return {};
}
