import type { People } from '../parts/kind.ts';
import type { Database } from './database.ts';

/** Which records of an application a right covers. */
export type Scope = 'all' | 'own' | 'none';

/** What a user may do with one application. Everything that is not set is allowed. */
export interface ApplicationRights {
  readonly access?: boolean;
  readonly add?: boolean;
  readonly read?: Scope;
  readonly write?: Scope;
  readonly delete?: Scope;
  /** By part id, name or identifier. */
  readonly parts?: Readonly<Record<string, 'write' | 'read' | 'none'>>;
  /** By record id; takes precedence over the scopes. */
  readonly records?: Readonly<
    Record<string, { readonly read?: boolean; readonly write?: boolean; readonly delete?: boolean }>
  >;
}

/** A user of the service: one access key each. */
export interface User {
  readonly id: string;
  readonly name: string;
  readonly accessKey: string;
  /** An access key can be switched off. */
  readonly active: boolean;
  /** By application id, identifier, or `*` for all others. */
  readonly rights: Readonly<Record<string, ApplicationRights>>;
}

interface UserRow extends Record<string, string> {
  id: string;
  name: string;
  access_key: string;
  settings: string;
}

/** The groups that parts can name. They are always the same. */
const groups: Readonly<Record<string, string>> = { 201: 'Sales', 202: 'Warehouse', 203: 'Accounting' };

/** Users and groups. Users are kept in memory, and every change is also written to the database. */
export class PeopleStore implements People {
  readonly #database: Database;
  readonly #users = new Map<string, User>();

  constructor(database: Database) {
    this.#database = database;
    for (const row of database.all<UserRow>('SELECT * FROM users ORDER BY id')) {
      const settings = JSON.parse(row.settings) as Pick<User, 'active' | 'rights'>;
      this.#users.set(row.id, { id: row.id, name: row.name, accessKey: row.access_key, ...settings });
    }
  }

  users(): User[] {
    return [...this.#users.values()];
  }

  user(id: string): User | undefined {
    return this.#users.get(id);
  }

  byKey(accessKey: string): User | undefined {
    return this.users().find((user) => user.active && user.accessKey === accessKey);
  }

  userName(id: string): string | undefined {
    return this.#users.get(id)?.name;
  }

  groups(): readonly { readonly id: string; readonly name: string }[] {
    return Object.entries(groups).map(([id, name]) => ({ id, name }));
  }

  groupName(id: string): string | undefined {
    return groups[id];
  }

  saveUser(user: User): void {
    const { id, name, accessKey, ...settings } = user;
    this.#database.run(
      'INSERT OR REPLACE INTO users VALUES (?, ?, ?, ?)',
      id,
      name,
      accessKey,
      JSON.stringify(settings),
    );
    this.#users.set(id, user);
  }

  clear(): void {
    this.#database.run('DELETE FROM users');
    this.#users.clear();
  }
}
