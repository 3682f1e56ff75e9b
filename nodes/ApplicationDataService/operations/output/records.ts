import type { IDataObject } from 'n8n-workflow';

import { keepBinary } from '../../common/presentation';
import { namePart } from '../../parts/model/errors';
import type { KeyMode, Part } from '../../parts/model/part';
import { readText } from '../../parts/values/shapes';
import { type ApplicationSession, CALLS_AT_ONCE } from '../../service/application/session';
import { cancelled } from '../../service/http/errors';
import { downloadAttachment, fetchAttachments } from '../../service/read/attachments';
import type { Warnings } from '../../service/read/selection';
import type { Item } from '../run/item';
import type { OutputItem } from '../run/types';

/**
 * Records as output items, with their attachments as binary fields.
 * @throws ServiceError of the first download that failed; `cancelled`
 */
export async function withAttachments(
  { run: { context } }: Item,
  app: ApplicationSession,
  records: readonly Readonly<Record<'json' | 'simplified', IDataObject>>[],
  keyMode: KeyMode | null,
): Promise<OutputItem[]> {
  const holders = records.map(({ simplified: json }) => ({ id: readText(json.id), json }));
  const signal = context.getExecutionCancelSignal();
  const fetched = await fetchAttachments(
    app,
    holders,
    keyMode,
    async (file, id) => await downloadAttachment(app.client, id, file, keepBinary(context)),
    { limit: CALLS_AT_ONCE, stopOnError: true, signal },
  );
  const failed = fetched.find(({ failures }) => failures.length > 0);
  if (failed !== undefined) throw failed.failures[0];
  if (signal?.aborted === true) throw cancelled({}, 'Not all attachments were downloaded.');
  return records.map(({ json }, index) => {
    const { binary } = fetched[index]!;
    return Object.keys(binary).length > 0 ? { json, binary } : { json };
  });
}

/** Adds hints about what a list does not show: values that the node could not check, IDs, revisions. */
export function hintAtWarnings(
  { run: { hints } }: Item,
  { hidden, lacks }: { readonly hidden: ReadonlySet<Part>; readonly lacks?: Warnings['lacks'] },
): void {
  if (lacks?.id === true)
    hints.add(
      'The records have no "id": the list does not contain the ID part. Give the ID part an identifier in the application\'s settings',
    );
  if (lacks?.revision === true)
    hints.add(
      'The records have no "revision": this service returns it only for single records. Use Get if you need it',
    );
  for (const part of hidden) {
    hints.add(
      `The service does not show part ${namePart(part)} of every record: where it is hidden or in error, it meets no filter`,
      'hidden parts',
    );
  }
}
