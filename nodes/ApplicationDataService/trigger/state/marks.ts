/** The record was missing from the list but exists: it left the filter. */
export const AWAY = 1;
/** This poll has met the record in the list. */
export const SEEN = 2;
/** The record was removed from the table. */
export const GONE = 4;
/** A scan did not meet the record where it should be: what happened to it is still to be found out. */
export const MISSING = 8;

/** The marks of the record in each slot, one byte per record, and how many records have each mark. */
export class Marks {
  private flags: Uint8Array;
  private away = 0;
  private gone = 0;
  private missing = 0;

  constructor(capacity: number) {
    this.flags = new Uint8Array(capacity);
  }

  /** Number of slots. */
  get capacity(): number {
    return this.flags.length;
  }

  /** Records that are no longer in the list. */
  get awayCount(): number {
    return this.away;
  }

  /** Slots of records that were removed. */
  get goneCount(): number {
    return this.gone;
  }

  get missingCount(): number {
    return this.missing;
  }

  has(slot: number, flags: number): boolean {
    return (this.flags[slot]! & flags) !== 0;
  }

  /** Whether a record has no marks: it is in the table, and was not met since the last sweep. */
  isBlank(slot: number): boolean {
    return this.flags[slot] === 0;
  }

  set(slot: number, on: number, off: number): void {
    if (slot < 0) return;
    const before = this.flags[slot]!;
    const after = (before & ~off) | on;
    if (((before ^ after) & ~SEEN) !== 0) this.count(before, after);
    this.flags[slot] = after;
  }

  grow(): void {
    const larger = new Uint8Array(this.flags.length * 2);
    larger.set(this.flags);
    this.flags = larger;
  }

  private count(before: number, after: number): void {
    const change = (flag: number): number => Number((after & flag) !== 0) - Number((before & flag) !== 0);
    this.away += change(AWAY);
    this.gone += change(GONE);
    this.missing += change(MISSING);
  }
}
