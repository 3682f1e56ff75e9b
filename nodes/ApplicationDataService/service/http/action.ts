import { ServiceError, wasNotDone } from './errors';
import type { FormField, FormFile } from './multipart';

/** Reads that cost the service little, however large the application is. Short lists count as well. */
const SMALL_READS = new Set(['get_data', 'get_app', 'count_data', 'list_applabels']);
const SHORT_LIST = 100;

/** Actions that change data. They are never sent again if they may have been done. */
const WRITES = new Set(['insert_data', 'update_data', 'delete_data']);

/** Reading a large application whole takes seconds; clients of the service wait up to two minutes. */
export const TIMEOUT_MS = 120_000;

/** An upload may take longer, as if at 2 megabits per second. In bytes per millisecond. */
const SLOWEST_UPLOAD = 250;

/** Milliseconds after which a call with these files is given up. */
export function timeoutOf(files: readonly FormFile[]): number {
  const size = files.reduce((sum, { content }) => sum + content.size, 0);
  return TIMEOUT_MS + size / SLOWEST_UPLOAD;
}

/** Whether an action changes data (interface.md). */
export function kindOf(action: string): 'write' | 'read' {
  return WRITES.has(action) ? 'write' : 'read';
}

/** Whether a read costs the service little, so that it is the best to try with whether a full queue has emptied. */
export function isSmallRead(action: string, fields: readonly FormField[]): boolean {
  if (SMALL_READS.has(action)) return true;
  const limit = fields.find(([name]) => name === 'limit')?.[1];
  return action.startsWith('list_') && limit !== undefined && Number(limit) <= SHORT_LIST;
}

/** The form of a call without files (interface.md, "Common request conventions"). */
export function urlencoded(action: string, fields: readonly FormField[]): URLSearchParams {
  const body = new URLSearchParams([['action', action]]);
  for (const [name, value] of fields) body.append(name, value);
  return body;
}

/** A write without an answer, with a failure of the service, or with a redirect may have been done. The caller must find out, or report an unknown outcome. */
export function asWriteFailure(error: ServiceError, action: string): ServiceError {
  if (wasNotDone(error)) return error;
  const { said } = error.details;
  // What else is said of other causes is to try again.
  const cause = error.kind === 'redirect' ? `${error.description} ` : said === undefined ? '' : `${said}. `;
  return new ServiceError(
    'outcomeUnknown',
    `It is not known whether the service did it (outcome unknown): ${error.message.charAt(0).toLowerCase()}${error.message.slice(1)}`,
    `${cause}Check in the application whether the change is there before you run this item again.`,
    { ...error.details, action },
  );
}
