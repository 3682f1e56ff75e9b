import type { IDataObject } from 'n8n-workflow';

import type { ApplicationSession } from '../../service/application/session';
import { readCurrent } from '../../service/read/records';
import type { Checkpoint } from '../../service/write/checkpoint';
import { updateForm } from '../../service/write/form';
import { type Update, updateWrite } from '../../service/write/update';
import { writeRecord } from '../../service/write/writeRecord';
import { askedOf } from '../input/recordWrites';
import { presentDryRun } from '../output/dryRun';
import { presentWritten } from '../output/written';
import type { Item } from '../run/item';

/** Changes a record as the item says, or shows what would be sent. */
export async function runUpdate(
  item: Item,
  app: ApplicationSession,
  update: Update,
  { dryRun, returnRecord }: { readonly dryRun: boolean; readonly returnRecord: boolean },
  checkpoint: Checkpoint = item.checkpoint(askedOfUpdate(update)),
): Promise<IDataObject> {
  if (dryRun) return await dryRunUpdate(app, update);
  const done = await writeRecord(app, updateWrite(update), checkpoint);
  return await presentWritten(item, app, update.context.keyMode, done, returnRecord);
}

/** Distinguishes the updates of an agent. */
function askedOfUpdate(update: Update): object {
  return { ...askedOf(update), id: update.id, emptied: update.emptied.map((part) => part.id) };
}

async function dryRunUpdate(app: ApplicationSession, update: Update): Promise<IDataObject> {
  const { id, context } = update;
  const current = await readCurrent(app, id, context);
  const { outcome, values, revision } = updateWrite(update).plan(current, null);
  const form = updateForm(app, id, revision, values, update);
  return presentDryRun({ id, outcome, form, values, current, context });
}
