import { idNumber } from './recordId';

/** What is remembered of a record between polls. */
export interface Remembered {
  readonly revision: number;
  /** 32-bit hash of the watched parts; 0 where none are watched. */
  readonly hash: number;
}

/** The record was missing from the list but is there: it left the filter. */
const AWAY = 1;
/** The open scan has met the record. */
const SEEN = 2;
/** The record was removed from the table. */
const GONE = 4;

/**
 * What is remembered of every record of an application, a million of them in some 25 MB. Records have a slot each; the
 * first slots are in order of their numeric ids, which is how a service lists them, and need no index.
 */
export class RecordTable {
  private ids: Float64Array;
  private revisions: Float64Array;
  private hashes: Uint32Array;
  private flags: Uint8Array;
  /** Slots in use. */
  private length = 0;
  /** So many slots from the first are in ascending order. */
  private sorted = 0;
  /** Slots of all others. */
  private readonly others = new Map<string, number>();
  /** Ids that are not numbers, by slot. */
  private readonly texts = new Map<number, string>();
  /** Where the next id probably is: lists come in the table's order. */
  private next = 0;
  private live = 0;
  private present = 0;
  /** Whether anything changed that must be remembered. */
  dirty = false;

  /** @param expected records that will be added at least. */
  constructor(expected = 0) {
    const capacity = expected + 64;
    this.ids = new Float64Array(capacity);
    this.revisions = new Float64Array(capacity);
    this.hashes = new Uint32Array(capacity);
    this.flags = new Uint8Array(capacity);
  }

  /** Records in the table. */
  get size(): number {
    return this.live;
  }

  /** Records in the table that have not left the filter. */
  get presentSize(): number {
    return this.present;
  }

  get(id: string): Remembered | undefined {
    const slot = this.find(id);
    return slot < 0 ? undefined : { revision: this.revisionAt(slot), hash: this.hashAt(slot) };
  }

  /** Adds or changes a record. It counts as present. */
  set(id: string, { revision, hash }: Remembered): void {
    let slot = this.slotOf(id);
    if (slot < 0) slot = this.append(idNumber(id), id);
    const flags = this.flagsAt(slot);
    if ((flags & GONE) !== 0) this.live++;
    if ((flags & (GONE | AWAY)) !== 0) this.present++;
    this.flags[slot] = flags & ~(GONE | AWAY);
    this.revisions[slot] = revision;
    this.hashes[slot] = hash;
    this.dirty = true;
  }

  remove(id: string): void {
    const slot = this.find(id);
    if (slot < 0) return;
    if ((this.flagsAt(slot) & AWAY) === 0) this.present--;
    this.live--;
    this.flags[slot] = GONE;
    this.dirty = true;
  }

  /** The open scan has met this record: it is no longer missing, and not away. */
  markSeen(id: string): void {
    const slot = this.find(id);
    if (slot < 0) return;
    const flags = this.flagsAt(slot);
    if ((flags & AWAY) !== 0) {
      this.present++;
      this.dirty = true;
    }
    this.flags[slot] = (flags & ~AWAY) | SEEN;
  }

  isSeen(id: string): boolean {
    const slot = this.find(id);
    return slot >= 0 && (this.flagsAt(slot) & SEEN) !== 0;
  }

  markAway(id: string): void {
    const slot = this.find(id);
    if (slot < 0) return;
    this.markAwayAt(slot);
    this.dirty = true;
  }

  isAway(id: string): boolean {
    const slot = this.find(id);
    return slot >= 0 && (this.flagsAt(slot) & AWAY) !== 0;
  }

  /** A new scan begins: it has not found any record yet. */
  clearSeen(): void {
    for (let slot = 0; slot < this.length; slot++) this.flags[slot] = this.flagsAt(slot) & ~SEEN;
  }

  /** How many records the scan should have met and did not. */
  countMissing(): number {
    let missing = 0;
    for (let slot = 0; slot < this.length; slot++) if (this.flags[slot] === 0) missing++;
    return missing;
  }

  /** Ids of the first so many records that the scan should have met and did not, in order. */
  missing(limit: number): string[] {
    const ids: string[] = [];
    for (const slot of this.order()) {
      if (ids.length >= limit) break;
      if (this.flags[slot] === 0) ids.push(this.idAt(slot));
    }
    return ids;
  }

