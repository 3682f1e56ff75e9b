/** Something that must not be, with what is needed to look into it. */
export interface Violation {
  /** What is wrong, in a few words that are the same for all of its kind. */
  readonly kind: string;
  /** Record ids, ledger lines, journal entries. */
  readonly details: unknown;
}

/** What one part of the audit found: counts under their names, and violations. */
export interface Section {
  readonly counts: Readonly<Record<string, number>>;
  readonly violations: readonly Violation[];
}

/** Counts and violations as they are gathered. */
export class Tally implements Section {
  readonly counts: Record<string, number> = {};
  readonly violations: Violation[] = [];

  /** Names that shall appear with 0 when nothing is counted under them. */
  constructor(...names: readonly string[]) {
    for (const name of names) this.counts[name] = 0;
  }

  count(name: string, by = 1): void {
    this.counts[name] = (this.counts[name] ?? 0) + by;
  }

  /** Counts a violation, too, under its own kind. */
  violate(kind: string, details: unknown): void {
    this.count(kind);
    this.violations.push({ kind, details });
  }
}
