import type { IBinaryData, IBinaryKeyData, IDataObject } from 'n8n-workflow';

import { withoutTriggerKeys } from '../parts/model/keys';
import type { KeyMode } from '../parts/model/part';
import type { ApplicationSession } from '../service/application/session';
import { downloadAttachments } from '../service/read/attachments';
import type { KeepFile } from '../service/read/download';
import type { RawRecord } from '../service/read/records';
import { recordPresenter, type PresentOptions } from './presentation';
import { triggerItem } from './recordItem';

/** What a trigger says of a change besides the record. */
export type ChangeHead = IDataObject & { readonly event: string; readonly id: string };

/** How a trigger gives records on. */
export interface ChangeView {
  readonly app: ApplicationSession;
  /** `null` to find out from each record. */
  readonly keyMode: KeyMode | null;
  readonly options: PresentOptions;
}

/**
 * Turns a changed record into the json of an item, in the same way for every trigger.
 * @throws PartLookupError or UserError when the options name a part that does not exist or is not returned.
 */
export function changePresenter({
  app,
  keyMode,
  options,
}: ChangeView): (head: ChangeHead, record: RawRecord) => IDataObject {
  const present = recordPresenter(app.application.parts, keyMode, options);
  if (options.output === 'raw') return (head, record) => ({ ...head, record: present(record) });
  return (head, record) => triggerItem(present(record, head.id), head);
}

/**
 * Downloads the attachments of a changed record. Each file value in `json` gets the name of its binary field; raw output
 * stays untouched.
 * @param json as `changePresenter` made it.
 * @throws ServiceError of the first download that failed.
 */
export async function changeFiles(
  { app, keyMode, options }: ChangeView,
  { id, json, record }: { readonly id: string; readonly json: IDataObject; readonly record: RawRecord },
  keep: KeepFile<IBinaryData>,
  signal?: AbortSignal,
): Promise<IBinaryKeyData> {
  // The files of raw output are found in the simplified record.
  const simplified =
    options.output === 'raw'
      ? recordPresenter(app.application.parts, keyMode, { ...options, output: 'simplified' })(record, id)
      : withoutTriggerKeys(json);
  const [binary = {}] = await downloadAttachments(app, [{ id, json: simplified }], keyMode, keep, 1, signal);
  return binary;
}
