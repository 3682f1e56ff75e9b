import type { Part } from '../../parts/part.ts';
import type { Application } from '../../storage/applications.ts';
import type { ApplicationRights, Scope, User } from '../../storage/people.ts';

/** What a right depends on. */
interface Owned {
  readonly id: number;
  readonly createdBy: string;
}

/** What one user may do with one application (interface.md, "Authentication"). */
export class Access {
  readonly user: User;
  readonly #rights: ApplicationRights;

  constructor(user: User, application: Application) {
    this.user = user;
    this.#rights =
      user.rights[String(application.id)] ??
      user.rights[application.identifier || '*'] ??
      user.rights['*'] ??
      {};
  }

  get enters(): boolean {
    return this.#rights.access !== false;
  }

  get adds(): boolean {
    return this.#rights.add !== false;
  }

  /** Whether the user's rights are the same for every record. */
  get uniform(): boolean {
    const { read, write, delete: remove, records } = this.#rights;
    return [read, write, remove].every((scope) => scope !== 'own') && read !== 'none' && !records;
  }

  part(part: Part): 'write' | 'read' | 'none' {
    const parts = this.#rights.parts;
    if (!parts) return 'write';
    return parts[String(part.id)] ?? parts[part.name] ?? parts[part.identifier || part.name] ?? 'write';
  }

  reads(record: Owned): boolean {
    return this.#allows('read', this.#rights.read, record);
  }

  writes(record: Owned): boolean {
    return this.#allows('write', this.#rights.write, record);
  }

  deletes(record: Owned): boolean {
    return this.#allows('delete', this.#rights.delete, record);
  }

  #allows(what: 'read' | 'write' | 'delete', scope: Scope = 'all', record: Owned): boolean {
    const own = this.#rights.records?.[String(record.id)]?.[what];
    if (own !== undefined) return own;
    return scope === 'all' || (scope === 'own' && record.createdBy === this.user.id);
  }
}
