import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { locatedIds } from '../common/recordLocator';
import { findAttachmentPart } from '../parts/choose/attachmentPart';
import { findTablePart } from '../parts/choose/tablePart';
import type { Part } from '../parts/model/part';
import { recordReader } from '../parts/record';
import { readText } from '../parts/values/wire';
import { ApplicationSession } from '../service/application/session';
import { rowsIn } from '../service/read/attachmentFiles';
import { learnFrom, readRecord } from '../service/read/records';
import { UserError } from '../util/userError';
import { nameOf, telling } from './recordSearch';
import { chosenApplication, withService } from './withService';

/**
 * Rows of the chosen record for the resource locator, by what they say, in their order. Rows without an ID are left
 * out: they cannot be chosen.
 * @throws NodeOperationError or NodeApiError, shown in place of the list.
 */
export async function searchRows(
  this: ILoadOptionsFunctions,
  filter?: string,
): Promise<INodeListSearchResult> {
  return await withService(this, async (client) => {
    const application = await chosenApplication(this, client);
    const recordId = chosenText(this, 'recordId');
    const table = application === null ? null : chosenTable(this, application.parts);
    if (application === null || table === null || recordId === '') {
      throw new UserError(
        'The rows cannot be listed: the application, the record or the part is not selected yet',
        'Select them first. If one of them is an expression, enter the ID of the row instead.',
      );
    }
    const app = new ApplicationSession(client, application.id, application);
    const raw = await readRecord(app, recordId, false);
    const keyMode = learnFrom(app, raw) ?? (await app.keyMode()) ?? 'name';
    const record = recordReader(application.parts, { keyMode, referenceListsLoaded: false })(raw, recordId);
    const shown = telling(table.children);
    const wanted = (filter ?? '').trim().toLowerCase();
    const results = rowsIn(record, application.parts, table, keyMode, '')
      .filter(({ id }) => readText(id) !== '')
      .map((row) => ({ name: nameOf(row, shown, keyMode), value: readText(row.id) }))
      .filter(({ name }) => name.toLowerCase().includes(wanted));
    return { results };
  });
}

/** The table part whose rows are meant; `null` if none is chosen. */
function chosenTable(context: ILoadOptionsFunctions, parts: readonly Part[]): Part | null {
  const isAttachment = context.getCurrentNodeParameter('resource') === 'attachment';
  const text = chosenText(context, isAttachment ? 'attachmentPart' : 'tablePart');
  if (text === '') return null;
  return isAttachment ? findAttachmentPart(parts, text).table : findTablePart(parts, text);
}

/** A parameter as it is chosen in the editor; empty if it is an expression. */
function chosenText(context: ILoadOptionsFunctions, name: string): string {
  const text = readText(locatedIds(context.getCurrentNodeParameter(name))).trim();
  return text.startsWith('=') ? '' : text;
}
