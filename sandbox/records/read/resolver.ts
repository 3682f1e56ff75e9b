import { kindOf } from '../../parts/kinds.ts';
import type { PartKind } from '../../parts/kind.ts';
import type { Link, Part, Stored } from '../../parts/part.ts';
import type { Application } from '../../storage/applications.ts';
import type { User } from '../../storage/people.ts';
import type { DataRecord } from '../../storage/dataRecord.ts';
import type { Storage } from '../../storage/storage.ts';
import { findPart } from './keys.ts';
import type { Matches } from './matches.ts';
import { Access } from './rights.ts';
import { plainValue, type Holder } from './holder.ts';

/** Why a part has no value (interface.md, "Part-value object keys"). */
export type PartError = 'unauthorized' | 'reference_error' | 'under_maintenance';

/** A value with what is needed to write or compare it. */
export interface Resolved {
  readonly value: Stored | undefined;
  /** The part itself, or the source part of a reference part. */
  readonly part: Part;
  readonly kind: PartKind;
  readonly error?: PartError;
}

type Linked = { readonly application: Application; readonly access: Access } | { readonly error: PartError };

/** References to references are followed to this depth, which also ends circles. */
const deepest = 4;

/** Finds the value of any part, even if it is in another application. */
export class Resolver {
  readonly #storage: Storage;
  readonly #matches: Matches;
  readonly #user: User;
  readonly #accesses = new Map<number, Access>();

  constructor(storage: Storage, matches: Matches, user: User) {
    this.#storage = storage;
    this.#matches = matches;
    this.#user = user;
  }

  access(application: Application): Access {
    let access = this.#accesses.get(application.id);
    if (!access) {
      access = new Access(this.#user, application);
      this.#accesses.set(application.id, access);
    }
    return access;
  }

  resolve(application: Application, part: Part, holder: Holder, depth = 0): Resolved {
    if (this.access(application).part(part) === 'none') {
      return { ...this.#empty(part), error: 'unauthorized' };
    }
    if (part.source) return this.#resolveReference(application, part, holder, depth);
    return { value: plainValue(part, holder), part, kind: kindOf(part) };
  }

  /** The part that a reference part finally shows, or why there is none. */
  sourcePart(part: Part): Part | PartError {
    let shown = part;
    for (let depth = 0; shown.source; depth++) {
      const source = this.#storage.applications.get(shown.source.application);
      const next = source && findPart(source, shown.source.part);
      if (!next || depth === deepest) return 'reference_error';
      shown = next;
    }
    return shown;
  }

  /** The part that a child of a reference list finally shows, or why there is none. */
  listedPart({ relation }: Part, child: Part): Part | PartError {
    const application = relation && this.#storage.applications.get(relation.application);
    const source = application && findPart(application, child.sourcePart ?? 0);
    return source ? this.sourcePart(source) : 'reference_error';
  }

  /** The records that a reference list shows, in order of their ids. */
  related(
    application: Application,
    link: Link,
    holder: Holder,
    depth = 0,
  ): { readonly application: Application; readonly records: readonly DataRecord[] } | { error: PartError } {
    const linked = this.#linked(link);
    if ('error' in linked) return linked;
    const records = this.#find(application, link, holder, depth)
      .map((id) => this.#storage.records.get(linked.application.id, id))
      .filter((record) => record !== undefined)
      .filter((record) => linked.access.reads(record));
    return { application: linked.application, records };
  }

  #resolveReference(application: Application, part: Part, holder: Holder, depth: number): Resolved {
    const source = part.source;
    if (!source || depth >= deepest) return { ...this.#empty(part), error: 'reference_error' };
    const linked = this.#linked(source);
    if ('error' in linked) return { ...this.#empty(part), error: linked.error };
    const shown = findPart(linked.application, source.part);
    if (!shown) return { ...this.#empty(part), error: 'reference_error' };
    const [id] = this.#find(application, source, holder, depth);
    const record = id === undefined ? undefined : this.#storage.records.get(linked.application.id, id);
    if (!record) return { value: undefined, part: shown, kind: kindOf(shown) };
    if (!linked.access.reads(record)) return { ...this.#empty(shown), error: 'unauthorized' };
    return this.resolve(linked.application, shown, { record }, depth + 1);
  }

  #linked(link: Link): Linked {
    const application = this.#storage.applications.get(link.application);
    if (!application || application.status === 'stopped' || !findPart(application, link.match)) {
      return { error: 'reference_error' };
    }
    if (application.status === 'maintenance') return { error: 'under_maintenance' };
    const access = this.access(application);
    return access.enters ? { application, access } : { error: 'unauthorized' };
  }

  #find(application: Application, link: Link, holder: Holder, depth: number): readonly number[] {
    const keyPart = findPart(application, link.key);
    if (!keyPart) return [];
    const key = this.resolve(application, keyPart, holder, depth + 1);
    const [text] = key.kind.texts(key.value, this.#storage.people);
    return text === undefined || text === '' ? [] : this.#matches.find(link.application, link.match, text);
  }

  #empty(part: Part): Resolved {
    return { value: undefined, part, kind: kindOf(part) };
  }
}
