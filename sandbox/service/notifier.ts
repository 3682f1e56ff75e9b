import type { Written } from '../actions/action.ts';
import { idOf } from '../parts/shapes.ts';
import type { Workbench } from '../records/workbench.ts';
import type { Notification } from '../storage/applications.ts';
import type { User } from '../storage/people.ts';
import { Log } from './log.ts';

/** One notification as the log shows it. It never contains tokens and values. */
export interface NotificationEntry {
  /** Counts the notifications from 1. */
  readonly number: number;
  /** ISO time at which it was sent. */
  readonly at: string;
  readonly application: string;
  readonly record: string;
  readonly type: string;
  readonly address: string;
  /** 0 if there was no answer. */
  readonly httpStatus: number;
  /** `ok`, or what went wrong. */
  readonly outcome: string;
  /** The beginning of the answer's body. */
  readonly answer: string;
  readonly ms: number;
}

/** A notification with the record as it was when the call ended. */
export interface OutgoingNotification {
  readonly address: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** No limit is documented. */
const longestWaitMs = 10_000;
/** The most characters of an answer that are kept. */
const longestAnswer = 1000;

/** `data` of a notification ignores rights (service facts, "Notifications"). */
const everybody: User = { id: '', name: '', accessKey: '', active: false, rights: {} };

/** Notifies other programs of records that were added or changed (service facts, "Notifications"). */
export class Notifier {
  readonly log = new Log<NotificationEntry>(1000);
  readonly #workbench: Workbench;
  readonly #end = new AbortController();

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  /**
   * What the application's automatic processing sends for a record; undefined if it sends nothing.
   * @param baseUrl address of the folder of the modules, as the caller reached it
   */
  compose({ application, record, type }: Written, baseUrl: string): OutgoingNotification | undefined {
    const { notification } = application;
    if (notification?.events.includes(type) !== true) return undefined;
    const { dialect } = this.#workbench;
    const url = `${baseUrl}/dneo.cgi?app=${application.id}&data=${record}`;
    const body = {
      app_id: idOf(application.id, dialect),
      data_id: idOf(record, dialect),
      data: this.#dataOf(application, record, baseUrl),
      type,
      app_name: application.name,
      action_name: notification.actionName,
      access_token: notification.token,
      url,
      external_url: url,
    };
    return { address: notification.address, body };
  }

  /** Sends a notification and logs the result. Never throws, and never tries again. */
  async send({ address, body }: OutgoingNotification): Promise<void> {
    const number = this.log.next();
    const at = new Date().toISOString();
    const start = performance.now();
    const result = await this.#post(address, body);
    const { app_id: application, data_id: record, type } = body;
    const ms = Math.round(performance.now() - start);
    const named = { application: String(application), record: String(record), type: String(type) };
    this.log.add({ number, at, ...named, address, ...result, ms });
  }

  /** Aborts running notifications. */
  close(): void {
    this.#end.abort();
  }

  /** The same shape as `record` of `get_data`, with part names as keys, and without anything that depends on a user. */
  #dataOf(application: Written['application'], id: number, baseUrl: string): unknown {
    const { storage } = this.#workbench;
    const record = storage.records.get(application.id, id);
    if (!record) throw new Error(`Record ${id} is gone`);
    const reading = { parts: application.parts, revision: true, permissions: false, relatedLists: true };
    const byName = { ...application, partIdentifierMode: false };
    const reader = this.#workbench.reader({ user: everybody, baseUrl }, byName, reading);
    const withoutRights = (key: string, value: unknown): unknown =>
      key === 'deny_write' ? undefined : value;
    return JSON.parse(reader.write(record), withoutRights);
  }

  async #post(
    address: Notification['address'],
    body: unknown,
  ): Promise<Pick<NotificationEntry, 'httpStatus' | 'outcome' | 'answer'>> {
    const waiting = AbortSignal.timeout(longestWaitMs);
    let httpStatus = 0;
    try {
      const response = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        redirect: 'manual',
        signal: AbortSignal.any([waiting, this.#end.signal]),
      });
      httpStatus = response.status;
      const answer = (await response.text()).slice(0, longestAnswer);
      return { httpStatus, outcome: response.ok ? 'ok' : 'refused', answer };
    } catch (error) {
      const outcome = waiting.aborted ? 'no answer in time' : reasonOf(error);
      return { httpStatus, outcome, answer: '' };
    }
  }
}

/** The error of fetch only says that it failed. Its cause has the reason. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : message;
}
