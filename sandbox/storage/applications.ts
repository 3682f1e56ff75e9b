import type { Part } from '../parts/part.ts';
import type { Database } from './database.ts';

export const applicationStatuses = ['running', 'maintenance', 'stopped'] as const;
export type ApplicationStatus = (typeof applicationStatuses)[number];

/** Writes a text into a part whenever records are added or changed (interface.md, "Events"). */
interface AutomaticProcess {
  readonly on: 'insert' | 'update' | 'both';
  readonly part: number;
  /** May contain {action}, {user}, {revision} and {time}. */
  readonly value: string;
}

/** What happened to a record, as a notification names it (service facts, "Notifications"). */
export const notificationTypes = ['added', 'updated'] as const;
export type NotificationType = (typeof notificationTypes)[number];

/** Where automatic processing sends a notification when a record is added or changed. */
export interface Notification {
  readonly address: string;
  /** Sent as `access_token`; may be empty. */
  readonly token: string;
  readonly events: readonly NotificationType[];
  /** Title of the processing. */
  readonly actionName: string;
}

/** An application as stored (interface.md, "Application"). */
export interface Application {
  readonly id: number;
  name: string;
  /** Application identifier, which callers write with a leading @; empty if it has none. */
  identifier: string;
  status: ApplicationStatus;
  /** HTML source. */
  overview: string;
  /** User id. */
  creator: string;
  labels: number[];
  /** Users that marked it as favorite. */
  favorites: string[];
  partIdentifierMode: boolean;
  /** Parts in which keywords are searched; empty if the application sets none. */
  keywordParts: number[];
  parts: Part[];
  automatic: AutomaticProcess[];
  notification?: Notification | undefined;
  nextPart: number;
}

/** All applications. They are kept in memory, and every change is also written to the database. */
export class Applications {
  readonly #database: Database;
  readonly #byId = new Map<number, Application>();
  /** Increases with every change to an application or its records. Derived data is cached under it. */
  readonly #versions = new Map<number, number>();
  #version = 0;
  #unsettled = false;

  constructor(database: Database) {
    this.#database = database;
    this.#load();
  }

  all(): Application[] {
    return [...this.#byId.values()];
  }

  get(id: number): Application | undefined {
    return this.#byId.get(id);
  }

  /** Finds an application as callers name it: by id, or by identifier after an @. */
  find(name: string): Application | undefined {
    if (!name.startsWith('@')) return /^[1-9]\d*$/.test(name) ? this.#byId.get(Number(name)) : undefined;
    const identifier = name.slice(1);
    return this.all().find((application) => identifier !== '' && application.identifier === identifier);
  }

  /** The id of the next application. */
  nextId(): number {
    return Math.max(300, ...this.#byId.keys()) + 1;
  }

  add(application: Application): void {
    this.#unsettled = true;
    this.#database.run(
      'INSERT INTO applications (id, definition, next_record, next_row) VALUES (?, ?, 1, 1)',
      application.id,
      JSON.stringify(application),
    );
    this.#byId.set(application.id, application);
    this.touch(application.id);
  }

  /** Stores a definition that was changed in memory. */
  save(application: Application): void {
    this.#unsettled = true;
    this.#database.run(
      'UPDATE applications SET definition = ? WHERE id = ?',
      JSON.stringify(application),
      application.id,
    );
    this.touch(application.id);
  }

  remove(id: number): void {
    this.#unsettled = true;
    this.#database.run('DELETE FROM applications WHERE id = ?', id);
    this.#byId.delete(id);
    this.#versions.delete(id);
  }

  /** Takes the next record ids of an application and returns the first. Ids are never used twice. */
  takeRecordIds(id: number, count: number): number {
    return this.#take('next_record', id, count);
  }

  takeRowId(id: number): number {
    return this.#take('next_row', id, 1);
  }

  version(id: number): number {
    return this.#versions.get(id) ?? 0;
  }

  touch(id: number): void {
    this.#versions.set(id, ++this.#version);
  }

  /** Ends a transaction: after a rollback, changed definitions are read again. */
  settle(committed: boolean): void {
    if (!committed && this.#unsettled) {
      this.#byId.clear();
      this.#load();
    }
    this.#unsettled = false;
  }

  #take(counter: 'next_record' | 'next_row', id: number, count: number): number {
    const row = this.#database.get<{ next: number }>(
      `UPDATE applications SET ${counter} = ${counter} + ? WHERE id = ? RETURNING ${counter} AS next`,
      count,
      id,
    );
    if (!row) throw new Error(`Application ${id} is gone`);
    return row.next - count;
  }

  #load(): void {
    for (const row of this.#database.all<{ id: number; definition: string }>(
      'SELECT id, definition FROM applications ORDER BY id',
    )) {
      this.#byId.set(row.id, { ...(JSON.parse(row.definition) as Omit<Application, 'id'>), id: row.id });
      this.touch(row.id);
    }
  }
}
