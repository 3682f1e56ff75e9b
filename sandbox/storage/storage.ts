import { Applications } from './applications.ts';
import { Database } from './database.ts';
import { Files } from './files.ts';
import { PeopleStore } from './people.ts';
import { Records } from './records.ts';

/** Everything that the service stores. */
export class Storage {
  readonly #database: Database;
  readonly applications: Applications;
  readonly records: Records;
  readonly files: Files;
  readonly people: PeopleStore;

  /** @param path of the database file, or `:memory:` */
  constructor(path: string) {
    this.#database = new Database(path);
    this.applications = new Applications(this.#database);
    this.records = new Records(this.#database, this.applications);
    this.files = new Files(this.#database);
    this.people = new PeopleStore(this.#database);
  }

  /** Does all of the work or nothing. */
  transaction<T>(work: () => T): T {
    let committed = false;
    try {
      const result = this.#database.transaction(work);
      committed = true;
      return result;
    } finally {
      this.records.settle(committed);
      this.applications.settle(committed);
    }
  }

  /** Removes an application with its records and files. */
  removeApplication(id: number): void {
    this.records.deleteAll(id);
    this.files.removeOf(id);
    this.applications.remove(id);
  }

  /** Removes everything. */
  clear(): void {
    for (const { id } of this.applications.all()) this.removeApplication(id);
    this.people.clear();
  }

  /** Whether nothing was ever stored. */
  get isNew(): boolean {
    return this.people.users().length === 0;
  }

  close(): void {
    this.#database.close();
  }
}
