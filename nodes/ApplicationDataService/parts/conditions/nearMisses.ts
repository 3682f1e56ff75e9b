import type { PartValueObject } from '../model/codec';
import { possibleKeys } from '../model/keys';
import type { KeyMode, Part } from '../model/part';
import type { RawEntry } from '../types/entries';
import { textLikeness } from '../values/likeness';
import { type HeldValue, heldValues, shownValue } from './values';
import type { Condition, ConditionOperator, MatchMode } from './condition';
import { meetsCondition, textMeets } from './recordTest';

/** A value that would meet a condition if case, width and white space did not count. */
export interface NearMiss {
  readonly condition: Condition;
  readonly sought: string;
  readonly held: string;
  readonly id: string;
}

const OF_TEXTS: ReadonlySet<ConditionOperator> = new Set([
  'equals',
  'oneOf',
  'contains',
  'startsWith',
  'endsWith',
]);

/** Conditions that one record must meet together. */
interface Question {
  readonly conditions: readonly Condition[];
  /** Of the first record that nearly meets them; `null` once a record meets them. */
  misses: readonly NearMiss[] | null;
}

/** Looks among records that are read anyway for the first that text conditions miss by a hair, where they find none. */
export class NearMisses {
  private readonly questions: readonly Question[];

  constructor(
    conditions: readonly Condition[],
    match: MatchMode,
    private readonly keyMode: KeyMode | null,
    private readonly idPart: Part | null,
  ) {
    const together = match === 'any' ? conditions.map((condition) => [condition]) : [conditions];
    this.questions = together
      .filter((each) => each.some(comparesTexts))
      .map((each) => ({ conditions: each, misses: [] }));
  }

  see(record: RawEntry): void {
    for (const question of this.questions) {
      if (question.misses === null) continue;
      const misses = this.missesOf(question.conditions, record);
      if (misses?.length === 0) question.misses = null;
      else if (question.misses.length === 0) question.misses = misses ?? [];
    }
  }

  get all(): readonly NearMiss[] {
    return this.questions.flatMap(({ misses }) => misses ?? []);
  }

  private missesOf(conditions: readonly Condition[], record: RawEntry): NearMiss[] | null {
    const misses: NearMiss[] = [];
    for (const condition of conditions) {
      const value = this.valueIn(record, condition.part);
      if (value === null) return null;
      if (meetsCondition(condition, value, this.keyMode)) continue;
      const held = comparesTexts(condition) ? heldValues(condition.part, value, this.keyMode, false) : [];
      const near = nearMiss(condition, held);
      if (near === null) return null;
      misses.push({ ...near, condition, id: this.idOf(record) });
    }
    return misses;
  }

  private idOf(record: RawEntry): string {
    const value = this.idPart && this.valueIn(record, this.idPart);
    return (this.idPart && value && heldValues(this.idPart, value, this.keyMode, false)[0]?.text) ?? '';
  }

  private valueIn(record: RawEntry, part: Part): PartValueObject | null {
    return shownValue(record, possibleKeys(part, this.keyMode), part);
  }
}

function comparesTexts({ operator, byId }: Condition): boolean {
  return OF_TEXTS.has(operator) && !byId;
}

function nearMiss(
  condition: Condition,
  held: readonly HeldValue[],
): Pick<NearMiss, 'sought' | 'held'> | null {
  for (const { text: sought } of condition.operands) {
    const like = textLikeness(sought);
    const near = held.find(
      ({ kind, text }) => like !== '' && kind === 'text' && textMeets(condition, textLikeness(text), like),
    );
    if (near !== undefined) return { sought, held: near.text };
  }
  return null;
}
