import { possibleKeys } from '../model/keys';
import type { KeyMode, Part } from '../model/part';
import type { RawEntry } from '../types/entries';
import type { Condition, Match } from './condition';
import { meetsCondition } from './meets';
import { shownValue } from './shownValue';

/** Conditions that the node checks itself on records it has read (parameters.md, Settled questions). */
export class RecordTest {
  /** The parts that the conditions need: a list must be requested with them. */
  readonly parts: readonly Part[];

  private readonly checks: readonly Check[];

  private readonly some: boolean;

  private readonly unseen = new Set<Part>();

  /** @param keyMode `null` to find each part by name or identifier. */
  constructor(
    readonly conditions: readonly Condition[],
    match: Match,
    private readonly keyMode: KeyMode | null,
  ) {
    this.parts = [...new Set(conditions.map(({ part }) => part))];
    this.checks = conditions.map((condition) => ({ condition, keys: possibleKeys(condition.part, keyMode) }));
    this.some = match === 'any' && conditions.length > 0;
  }

  /** Parts that were hidden, in error or missing in a record. Such a record meets no condition on them. */
  get hidden(): ReadonlySet<Part> {
    return this.unseen;
  }

  /** Whether a record meets all conditions, or one of them. Without conditions, every record does. */
  meets(record: RawEntry): boolean {
    const isMet = (check: Check): boolean => this.isMet(check, record);
    return this.some ? this.checks.some(isMet) : this.checks.every(isMet);
  }

  private isMet({ condition, keys }: Check, record: RawEntry): boolean {
    const value = shownValue(record, keys, condition.part);
    if (value === null) {
      this.unseen.add(condition.part);
      return false;
    }
    return meetsCondition(condition, value, this.keyMode);
  }
}

interface Check {
  readonly condition: Condition;
  readonly keys: readonly string[];
}
