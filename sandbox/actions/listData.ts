import type { Call } from '../call/call.ts';
import { countOf } from '../parts/shapes.ts';
import { readQuery, type Query } from '../records/find/query.ts';
import { countRecords, findRecords } from '../records/find/search.ts';
import type { Reading } from '../records/read/reader.ts';
import type { Workbench } from '../records/workbench.ts';
import type { Dialect } from '../settings/switches.ts';
import type { Application } from '../storage/applications.ts';
import { runningApplication, type Answer } from './action.ts';
import { readFields, type Fields } from './fields.ts';
import { listAnswer, readPage } from './lists.ts';

/** Parts returned when `fields` is omitted, the revision counted (interface.md, "Limits"). */
const firstParts = 50;

/** list_data (interface.md, "list_data (data list)"). */
export function listData(call: Call, workbench: Workbench): Answer {
  const { application, fields, query } = readSearch(call, workbench);
  const { storage, dialect } = workbench;
  const reader = workbench.reader(call, application, readingOf(application, fields, dialect));
  const records = findRecords(storage, application.id, query, readPage(call));
  return listAnswer(
    records.map((record) => reader.write(record)),
    dialect,
  );
}

/** count_data (interface.md, "count_data (data count)"). */
export function countData(call: Call, workbench: Workbench): Answer {
  const { application, query } = readSearch(call, workbench);
  const count = countRecords(workbench.storage, application.id, query);
  return { body: { allcnt: countOf(count, workbench.dialect) } };
}

function readSearch(
  call: Call,
  workbench: Workbench,
): { application: Application; fields: Fields | undefined; query: Query } {
  const { application } = runningApplication(call, workbench);
  const fields = readFields(call, application);
  return { application, fields, query: readQuery(call, workbench, application, fields?.parts) };
}

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
