import type { WriteContext } from '../../parts/codec';
import type { EncodedPart } from '../../parts/record';
import { toServiceError, type ServiceError } from '../../service/errors';
import { insertRecord, optionFields, type WriteOptions } from '../../service/records';
import type { ApplicationSession } from '../../service/session';
import { buildWriteRequest, type WriteRequest } from '../../service/writeRequest';
import { settle } from '../run/concurrently';
import type { ItemRun } from '../run/itemRun';
import type { OutputItem } from '../types';
import { presentDryRun } from './dryRun';
import { asNewRecord } from './newRecord';
import { loadUploads } from './uploads';
import { writeOptions } from './writeOptions';
import { presentWrite, type WriteResult } from './writeResult';

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
  return async () => {
    const created = await item.once<WriteResult>(
      { ...request, ...options },
      async () => ({ id: await insert(item, app, request, options, lookUp), outcome: 'created' }),
      async (doubt) => ({ id: await found(lookUp, doubt), outcome: 'created' }),
    );
    item.run.hints.count(created.outcome);
    return await presentWrite(item, app, context.keyMode, created);
  };
}

/** Finds the record of an insert whose answer was lost; `null` where it is not there, or not alone. */
export type LookUp = () => Promise<string | null>;

async function insert(
  item: ItemRun,
  app: ApplicationSession,
  { fields, uploads }: WriteRequest,
  options: WriteOptions,
  lookUp: LookUp,
): Promise<string> {
  const files = await loadUploads(item, uploads);
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
