/** Something that must not happen, with the details for an investigation. */
export interface Violation {
  /** A short text that is the same for all violations of its kind. */
  readonly kind: string;
  /** Record ids, ledger lines, journal entries. */
  readonly details: unknown;
}

/** The result of one part of the audit: counts by name, and violations. */
export interface Section {
  readonly counts: Readonly<Record<string, number>>;
  readonly violations: readonly Violation[];
}

/** Collects counts and violations. */
export class Tally implements Section {
  readonly counts: Record<string, number> = {};
  readonly violations: Violation[] = [];

  /** Names that appear with 0 if nothing is counted under them. */
  constructor(...names: readonly string[]) {
    for (const name of names) this.counts[name] = 0;
  }

  count(name: string, by = 1): void {
    this.counts[name] = (this.counts[name] ?? 0) + by;
  }

  /** Records a violation, and counts it under its kind. */
  violate(kind: string, details: unknown): void {
    this.count(kind);
    this.violations.push({ kind, details });
  }
}
