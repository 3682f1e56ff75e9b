import type { IBinaryData, IDataObject } from 'n8n-workflow';

import { withoutTriggerKeys } from '../parts/model/keys';
import type { KeyMode } from '../parts/model/part';
import type { ApplicationSession } from '../service/application/session';
import { fetchAttachments, type SomeAttachments } from '../service/read/attachments';
import type { AttachedFile } from '../service/read/download';
import { recordPresenter, type PresentOptions } from './presentation';
import { triggerItem } from './recordItem';
import type { RawRecord } from '../service/read/recordList';

/** What a trigger reports about a change in addition to the record. */
export type ChangeSummary = IDataObject & { readonly event: string; readonly id: string };

/** How a trigger outputs records. */
export interface ChangeView {
  readonly app: ApplicationSession;
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
}: ChangeView): (summary: ChangeSummary, record: RawRecord) => IDataObject {
  const present = recordPresenter(app.application.parts, keyMode, options);
  if (options.simplify === false) return (summary, record) => ({ ...summary, record: present(record) });
  return (summary, record) => triggerItem(present(record, summary.id), summary);
}

/**
 * Gets the attachments of a changed record, file by file: those that came, and why the others did not. Each file value
 * in `json` gets the name of its binary field; raw output stays untouched.
 * @param json as `changePresenter` made it.
 * @param fetch gets one file.
 */
export async function changeFiles(
  view: ChangeView,
  item: ItemOfRecord,
  fetch: (file: AttachedFile) => Promise<IBinaryData>,
): Promise<SomeAttachments> {
  return await fetchAttachments(view.app, withFileValues(view, item), view.keyMode, fetch);
}

export interface ItemOfRecord {
  readonly id: string;
  readonly json: IDataObject;
  readonly record: RawRecord;
}

/** Where the file values of an item are. For raw output, they are in the simplified record. */
function withFileValues(
  { app, keyMode, options }: ChangeView,
  { id, json, record }: ItemOfRecord,
): IDataObject {
  return options.simplify === false
    ? recordPresenter(app.application.parts, keyMode, { ...options, simplify: true })(record, id)
    : withoutTriggerKeys(json);
}
