import { idNumber } from './ids';

/** The record was missing from the list but exists: it left the filter. */
const FILTERED_OUT = 1;
/** This poll has met the record in the list. */
const SEEN = 2;
/** The record was removed from the table. */
const GONE = 4;
/** A scan did not meet the record where it should be: what happened to it is still to be found out. */
const MISSING = 8;

/** Hashes take at most this many characters of the state; beyond it, one hash covers all watched parts of a record. */
const MAX_HASH_CHARACTERS = 1_000_000;
/** What a hash takes, and a little more: four bytes that hardly compress, as base64. */
const CHARACTERS_PER_HASH = 6;

/** What is remembered of a record between polls. */
export interface Remembered {
  readonly revision: number;
  /** A 32-bit hash for each watched part, or one for all of them; 0 for one that is unknown. */
  readonly hashes: readonly number[];
  /** Values of the watched parts as JSON, one a part, empty if one is not known; absent if none are kept. */
  readonly values?: readonly string[] | undefined;
}

/**
 * What is remembered of every record of an application, a million of them in some 30 MB. The first rows are in order
 * of their IDs, which is how a service lists them, and need no index.
 */
export class RecordTable {
  readonly values = new Map<number, readonly string[]>();
  /** There was no room for the values of all records. */
  isFull = false;
  /** How often anything changed that must be remembered. */
  changes = 0;
  size = 0;
  ids: Float64Array;
  revisions: Float64Array;
  /** One column for each watched part; if `isJoint`, one for all of them, because there was no room. */
  hashes: Uint32Array[];
  private flags: Uint8Array;
  /** Rows in use, and how many from the first one are in ascending order. */
  private length = 0;
  private sorted = 0;
  /** Row indexes of all others, by ID. */
  private readonly others = new Map<number, number>();
  /** Where the next ID probably is: lists come in this order. */
  private next = 0;

  /** @param width number of columns of hashes. @param expected how many records will be added at least. */
  constructor(
    width = 0,
    public isJoint = false,
    expected = 0,
  ) {
    const capacity = expected + 64;
    this.ids = new Float64Array(capacity);
    this.revisions = new Float64Array(capacity);
    this.flags = new Uint8Array(capacity);
    this.hashes = Array.from({ length: width }, () => new Uint32Array(capacity));
  }

  /** How many records have not left the filter. */
  get presentSize(): number {
    return this.size - this.count(FILTERED_OUT);
  }

  get missingSize(): number {
    return this.count(MISSING);
  }

  private count(flag: number): number {
    let count = 0;
    for (let rowIndex = 0; rowIndex < this.length; rowIndex++) if (this.has(rowIndex, flag)) count++;
    return count;
  }

  get(id: string): Remembered | undefined {
    const rowIndex = this.find(id);
    if (rowIndex < 0) return undefined;
    return {
      revision: this.revisions[rowIndex]!,
      hashes: this.hashes.map((column) => column[rowIndex]!),
      values: this.values.get(rowIndex),
    };
  }

  /** Adds or changes a record. It counts as present. */
  set(id: string, { revision, hashes, values }: Remembered): void {
    const number = idNumber(id);
    const found = this.rowIndexOf(number);
    const rowIndex = found < 0 ? this.add(number) : found;
    if (this.has(rowIndex, GONE)) this.size++;
    this.setFlags(rowIndex, 0, GONE | FILTERED_OUT | MISSING);
    this.revisions[rowIndex] = revision;
    for (const [index, column] of this.hashes.entries()) column[rowIndex] = hashes[index] ?? 0;
    if (values === undefined) this.values.delete(rowIndex);
    else this.values.set(rowIndex, values);
    this.changes++;
  }

  remove(id: string): void {
    const rowIndex = this.find(id);
    if (rowIndex < 0) return;
    this.setFlags(rowIndex, GONE, ~GONE);
    this.values.delete(rowIndex);
    this.size--;
  }

  /** The record is in the list: neither missing nor filtered out. */
  meet(id: string): void {
    this.setFlags(this.find(id), SEEN, FILTERED_OUT | MISSING);
  }

  /** The record is there, but not in the list. */
  markFilteredOut(id: string): void {
    this.setFlags(this.find(id), FILTERED_OUT, MISSING);
  }

  forgetMissing(id: string): void {
    this.setFlags(this.find(id), 0, MISSING);
  }

  /** Flags all records after one ID, up to another and with it, as missing that were not met since the last sweep. */
  sweep(low: number, high: number): void {
    for (let rowIndex = 0; rowIndex < this.length; rowIndex++) {
      const id = this.ids[rowIndex]!;
      this.setFlags(rowIndex, id > low && id <= high && this.isUnmet(rowIndex) ? MISSING : 0, SEEN);
    }
  }

  /** Whether a record after an ID was not met since the last sweep. */
  hasUnmetAfter(id: string | null): boolean {
    const last = id === null ? -1 : idNumber(id);
    for (let rowIndex = 0; rowIndex < this.length; rowIndex++)
      if (this.ids[rowIndex]! > last && this.isUnmet(rowIndex)) return true;
    return false;
  }

