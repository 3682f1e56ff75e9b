import { idNumber } from './idOrder';
import { AWAY, GONE, Marks, MISSING, SEEN } from './marks';
import type { Remembered } from './remembered';
import { Slots } from './slots';
import { within, type Stretch } from './stretch';

/** What is remembered of every record of an application. */
export class RecordTable {
  readonly slots: Slots;
  private revisions: Float64Array;
  private hashes: Uint32Array;
  readonly marks: Marks;
  /** Values of the watched parts, by slot, where these are kept. */
  readonly values = new Map<number, readonly string[]>();
  /** Whether anything changed that must be remembered. */
  dirty = false;

  /** @param expected minimum number of records that will be added. */
  constructor(expected = 0) {
    const capacity = expected + 64;
    this.slots = new Slots(capacity);
    this.revisions = new Float64Array(capacity);
    this.hashes = new Uint32Array(capacity);
    this.marks = new Marks(capacity);
  }

  /** Records in the table. */
  get size(): number {
    return this.slots.length - this.marks.goneCount;
  }

  /** Records in the table that have not left the filter. */
  get presentSize(): number {
    return this.size - this.marks.awayCount;
  }

  /** Records that scans did not meet. */
  get missingSize(): number {
    return this.marks.missingCount;
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
    this.marks.set(slot, 0, GONE | AWAY | MISSING);
    this.revisions[slot] = revision;
    this.hashes[slot] = hash;
    if (values === undefined) this.values.delete(slot);
    else this.values.set(slot, values);
    this.dirty = true;
  }

  remove(id: string): void {
    const slot = this.find(id);
    if (slot < 0) return;
    this.marks.set(slot, GONE, ~GONE);
    this.values.delete(slot);
    this.dirty = true;
  }

  /** The record is in the list: neither missing nor away. */
  meet(id: string): void {
    const slot = this.find(id);
    if (slot < 0) return;
    if (this.marks.has(slot, AWAY | MISSING)) this.dirty = true;
    this.marks.set(slot, SEEN, AWAY | MISSING);
  }

  /** The record is there, but not in the list. */
  markAway(id: string): void {
    const slot = this.find(id);
    if (slot >= 0) this.markAwayAt(slot);
  }

  isAway(id: string): boolean {
    const slot = this.find(id);
    return slot >= 0 && this.marks.has(slot, AWAY);
  }

  /** Marks all records of a stretch as missing that were not met since the last sweep, except those in `gaps`. */
  sweep(stretch: Stretch | null, gaps: readonly Stretch[] = []): void {
    const isWithin = stretch === null ? () => false : within(stretch);
    const isUnknown = gaps.map(within);
    for (let slot = 0; slot < this.slots.length; slot++) {
      const isLost = this.marks.isBlank(slot) && isWithin(this.slots, slot);
      if (isLost && !isUnknown.some((gap) => gap(this.slots, slot))) this.markMissingAt(slot);
      else this.marks.set(slot, 0, SEEN);
    }
  }

  /** The record is not in the list, and is refused: what happened to it is still to be found out. */
  markMissing(id: string): void {
    const slot = this.find(id);
    if (slot >= 0) this.markMissingAt(slot);
  }

  /** The record is not missing. */
  forgetMissing(id: string): void {
    this.marks.set(this.find(id), 0, MISSING);
    this.dirty = true;
  }

  /** Ids of the records that scans did not meet, in order. */
  missing(): string[] {
    return this.missingSize === 0 ? [] : this.idsWith(MISSING);
  }

  /** Ids of the records that are there, but not in the list, in order. */
  away(): string[] {
    return this.idsWith(AWAY);
  }

  /** Number of present records up to an ID: where a list continues after it. */
  countUpTo(id: string | null): number {
    if (id === null) return 0;
    const isWithin = within({ from: null, to: id });
    let count = 0;
    for (let slot = 0; slot < this.slots.length; slot++)
      if (!this.marks.has(slot, GONE | AWAY | MISSING) && isWithin(this.slots, slot)) count++;
    return count;
  }

  /** At most this many IDs of present records within a stretch. */
  idsIn(stretch: Stretch, most: number): string[] {
    const isWithin = within(stretch);
    const ids: string[] = [];
    for (let slot = 0; slot < this.slots.length && ids.length < most; slot++)
      if (!this.marks.has(slot, GONE | AWAY | MISSING) && isWithin(this.slots, slot))
        ids.push(this.slots.idAt(slot));
    return ids;
  }

  /** Slots of the records, in order of their ids: numbers first. */
  order(): Uint32Array {
    const order = this.slots.inOrder();
    return this.marks.goneCount === 0 ? order : order.filter((slot) => !this.marks.has(slot, GONE));
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
    if (slot === this.marks.capacity) this.grow();
    return slot;
  }

  putAt(slot: number, revision: number, hash: number): void {
    this.revisions[slot] = revision;
    this.hashes[slot] = hash;
  }

  markAwayAt(slot: number): void {
    this.marks.set(slot, AWAY, MISSING);
    this.dirty = true;
  }

  markMissingAt(slot: number): void {
    this.marks.set(slot, MISSING, 0);
    this.dirty = true;
  }

  private idsWith(flag: number): string[] {
    const ids: string[] = [];
    for (const slot of this.slots.inOrder()) if (this.marks.has(slot, flag)) ids.push(this.slots.idAt(slot));
    return ids;
  }

  private find(id: string): number {
    const slot = this.slots.find(id);
    return slot >= 0 && !this.marks.has(slot, GONE) ? slot : -1;
  }

  private grow(): void {
    this.marks.grow();
    const length = this.marks.capacity;
    this.revisions = enlarged(this.revisions, new Float64Array(length));
    this.hashes = enlarged(this.hashes, new Uint32Array(length));
  }
}

function enlarged<T extends { set(from: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}
