import { idNumber } from '../../util/ids';

/** The record is out of sight: it is told only if it comes back. */
const OUTSIDE = 1;
/** The scan has met the record since it was asked for missing ones. */
const MET = 2;
/** The record was removed from the table. */
const GONE = 4;
/** A scan did not meet the record where it should be: what happened to it is still to be found out. */
const MISSING = 8;
/** What is saved. */
const LASTING = OUTSIDE | MISSING;

/** What is remembered of a record between polls. */
export interface Remembered {
  readonly revision: number;
  /** A 32-bit hash for each watched part; 0 for one that is unknown. */
  readonly hashes: readonly number[];
  /** Values of the watched parts as JSON, one a part, empty if one is not known; absent if none are kept. */
  readonly values?: readonly string[] | undefined;
}

/** Kept values, and the save at which they last changed: the higher, the later. */
export interface KeptValues {
  readonly texts: readonly string[];
  readonly changedAt: number;
}

/**
 * What is remembered of every record of an application, a million of them in some 30 MB. The first rows are in order
 * of their IDs, which is how a service lists them, and need no index.
 */
export class RecordTable {
  /** By row, as all columns are. */
  readonly ids: number[] = [];
  readonly revisions: number[] = [];
  readonly flags: number[] = [];
  /** One column for each watched part. */
  hashes: number[][];
  /** By row, where they are kept. */
  readonly values = new Map<number, KeptValues>();
  /** The number of the next save. */
  save = 0;
  /** There was no room for the values of all records. */
  isFull = false;
  /** Whether anything changed that must be remembered. */
  hasChanged = false;
  size = 0;
  /** How many rows from the first one are in ascending order. */
  private sorted = 0;
  /** Rows of all others, by ID. */
  private readonly others = new Map<number, number>();
  /** Where the next ID probably is: lists come in this order. */
  private next = 0;

  /** @param watched IDs of the watched parts. */
  constructor(public watched: readonly string[] = []) {
    this.hashes = watched.map(() => []);
  }

  /** A record that was told or learned. */
  get(id: string): Remembered | undefined {
    const row = this.find(id);
    if (row < 0) return undefined;
    return {
      revision: this.revisions[row]!,
      hashes: this.hashes.map((column) => column[row]!),
      values: this.values.get(row)?.texts,
    };
  }

  /** Adds or changes a record. It counts as met. */
  set(id: string, { revision, hashes, values }: Remembered): void {
    const number = idNumber(id);
    const existing = this.rowOf(number);
    const row = existing < 0 || this.isFlagged(existing, GONE) ? this.add(number, existing) : existing;
    this.setFlags(row, MET, LASTING);
    this.revisions[row] = revision;
    for (const [index, column] of this.hashes.entries()) column[row] = hashes[index] ?? 0;
    if (values === undefined) this.values.delete(row);
    else if (this.values.get(row)?.texts.join('\n') !== values.join('\n'))
      this.values.set(row, { texts: values, changedAt: this.save });
    this.hasChanged = true;
  }

  remove(id: string): void {
    const row = this.find(id);
    if (row < 0) return;
    this.setFlags(row, GONE, LASTING);
    this.values.delete(row);
    this.size--;
  }

  /** The record is in the list under the revision that is known; by nothing else is it compared. */
  meetsUnchanged(number: number, revision: number | null): boolean {
    const row = this.rowOf(number);
    if (row < 0 || this.revisions[row] !== revision || this.hashes.length > 0 || this.isFlagged(row, GONE))
      return false;
    this.setFlags(row, MET, OUTSIDE | MISSING);
    return true;
  }

  /** The record is in the list. */
  meet(id: string): void {
    this.setFlags(this.find(id), MET, OUTSIDE | MISSING);
  }

  /** The record is out of sight: it left the filter, or nobody wants to know what became of it. */
  markOutside(id: string): void {
    this.setFlags(this.find(id), OUTSIDE, MISSING);
  }

  /** Until the next scan has looked. */
  forgetMissing(id: string): void {
    this.setFlags(this.find(id), 0, MISSING);
  }