  /** IDs of the records that scans did not meet, in order. */
  missing(): string[] {
    if (this.missingSize === 0) return [];
    const missing = this.order().filter((rowIndex) => this.has(rowIndex, MISSING));
    return Array.from(missing, (rowIndex) => String(this.ids[rowIndex]));
  }

  /** Number of present records up to an ID: where a list continues after it. */
  countUpTo(id: string | null): number {
    const last = id === null ? -1 : idNumber(id);
    let count = 0;
    for (let rowIndex = 0; rowIndex < this.length; rowIndex++)
      if (this.ids[rowIndex]! <= last && !this.has(rowIndex, GONE | FILTERED_OUT | MISSING)) count++;
    return count;
  }

  /** Other parts are watched. @param columns for each of them, where it was before; -1 for a new one: unknown. */
  rewatch(columns: readonly number[]): void {
    const before = this.isJoint ? [] : this.hashes;
    this.changes++;
    this.isJoint = false;
    this.hashes = columns.map((column) => before[column]?.slice() ?? new Uint32Array(this.ids.length));
    for (const [rowIndex, row] of this.values) {
      const values = columns.map((column) => row[column] ?? '');
      this.values.set(rowIndex, values);
    }
  }

  /**
   * Reduces the hashes of each record to one for all watched parts if there is no room for them, until other parts are
   * watched. @returns whether it did.
   */
  joinHashes(): boolean {
    const width = this.hashes.length;
    if (width < 2 || this.size * width * CHARACTERS_PER_HASH <= MAX_HASH_CHARACTERS) return false;
    const all = new Uint32Array(this.ids.length);
    for (let rowIndex = 0; rowIndex < this.length; rowIndex++) {
      const hashes = this.hashes.map((column) => column[rowIndex]!);
      all[rowIndex] = hashes.includes(0) ? 0 : hashes.reduce((one, other) => one ^ other);
    }
    this.hashes = [all];
    this.isJoint = true;
    this.changes++;
    return true;
  }

  /** Row indexes of the records, in order of their IDs. */
  order(): Uint32Array {
    const { ids, sorted } = this;
    const others = Uint32Array.from(this.others.values()).sort((one, two) => ids[one]! - ids[two]!);
    const order = new Uint32Array(this.size);
    let count = 0;
    for (let rowIndex = 0, other = 0; rowIndex < sorted || other < others.length;) {
      const isOther = rowIndex === sorted || ids[others[other]!]! < ids[rowIndex]!;
      const next = isOther ? others[other++]! : rowIndex++;
      if (!this.has(next, GONE)) order[count++] = next;
    }
    return order;
  }

  flagsAt(rowIndex: number): number {
    return this.flags[rowIndex]! & (FILTERED_OUT | MISSING);
  }

  has(rowIndex: number, flags: number): boolean {
    return (this.flags[rowIndex]! & flags) !== 0;
  }

  /** Adds a record. @returns its row index: the next one. */
  add(number: number): number {
    if (this.length === this.ids.length) this.grow();
    const rowIndex = this.length++;
    this.size++;
    this.ids[rowIndex] = number;
    if (rowIndex === this.sorted && (rowIndex === 0 || number > this.ids[rowIndex - 1]!)) this.sorted++;
    else this.others.set(number, rowIndex);
    return rowIndex;
  }

  setFlags(rowIndex: number, on: number, off = 0): void {
    if (rowIndex < 0) return;
    const before = this.flags[rowIndex]!;
    const after = (before & ~off) | on;
    if (((before ^ after) & ~SEEN) !== 0) this.changes++;
    this.flags[rowIndex] = after;
  }

  private isUnmet(rowIndex: number): boolean {
    return !this.has(rowIndex, FILTERED_OUT | SEEN | GONE | MISSING);
  }

  private find(id: string): number {
    const rowIndex = this.rowIndexOf(idNumber(id));
    return rowIndex >= 0 && !this.has(rowIndex, GONE) ? rowIndex : -1;
  }

  private rowIndexOf(number: number): number {
    if (this.next < this.sorted && this.ids[this.next] === number) return this.next++;
    let low = 0;
    let high = this.sorted - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.ids[middle]!;
      if (found === number) {
        this.next = middle + 1;
        return middle;
      }
      if (found < number) low = middle + 1;
      else high = middle - 1;
    }
    return this.others.get(number) ?? -1;
  }

  private grow(): void {
    const capacity = this.ids.length * 2;
    this.ids = enlarged(this.ids, new Float64Array(capacity));
    this.revisions = enlarged(this.revisions, new Float64Array(capacity));
    this.flags = enlarged(this.flags, new Uint8Array(capacity));
    this.hashes = this.hashes.map((column) => enlarged(column, new Uint32Array(capacity)));
  }
}

function enlarged<T extends { set(from: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}
