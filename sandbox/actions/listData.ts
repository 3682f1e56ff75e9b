import type { Call } from '../call/call.ts';
import type { Dialect } from '../settings/switches.ts';
import { readQuery } from '../records/find/query.ts';
import type { Reading } from '../records/read/reader.ts';
import { findRecords } from '../records/find/search.ts';
import type { Application } from '../storage/applications.ts';
import type { Workbench } from '../records/workbench.ts';
import { runningApplication, type Action, type Answer } from './action.ts';
import { readFields, type Fields } from './fields.ts';
import { listAnswer, readPage } from './lists.ts';

/** Parts returned when `fields` is omitted, the revision counted (interface.md, "Limits"). */
const firstParts = 50;

/** list_data (interface.md, "list_data (data list)"). */
export const listData: Action = {
  name: 'list_data',
  module: 'data',
  run(call: Call, workbench: Workbench): Answer {
    const { application } = runningApplication(call, workbench);
    const { storage, dialect } = workbench;
    const fields = readFields(call, application);
    const page = readPage(call);
    const query = readQuery(call, workbench, application, fields?.parts);
    const reading = readingOf(application, fields, dialect);
    const reader = workbench.reader(call, application, reading);
    const items = findRecords(storage, application.id, query, page).map((record) => reader.write(record));
    return listAnswer(items, dialect);
  },
};

function readingOf(application: Application, fields: Fields | undefined, dialect: Dialect): Reading {
  const permissions = dialect.listPermissions === 'present';
  if (fields) {
    const revision =
      dialect.listRevision === 'always' || (dialect.listRevision === 'requested' && fields.revision);
    return { parts: fields.parts, revision, permissions, relatedLists: true };
  }
  const parts =
    dialect.fieldsOmitted === 'all' ? application.parts : application.parts.slice(0, firstParts - 1);
  return { parts, revision: true, permissions, relatedLists: true };
}
