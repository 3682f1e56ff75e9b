import { isObject } from '../parts/values/shapes';
import { readText } from '../parts/values/wire';

/** What may start the workflow. Saved in workflows: never change. */
export type NotifiedEvent = 'created' | 'updated';

/** What a notification says of a change (service-facts, "Notifications"). Its `data` is left alone: it ignores rights. */
export interface Notification {
  readonly applicationId: string;
  readonly recordId: string;
  /** `null` for a type that is not known. */
  readonly event: NotifiedEvent | null;
  /** The record's screen; `null` where none is named that a browser could open. */
  readonly url: string | null;
}

const EVENTS: Readonly<Record<string, NotifiedEvent>> = { added: 'created', updated: 'updated' };

/** An id is a short text without spaces or commas. */
const ID = /^[^\s,]{1,64}$/;

/** The notification that a body is; `null` where it is none of the service's. */
export function readNotification(body: unknown): Notification | null {
  if (!isObject(body)) return null;
  const applicationId = readText(body.app_id).trim();
  const recordId = readText(body.data_id).trim();
  const type = readText(body.type).trim();
  if (!ID.test(applicationId) || !ID.test(recordId) || type === '') return null;
  const event = Object.hasOwn(EVENTS, type) ? EVENTS[type]! : null;
  return { applicationId, recordId, event, url: readUrl(body.external_url, body.url) };
}

/** The outer address where there is one. */
function readUrl(external: unknown, inner: unknown): string | null {
  const text = readText(external).trim() || readText(inner).trim();
  return /^https?:\/\/[^\s]+$/i.test(text) ? text : null;
}
