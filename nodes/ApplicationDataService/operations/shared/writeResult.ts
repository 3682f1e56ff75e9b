import type { IDataObject } from 'n8n-workflow';

import type { KeyMode } from '../../parts/part';
import { readPresentOptions, recordPresenter } from '../../service/present';
import { ServiceError, toServiceError } from '../../service/errors';
import { readRecord } from '../../service/records';
import type { ApplicationSession } from '../../service/session';
import type { ItemRun } from '../run/itemRun';
import type { OutputItem } from '../types';

/** What a write of one record came to. */
export interface WriteResult extends IDataObject {
  id: string;
  outcome: string;
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
function afterWriting({ kind, message, description, details }: ServiceError, id: string, outcome: string) {
  return new ServiceError(
    kind,
    `The record ${id} is ${outcome}, but could not be read afterwards: ${message}`,
    `The write itself is finished; do not repeat it. ${description}`,
    details,
  );
}
