import type { IDataObject } from 'n8n-workflow';

import type { KeyMode } from '../../parts/model/part';
import type { EncodedPart } from '../../parts/record';
import type { CurrentRecord } from '../../service/read/current';
import { readPresentOptions, recordPresenter } from '../../common/presentation';
import { ServiceError, toServiceError } from '../../service/http/errors';
import { finishFiles } from '../../service/write/finishFiles';
import { readRecord } from '../../service/read/records';
import type { ApplicationSession } from '../../service/application/session';
import type { WriteTarget } from '../../service/write/write';
import type { ItemRun } from '../run/itemRun';
import type { OutputItem } from '../run/types';

/** What a write of one record came to. */
export interface WriteResult extends IDataObject {
  id: string;
  outcome: string;
  /** The record before the write, while its attachments are not verified. */
  before?: CurrentRecord;
}

/**
 * Verifies the attachments of a write, and does what is left of them. What the write came to is remembered before and
 * after, so that another try of the node goes on where this one failed.
 * @param valuesOf gives the values that were written, from the record as it was.
 * @returns the names under which the service keeps the uploaded files.
 */
export async function finish(
  item: ItemRun,
  app: ApplicationSession,
  request: unknown,
  result: WriteResult,
  target: WriteTarget,
  valuesOf: (before: CurrentRecord) => readonly EncodedPart[],
): Promise<string[]> {
  const { before, ...rest } = result;
  if (before === undefined) return [];
  const files = await finishFiles(app, target, valuesOf(before), before);
  item.remember(request, { ...rest, files });
  return files;
}

/** The output of a write: its id and outcome; with Return Record the record as Get gives it, plus the outcome. */
export async function presentWrite(
  item: ItemRun,
  app: ApplicationSession,
  keyMode: KeyMode,
  { id, outcome }: WriteResult,
): Promise<OutputItem[]> {
  const options = item.options();
  if (options.returnRecord !== true) return [{ json: { id, outcome } }];
  const present = recordPresenter(app.application.parts, keyMode, readPresentOptions(options));
  try {
    return [{ json: { ...present(await readRecord(app, id), id), outcome } }];
  } catch (error) {
    throw afterWriting(toServiceError(error), id, outcome);
  }
}

/** The write stands, whatever became of reading: the message must not look like a failed write. */
export function afterWriting(
  { kind, message, description, details }: ServiceError,
  id: string,
  outcome: string,
): ServiceError {
  return new ServiceError(
    kind,
    `The record ${id} is ${outcome}, but could not be read afterwards: ${message}`,
    `The write itself is finished; do not repeat it. ${description}`,
    details,
  );
}
