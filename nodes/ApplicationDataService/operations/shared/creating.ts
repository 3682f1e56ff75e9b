import type { WriteContext } from '../../parts/codec';
import type { EncodedPart } from '../../parts/record';
import type { FormField, FormFile } from '../../service/client';
import { toServiceError } from '../../service/errors';
import { insertRecord, optionFields, type WriteOptions } from '../../service/records';
import type { ApplicationSession } from '../../service/session';
import { buildWriteRequest } from '../../service/writeRequest';
import type { ItemRun } from '../run/itemRun';
import type { OutputItem } from '../types';
import { presentDryRun } from './dryRun';
import { loadUploads } from './uploads';
import { writeOptions } from './writeOptions';
import { presentWrite, type WriteResult } from './writeResult';

/**
 * Creates a record as an item asks, or tells what would be done.
 * @param lookUp finds the record of an insert whose answer was lost; without it the outcome stays unknown.
 */
export async function runCreate(
  item: ItemRun,
  app: ApplicationSession,
  values: readonly EncodedPart[],
  context: WriteContext,
  lookUp?: () => Promise<string | null>,
): Promise<OutputItem[]> {
  const request = buildWriteRequest(values, context.keyMode);
  const options = writeOptions(item, app, values);
  if (item.options().dryRun === true) {
    const sent = values.filter(({ value }) => value.kind !== 'keep');
    return presentDryRun({
      outcome: 'created',
      action: 'insert_data',
      fields: [['app_id', app.reference], ...optionFields(options)],
      request,
      values: sent,
      current: null,
      context,
    });
  }
  const created = await item.once({ ...request, ...options }, async (): Promise<WriteResult> => {
    const files = await loadUploads(item, request.uploads);
    return { id: await insert(app, request.fields, files, options, lookUp), outcome: 'created' };
  });
  item.run.hints.count(created.outcome);
  return await presentWrite(item, app, context.keyMode, created);
}

async function insert(
  app: ApplicationSession,
  fields: readonly FormField[],
  files: readonly FormFile[],
  options: WriteOptions,
  lookUp?: () => Promise<string | null>,
): Promise<string> {
  try {
    return await insertRecord(app, fields, files, options);
  } catch (error) {
    const failure = toServiceError(error);
    const id = failure.kind === 'outcomeUnknown' && lookUp !== undefined ? await lookUp() : null;
    if (id !== null) return id;
    throw toServiceError(failure);
  }
}