  /** Flags all records after one ID, up to another and with it, as missing that were not met since the last call. */
  flagMissing(low: number, high: number): void {
    const { ids, flags } = this;
    for (let row = 0; row < ids.length; row++) {
      const before = flags[row]!;
      if ((before & MET) !== 0) flags[row] = before & ~MET;
      else if ((before & (OUTSIDE | GONE | MISSING)) === 0 && ids[row]! > low && ids[row]! <= high)
        this.setFlags(row, MISSING, 0);
    }
  }

  /** IDs of the records that scans did not meet, in order. */
  missing(): string[] {
    return this.idsWith(MISSING);
  }

  /** IDs of the records out of sight, in order. */
  outside(): string[] {
    return this.idsWith(OUTSIDE);
  }

  /** Forgets so many records that are out of sight, those with the lowest IDs. */
  forgetOutside(count: number): void {
    if (count > 0) for (const id of this.outside().slice(0, count)) this.remove(id);
  }

  private idsWith(flag: number): string[] {
    const ids = this.ids.filter((_, row) => this.isFlagged(row, flag));
    return ids.sort((one, other) => one - other).map(String);
  }

  /** The last record that should be in the list, by its ID. */
  get lastListed(): string | undefined {
    let highest = -1;
    for (const [row, id] of this.ids.entries())
      if (id > highest && !this.isFlagged(row, GONE | OUTSIDE | MISSING)) highest = id;
    return highest < 0 ? undefined : String(highest);
  }

  /** Other parts are watched: of a new one, hashes and values are unknown. */
  rewatch(watched: readonly string[]): void {
    if (watched.join() === this.watched.join()) return;
    const columns = watched.map((id) => this.watched.indexOf(id));
    this.watched = watched;
    this.hashes = columns.map((column) => this.hashes[column] ?? this.ids.map(() => 0));
    for (const [row, { texts, changedAt }] of this.values)
      this.values.set(row, { texts: columns.map((column) => texts[column] ?? ''), changedAt });
    this.hasChanged = true;
  }

  /** Keeps the values of so many records: of those in the filter first, then of those that changed last. */
  keepValues(count: number): void {
    const rank = (row: number): number =>
      this.isFlagged(row, OUTSIDE) ? -1 : this.values.get(row)!.changedAt;
    const rows = [...this.values.keys()].sort((one, other) => rank(one) - rank(other));
    for (const row of rows.slice(0, Math.max(0, rows.length - count))) {
      this.values.delete(row);
      this.hasChanged = true;
    }
  }

  /** Rows in order of their IDs. */
  order(): number[] {
    const { ids } = this;
    const rows = [...ids.keys()].filter((row) => !this.isFlagged(row, GONE));
    return this.others.size === 0 ? rows : rows.sort((one, other) => ids[one]! - ids[other]!);
  }

  flagsAt(row: number): number {
    return this.flags[row]! & LASTING;
  }

  private setFlags(row: number, on: number, off: number): void {
    if (row < 0) return;
    const before = this.flags[row]!;
    const after = (before & ~off) | on;
    if (((before ^ after) & ~MET) !== 0) this.hasChanged = true;
    this.flags[row] = after;
  }

  private isFlagged(row: number, flags: number): boolean {
    return (this.flags[row]! & flags) !== 0;
  }

  /** @param row of a record that was removed, if there is one. @returns its row. */
  add(number: number, row = -1): number {
    this.size++;
    this.hasChanged = true;
    if (row >= 0) {
      this.flags[row] = 0;
      return row;
    }
    const added = this.ids.push(number) - 1;
    this.flags.push(0);
    if (added === this.sorted && (added === 0 || number > this.ids[added - 1]!)) this.sorted++;
    else this.others.set(number, added);
    return added;
  }

  private find(id: string): number {
    const row = this.rowOf(idNumber(id));
    return row >= 0 && !this.isFlagged(row, GONE) ? row : -1;
  }

  private rowOf(number: number): number {
    if (this.next > 0 && this.ids[this.next - 1] === number) return this.next - 1;
    if (this.next < this.sorted && this.ids[this.next] === number) return this.next++;
    let low = 0;
    let high = this.sorted - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const id = this.ids[middle]!;
      if (id === number) {
        this.next = middle + 1;
        return middle;
      }
      if (id < number) low = middle + 1;
      else high = middle - 1;
    }
    return this.others.get(number) ?? -1;
  }
}