  /** Slots of the records, in order of their ids: numbers first. */
  order(): Uint32Array {
    const order = new Uint32Array(this.live);
    let count = 0;
    const add = (slot: number): void => {
      if ((this.flagsAt(slot) & GONE) === 0) order[count++] = slot;
    };
    const numbers = this.otherNumbers();
    let other = 0;
    const addOthersBelow = (limit: number): void => {
      for (; other < numbers.length && numbers[other]! < limit; other++)
        add(this.others.get(String(numbers[other]))!);
    };
    for (let slot = 0; slot < this.sorted; slot++) {
      if (other < numbers.length) addOthersBelow(this.ids[slot]!);
      add(slot);
    }
    addOthersBelow(Infinity);
    [...this.texts].sort(([, one], [, two]) => (one < two ? -1 : 1)).forEach(([slot]) => add(slot));
    return order;
  }

  idAt(slot: number): string {
    return this.texts.get(slot) ?? String(this.ids[slot]);
  }

  /** The id as a number; -1 where it is not one. */
  numberAt(slot: number): number {
    return this.ids[slot]!;
  }

  revisionAt(slot: number): number {
    return this.revisions[slot]!;
  }

  hashAt(slot: number): number {
    return this.hashes[slot]!;
  }

  /** Adds a record of a saved table; these come in order, numbers first, and are given the next slots. */
  addNumber(id: number): void {
    this.append(id, undefined);
  }

  addText(id: string): void {
    this.append(-1, id);
  }

  setRevisionAt(slot: number, revision: number): void {
    this.revisions[slot] = revision;
  }

  setHashAt(slot: number, hash: number): void {
    this.hashes[slot] = hash;
  }

  markSeenAt(slot: number): void {
    this.flags[slot] = this.flagsAt(slot) | SEEN;
  }

  markAwayAt(slot: number): void {
    if ((this.flagsAt(slot) & AWAY) !== 0) return;
    this.flags[slot] = this.flagsAt(slot) | AWAY;
    this.present--;
  }

  isSeenAt(slot: number): boolean {
    return (this.flagsAt(slot) & SEEN) !== 0;
  }

  isAwayAt(slot: number): boolean {
    return (this.flagsAt(slot) & AWAY) !== 0;
  }

  /** Numeric ids outside the sorted slots, sorted. A plain typed array: its sort takes no callback and is fast. */
  private otherNumbers(): Float64Array {
    const slots = [...this.others.values()].filter((slot) => !this.texts.has(slot));
    return Float64Array.from(slots, (slot) => this.ids[slot]!).sort();
  }

  private flagsAt(slot: number): number {
    return this.flags[slot]!;
  }

  private find(id: string): number {
    const slot = this.slotOf(id);
    return slot >= 0 && (this.flagsAt(slot) & GONE) === 0 ? slot : -1;
  }

  private slotOf(id: string): number {
    const number = idNumber(id);
    if (number < 0) return this.others.get(id) ?? -1;
    if (this.next < this.sorted && this.ids[this.next] === number) return this.next++;
    const slot = this.searchSorted(number);
    if (slot < 0) return this.others.get(id) ?? -1;
    this.next = slot + 1;
    return slot;
  }

  private searchSorted(number: number): number {
    let low = 0;
    let high = this.sorted - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.ids[middle]!;
      if (found === number) return middle;
      if (found < number) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** @param text the id where it is no number, or not in order; absent for a number that is. */
  private append(number: number, text: string | undefined): number {
    if (this.length === this.ids.length) this.grow();
    const slot = this.length++;
    this.ids[slot] = number;
    this.flags[slot] = 0;
    this.live++;
    this.present++;
    if (slot === this.sorted && number >= 0 && (slot === 0 || number > this.ids[slot - 1]!)) this.sorted++;
    else this.others.set(text ?? String(number), slot);
    if (number < 0 && text !== undefined) this.texts.set(slot, text);
    return slot;
  }

  private grow(): void {
    const length = this.ids.length * 2;
    this.ids = enlarged(this.ids, new Float64Array(length));
    this.revisions = enlarged(this.revisions, new Float64Array(length));
    this.hashes = enlarged(this.hashes, new Uint32Array(length));
    this.flags = enlarged(this.flags, new Uint8Array(length));
  }
}

function enlarged<T extends { set(from: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}
