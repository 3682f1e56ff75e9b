import { idNumber } from './idOrder';
import { Slots } from './slots';
import { within, type Stretch } from './stretch';

/** What is remembered of a record between polls. */
export interface Remembered {
  readonly revision: number;
  /** 32-bit hash of the watched parts; 0 where none are watched. */
  readonly hash: number;
  /** Values of the watched parts as JSON, one a part, empty where one is not known; absent where none are kept. */
  readonly values?: readonly string[] | undefined;
}

/** The record was missing from the list but is there: it left the filter. */
const AWAY = 1;
/** This poll has met the record in the list. */
const SEEN = 2;
/** The record was removed from the table. */
const GONE = 4;
/** A scan did not meet the record where it should be: what became of it is still to be found out. */
const MISSING = 8;

/** What is remembered of every record of an application. */
export class RecordTable {
  readonly slots: Slots;
  private revisions: Float64Array;
  private hashes: Uint32Array;
  private flags: Uint8Array;
  /** Values of the watched parts, by slot, where these are kept. */
  readonly values = new Map<number, readonly string[]>();
  private live = 0;
  private present = 0;
  private lost = 0;
  /** Whether anything changed that must be remembered. */
  dirty = false;

  /** @param expected records that will be added at least. */
  constructor(expected = 0) {
    const capacity = expected + 64;
    this.slots = new Slots(capacity);
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

  /** Records that scans did not meet. */
  get missingSize(): number {
    return this.lost;
  }

  get(id: string): Remembered | undefined {
    const slot = this.find(id);
    if (slot < 0) return undefined;
    return { revision: this.revisionAt(slot), hash: this.hashAt(slot), values: this.values.get(slot) };
  }

  /** Adds or changes a record. It counts as present. */
  set(id: string, { revision, hash, values }: Remembered): void {
    const found = this.slots.find(id);
    const slot = found < 0 ? this.add(idNumber(id), id) : found;
    if (this.has(slot, GONE)) this.live++;
    if (this.has(slot, GONE | AWAY)) this.present++;
    this.mark(slot, 0, GONE | AWAY | MISSING);
    this.revisions[slot] = revision;
    this.hashes[slot] = hash;
    if (values === undefined) this.values.delete(slot);
    else this.values.set(slot, values);
    this.dirty = true;
  }

  remove(id: string): void {
    const slot = this.find(id);
    if (slot < 0) return;
    if (!this.has(slot, AWAY)) this.present--;
    this.live--;
    this.mark(slot, GONE, ~GONE);
    this.values.delete(slot);
    this.dirty = true;
  }

  /** The record is in the list: neither missing nor away. */
  meet(id: string): void {
    const slot = this.find(id);
    if (slot < 0) return;
    if (this.has(slot, AWAY | MISSING)) this.dirty = true;
    if (this.has(slot, AWAY)) this.present++;
    this.mark(slot, SEEN, AWAY | MISSING);
  }

  /** The record is there, but not in the list. */
  markAway(id: string): void {
    const slot = this.find(id);
    if (slot >= 0) this.markAwayAt(slot);
  }

  isAway(id: string): boolean {
    const slot = this.find(id);
    return slot >= 0 && this.has(slot, AWAY);
  }

  /** Takes all records of a stretch that were not met since the last sweep for missing, but those in `gaps`. */
  sweep(stretch: Stretch | null, gaps: readonly Stretch[] = []): void {
    const isWithin = stretch === null ? () => false : within(stretch);
    const isUnknown = gaps.map(within);
    for (let slot = 0; slot < this.slots.length; slot++) {
      const flags = this.flags[slot]!;
      if (flags === 0 && isWithin(this.slots, slot) && !isUnknown.some((gap) => gap(this.slots, slot)))
        this.markMissingAt(slot);
      else if ((flags & SEEN) !== 0) this.flags[slot] = flags & ~SEEN;
    }
  }

  /** The record is not in the list, and is refused: what became of it is still to be found out. */
  markMissing(id: string): void {
    const slot = this.find(id);
    if (slot >= 0) this.markMissingAt(slot);
  }

  /** The record is not missing after all. */
  forgetMissing(id: string): void {
    this.mark(this.find(id), 0, MISSING);
    this.dirty = true;
  }

  /** Ids of the records that scans did not meet, in order. */
  missing(): string[] {
    return this.lost === 0 ? [] : this.idsWhere((slot) => this.has(slot, MISSING));
  }

  /** Ids of the records that are there, but not in the list, in order. */
  away(): string[] {
    return this.idsWhere((slot) => this.has(slot, AWAY));
  }

  /** Present records up to an id: where a list goes on after it. */
  countUpTo(id: string | null): number {
    if (id === null) return 0;
    const isWithin = within({ from: null, to: id });
    let count = 0;
    for (let slot = 0; slot < this.slots.length; slot++)
      if (!this.has(slot, GONE | AWAY | MISSING) && isWithin(this.slots, slot)) count++;
    return count;
  }

  /** Up to so many ids of present records within a stretch. */
  idsIn(stretch: Stretch, most: number): string[] {
    const isWithin = within(stretch);
    const ids: string[] = [];
    for (let slot = 0; slot < this.slots.length && ids.length < most; slot++)
      if (!this.has(slot, GONE | AWAY | MISSING) && isWithin(this.slots, slot))
        ids.push(this.slots.idAt(slot));
    return ids;
  }

  /** Slots of the records, in order of their ids: numbers first. */
  order(): Uint32Array {
    const order = new Uint32Array(this.live);
    let count = 0;
    for (const slot of this.slots.inOrder()) if (!this.has(slot, GONE)) order[count++] = slot;
    return order;
  }

  revisionAt(slot: number): number {
    return this.revisions[slot]!;
  }

  hashAt(slot: number): number {
    return this.hashes[slot]!;
  }

  /** Adds a record of a saved table; these come in order, numbers first. @returns its slot: the next one. */
  add(number: number, id?: string): number {
    const slot = this.slots.add(number, id);
    if (slot === this.flags.length) this.grow();
    this.flags[slot] = 0;
    this.live++;
    this.present++;
    return slot;
  }

  putAt(slot: number, revision: number, hash: number): void {
    this.revisions[slot] = revision;
    this.hashes[slot] = hash;
  }

  markAwayAt(slot: number): void {
    if (!this.has(slot, AWAY)) this.present--;
    this.mark(slot, AWAY, MISSING);
    this.dirty = true;
  }

  markMissingAt(slot: number): void {
    this.mark(slot, MISSING, 0);
    this.dirty = true;
  }

  isAwayAt(slot: number): boolean {
    return this.has(slot, AWAY);
  }

  isMissingAt(slot: number): boolean {
    return this.has(slot, MISSING);
  }

  private idsWhere(isWanted: (slot: number) => boolean): string[] {
    const ids: string[] = [];
    for (const slot of this.slots.inOrder()) if (isWanted(slot)) ids.push(this.slots.idAt(slot));
    return ids;
  }

  private has(slot: number, flags: number): boolean {
    return (this.flags[slot]! & flags) !== 0;
  }

  private mark(slot: number, on: number, off: number): void {
    if (slot < 0) return;
    const before = this.flags[slot]!;
    const after = (before & ~off) | on;
    this.lost += Number((after & MISSING) !== 0) - Number((before & MISSING) !== 0);
    this.flags[slot] = after;
  }

  private find(id: string): number {
    const slot = this.slots.find(id);
    return slot >= 0 && !this.has(slot, GONE) ? slot : -1;
  }

  private grow(): void {
    const length = this.flags.length * 2;
    this.revisions = enlarged(this.revisions, new Float64Array(length));
    this.hashes = enlarged(this.hashes, new Uint32Array(length));
    this.flags = enlarged(this.flags, new Uint8Array(length));
  }
}

function enlarged<T extends { set(from: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}
