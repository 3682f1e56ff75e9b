import { isObject } from '../parts/values/shapes';
import { readText } from '../parts/values/wire';

/** Events that can start the workflow. Saved in workflows: never change. */
type NotifiedEvent = 'created' | 'updated';

/**
 * What a notification says about a change (service-facts, "Notifications"). Its `data` is not used, because it ignores
 * rights.
 */
export interface Notification {
  readonly applicationId: string;
  readonly recordId: string;
  /** `null` for an unknown type. */
  readonly event: NotifiedEvent | null;
  /** The record's screen; `null` if none is named that a browser could open. */
  readonly url: string | null;
}

const EVENTS: Readonly<Record<string, NotifiedEvent>> = { added: 'created', updated: 'updated' };

/** An id is a short text without spaces or commas. */
const ID = /^[^\s,]{1,64}$/;

/** The notification in a body; `null` if it is not one of the service's. */
export function readNotification(body: unknown): Notification | null {
  if (!isObject(body)) return null;
  const applicationId = readText(body.app_id).trim();
  const recordId = readText(body.data_id).trim();
  const type = readText(body.type).trim();
  if (!ID.test(applicationId) || !ID.test(recordId) || type === '') return null;
  const event = Object.hasOwn(EVENTS, type) ? EVENTS[type]! : null;
  return { applicationId, recordId, event, url: readUrl(body.external_url, body.url) };
}

/** The outer address if there is one. */
function readUrl(external: unknown, inner: unknown): string | null {
  const text = readText(external).trim() || readText(inner).trim();
  return /^https?:\/\/[^\s]+$/i.test(text) ? text : null;
}
