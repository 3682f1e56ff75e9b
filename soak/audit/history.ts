import type { Entry } from '../world/journal';
import { placesOf, type Place } from './places';

/** One change, with how the record was before. */
export interface Change {
  readonly entry: Entry;
  readonly before: Entry | undefined;
  readonly places: readonly Place[];
}

/** What was really done, from the sandbox's journal. */
export class History {
  readonly changes: readonly Change[];
  /** States of each record, in order; the last may be its deletion. */
  readonly records: ReadonlyMap<string, readonly Entry[]>;
  /** Every change in which a place came about. */
  readonly places: ReadonlyMap<Place, readonly Change[]>;

  constructor(
    journal: readonly Entry[],
    /** Number of the last entry that was there before the writers began. */
    readonly beginning: number,
  ) {
    const records = new Map<string, Entry[]>();
    const places = new Map<Place, Change[]>();
    this.changes = journal.map((entry) => {
      const states = listIn(records, entry.record);
      const before = states.at(-1);
      const change = { entry, before, places: placesOf(entry, before) };
      states.push(entry);
      change.places.forEach((place) => listIn(places, place).push(change));
      return change;
    });
    this.records = records;
    this.places = places;
  }

  /** Changes since the writers began. */
  get made(): readonly Change[] {
    return this.changes.filter(({ entry }) => entry.number > this.beginning);
  }

  at(place: Place): readonly Change[] {
    return this.places.get(place) ?? [];
  }

  /** The record as it was under a revision. */
  state(record: string, revision: number): Entry | undefined {
    return this.records.get(record)?.find((entry) => entry.revision === revision && entry.event !== 'delete');
  }

  /** The record as it is; `undefined` if it is deleted, or never was. */
  now(record: string): Entry | undefined {
    const last = this.records.get(record)?.at(-1);
    return last?.event === 'delete' ? undefined : last;
  }
}

function listIn<K, V>(map: Map<K, V[]>, key: K): V[] {
  let list = map.get(key);
  if (list === undefined) map.set(key, (list = []));
  return list;
}
