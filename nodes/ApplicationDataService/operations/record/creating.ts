import type { WriteContext } from '../../parts/model/codec';
import type { EncodedPart } from '../../parts/record';
import type { FormField, FormFile } from '../../service/http/client';
import { newRecord } from '../../service/read/current';
import { toServiceError, type ServiceError } from '../../service/http/errors';
import { insertRecord, optionFields, type WriteOptions } from '../../service/read/records';
import type { ApplicationSession } from '../../service/application/session';
import { loadFiles } from '../../service/write/write';
import { buildWriteRequest, type WriteRequest } from '../../service/write/writeRequest';
import { settle } from '../../util/concurrently';
import type { ItemRun } from '../run/itemRun';
import type { OutputItem } from '../run/types';
import { presentDryRun } from '../output/dryRun';
import { asNewRecord } from '../input/newRecord';
import { itemFiles } from '../input/uploads';
import { writeOptions } from '../input/writeOptions';
import { finish, presentWrite, type WriteResult } from '../output/writeResult';

/**
 * Checks what an item asks for; gives what creates the record, or tells what would be done.
 * @param lookUp finds the record of an insert whose answer was lost; without it the outcome stays unknown.
 */
export function planCreate(
  item: ItemRun,
  app: ApplicationSession,
  given: readonly EncodedPart[],
  context: WriteContext,
  lookUp: LookUp = async () => await Promise.resolve(null),
): () => Promise<OutputItem[]> {
  const values = asNewRecord(given);
  const options = writeOptions(item, app, values);
  const request = buildWriteRequest(values, context.keyMode);
  if (item.options().dryRun === true) {
    const dryRun = presentDryRun({
      outcome: 'created',
      action: 'insert_data',
      fields: [['app_id', app.reference], ...optionFields(options)],
      request,
      values,
      current: null,
      context,
    });
    return async () => await Promise.resolve(dryRun);
  }
  const uploadSource = itemFiles(item, values);
  return async () => {
    const asked = { ...request, ...options };
    const created = await item.once<WriteResult>(
      asked,
      async () => {
        const files = await loadFiles(uploadSource, request.uploads);
        return createdAs(await insert(app, request.fields, files, options, lookUp), request);
      },
      async (doubt) => createdAs(await found(lookUp, doubt), request),
    );
    await finish(item, app, asked, created, { id: created.id, context, options, uploadSource }, () => values);
    item.run.hints.count(created.outcome);
    return await presentWrite(item, app, context.keyMode, created);
  };
}

function createdAs(id: string, { uploads }: WriteRequest): WriteResult {
  return { id, outcome: 'created', ...(uploads.length > 0 && { before: newRecord(id) }) };
}

/** Finds the record of an insert whose answer was lost; `null` where it is not there, or not alone. */
export type LookUp = () => Promise<string | null>;

async function insert(
  app: ApplicationSession,
  fields: readonly FormField[],
  files: readonly FormFile[],
  options: WriteOptions,
  lookUp: LookUp,
): Promise<string> {
  try {
    return await insertRecord(app, fields, files, options);
  } catch (error) {
    const failure = toServiceError(error);
    if (failure.kind === 'outcomeUnknown') return await found(lookUp, failure);
    throw toServiceError(failure);
  }
}

/** @throws `doubt` where the record is not found, or the search fails: both leave it open what became of the insert. */
async function found(lookUp: LookUp, doubt: ServiceError): Promise<string> {
  const search = await settle(lookUp);
  if ('value' in search && search.value !== null) return search.value;
  throw doubt;
}
