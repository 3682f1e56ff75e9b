import { Writer } from '../records/write/writer.ts';
import type { Changes } from '../records/write/readChanges.ts';
import type { Application } from '../storage/applications.ts';
import type { User } from '../storage/people.ts';
import type { Workbench } from '../records/workbench.ts';
import { buildApplication } from './build.ts';
import { DefinitionError, type ApplicationDefinition, type RecordDefinition } from './definition.ts';
import { readRecord } from './values.ts';

/** Stores an application with its records; returns it and the record ids. */
export async function storeApplication(
  definition: ApplicationDefinition,
  workbench: Workbench,
): Promise<{ application: Application; records: number[] }> {
  const { storage } = workbench;
  const application = buildApplication(definition, storage);
  storage.transaction(() => storage.applications.add(application));
  try {
    const records = await storeRecords(definition.records ?? [], application, workbench, application.creator);
    return { application, records };
  } catch (error) {
    storage.transaction(() => storage.removeApplication(application.id));
    throw error;
  }
}

/** Adds records as a user would: all or none. */
export async function storeRecords(
  definitions: readonly RecordDefinition[],
  application: Application,
  workbench: Workbench,
  userId: string,
): Promise<number[]> {
  const user = knownUser(workbench, userId);
  const read: Changes[] = [];
  for (const definition of definitions)
    read.push(await readRecord(definition, application, workbench.storage));
  return workbench.storage.transaction(() =>
    read.map((changes) => new Writer(workbench, application, user).insert(changes)),
  );
}

/** Changes a record as a user would. `quietly` keeps "updated at", as a recalculation does. */
export async function changeRecord(
  definition: RecordDefinition,
  application: Application,
  id: number,
  workbench: Workbench,
  { userId, quietly }: { userId: string; quietly: boolean },
): Promise<void> {
  const { storage } = workbench;
  const user = knownUser(workbench, userId);
  const changes = await readRecord(definition, application, storage);
  storage.transaction(() => {
    const record = storage.records.get(application.id, id);
    if (!record) throw new DefinitionError(`There is no data ${id}`);
    const { updatedAt, updatedBy } = record;
    new Writer(workbench, application, user).update(record, changes);
    if (quietly) storage.records.update(application.id, Object.assign(record, { updatedAt, updatedBy }));
  });
}

function knownUser(workbench: Workbench, id: string): User {
  const user = workbench.storage.people.user(id);
  if (user) return user;
  throw new DefinitionError(`There is no user "${id}"`);
}
