import type { IDataObject } from 'n8n-workflow';

import { recordPresenter, recordItem } from '../../common/presentation';
import type { KeyMode } from '../../parts/model/part';
import { settle } from '../../util/concurrently';
import type { ApplicationSession } from '../../service/application/session';
import { toServiceError } from '../../service/http/errors';
import { readRecord } from '../../service/read/records';
import type { Done } from '../../service/write/writeRecord';

/** The ID and outcome of a write; with Return Record, the record as Get returns it, plus the outcome. */
export async function presentWritten(
  app: ApplicationSession,
  keyMode: KeyMode,
  done: Done,
  returnRecord: boolean,
): Promise<IDataObject> {
  const { id, outcome } = done;
  return returnRecord ? recordItem(await readWritten(app, keyMode, done), { outcome }) : { id, outcome };
}

/** The record after a write. @throws ServiceError which says that the write was done. */
export async function readWritten(
  app: ApplicationSession,
  keyMode: KeyMode,
  { id, outcome }: Done,
): Promise<IDataObject> {
  const { simplify } = recordPresenter(app.application.parts, keyMode);
  const read = await settle(async () => simplify(await readRecord(app, id), id));
  if ('value' in read) return read.value;
  const failure = toServiceError(read.error);
  throw failure.reworded(
    `The record ${id} is ${outcome}, but could not be read afterwards: ${failure.message}`,
    `The write itself is finished; do not repeat it. ${failure.description}`,
  );
}
