import { kindOf } from '../../parts/kinds.ts';
import type { Storage } from '../../storage/storage.ts';
import { findPart } from './keys.ts';
import { plainValue } from './holder.ts';

interface Index {
  readonly version: number;
  readonly byText: ReadonlyMap<string, readonly number[]>;
}

/** Finds records by the text of one part, for references, reference lists and lookups. */
export class Matches {
  readonly #storage: Storage;
  readonly #indexes = new Map<string, Index>();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Ids of the records whose part has this text, in order. */
  find(application: number, part: number, text: string): readonly number[] {
    const owner = this.#storage.applications.get(application);
    const matched = owner && findPart(owner, part);
    if (!matched) return [];
    if (matched.system === 'id') {
      const id = Number(text);
      return Number.isInteger(id) && this.#storage.records.get(application, id) ? [id] : [];
    }
    return this.#index(application, part).byText.get(text) ?? [];
  }

  /** Returns the index. It is built at the first request, and again after the application has changed. */
  #index(application: number, partId: number): Index {
    const name = `${application}:${partId}`;
    const version = this.#storage.applications.version(application);
    const known = this.#indexes.get(name);
    if (known?.version === version) return known;
    const index = { version, byText: this.#build(application, partId) };
    this.#indexes.set(name, index);
    return index;
  }

  #build(application: number, partId: number): Map<string, number[]> {
    const byText = new Map<string, number[]>();
    const owner = this.#storage.applications.get(application);
    const part = owner && findPart(owner, partId);
    if (!part) return byText;
    for (const record of this.#storage.records.each(application)) {
      for (const text of kindOf(part).texts(plainValue(part, { record }), this.#storage.people)) {
        const ids = byText.get(text);
        if (ids) ids.push(record.id);
        else byText.set(text, [record.id]);
      }
    }
    return byText;
  }
}
