import { count, type Counts } from '../util/counts';

/** Something that must not happen, with the details for an investigation. */
export interface Violation {
  /** A short text that is the same for all violations of its kind. */
  readonly kind: string;
  /** Record ids, ledger lines, journal entries. */
  readonly details: unknown;
}

/** The result of one part of the audit. */
export interface Section {
  readonly counts: Counts;
  readonly violations: readonly Violation[];
}

/** Collects counts and violations. */
export class Tally implements Section {
  readonly counts: Record<string, number>;
  readonly violations: Violation[] = [];

  /** Names that appear with 0 if nothing is counted under them. */
  constructor(...names: readonly string[]) {
    this.counts = Object.fromEntries(names.map((name) => [name, 0]));
  }

  count(name: string, by?: number): void {
    count(this.counts, name, by);
  }

  /** Records a violation, and counts it under its kind. */
  violate(kind: string, details: unknown): void {
    this.count(kind);
    this.violations.push({ kind, details });
  }
}
