import type { ApplicationSession } from '../../service/application/session';

/** One key for one record, whichever way the application and the record are named. */
export function recordSerialKey(app: ApplicationSession, recordId: string): string {
  return JSON.stringify([app.application.id, plainId(recordId)]);
}

/** All IDs seen so far are whole numbers, so a service may read `012` as `12`. */
function plainId(id: string): string {
  return /^\d+$/.test(id) ? id.replace(/^0+(?=\d)/, '') : id;
}
