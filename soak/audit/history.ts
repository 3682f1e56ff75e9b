import type { Entry } from '../world/journal';
import { placesOf, type Place } from './places';

/** One change, with the record as it was before. */
export interface Change {
  readonly entry: Entry;
  readonly before: Entry | undefined;
  readonly places: readonly Place[];
}

/** What was really done, according to the sandbox's journal. */
export class History {
  readonly changes: readonly Change[];
  /** States of each record, in order. The last one may be its deletion. */
  readonly records: ReadonlyMap<string, readonly Entry[]>;
  /** The changes that made each place. */
  readonly places: ReadonlyMap<Place, readonly Change[]>;

  constructor(
    journal: readonly Entry[],
    /** Number of the last entry before the writers began. */
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

  /** The record's state under a revision. */
  state(record: string, revision: number): Entry | undefined {
    return this.records.get(record)?.find((entry) => entry.revision === revision && entry.event !== 'delete');
  }

  /** The record's current state; `undefined` if it is deleted or never existed. */
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
