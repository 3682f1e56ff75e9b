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
  /** Group ids. */
  readonly groups: readonly string[];
  /** By application id, identifier, or `*` for all others. */
  readonly rights: Readonly<Record<string, ApplicationRights>>;
}

interface UserRow extends Record<string, string> {
  id: string;
  name: string;
  access_key: string;
  settings: string;
}

/** Users and groups. They are kept in memory, and every change is also written to the database. */
export class PeopleStore implements People {
  readonly #database: Database;
  readonly #users = new Map<string, User>();
  readonly #groups = new Map<string, string>();

  constructor(database: Database) {
    this.#database = database;
    for (const row of database.all<UserRow>('SELECT * FROM users ORDER BY id')) {
      const settings = JSON.parse(row.settings) as Pick<User, 'active' | 'groups' | 'rights'>;
      this.#users.set(row.id, { id: row.id, name: row.name, accessKey: row.access_key, ...settings });
    }
    for (const { id, name } of database.all<{ id: string; name: string }>('SELECT * FROM user_groups')) {
      this.#groups.set(id, name);
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

  groupName(id: string): string | undefined {
    return this.#groups.get(id);
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

  saveGroup(id: string, name: string): void {
    this.#database.run('INSERT OR REPLACE INTO user_groups VALUES (?, ?)', id, name);
    this.#groups.set(id, name);
  }

  clear(): void {
    this.#database.run('DELETE FROM users');
    this.#database.run('DELETE FROM user_groups');
    this.#users.clear();
    this.#groups.clear();
  }
}
