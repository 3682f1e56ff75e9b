import { possibleKeys } from '../model/keys';
import type { KeyMode, Part } from '../model/part';
import type { RawEntry } from '../types/entries';
import { textLikeness } from '../values/likeness';
import type { Condition, MatchMode } from './condition';
import { heldValues, shownValue } from './held';
import type { ConditionOperator } from './operators';
import { meetsCondition, textMeets } from './recordTest';

/** A value that would meet a condition if case, width and white space did not count. */
export interface NearMiss {
  readonly condition: Condition;
  /** What the condition looks for, as it was given. */
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

interface Check {
  readonly condition: Condition;
  readonly keys: readonly string[];
}

interface Question {
  readonly checks: readonly Check[];
  isMet: boolean;
  misses: readonly NearMiss[];
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
    const checks = conditions.map((condition) => ({
      condition,
      keys: possibleKeys(condition.part, keyMode),
    }));
    const questions = match === 'any' ? checks.map((check) => [check]) : [checks];
    this.questions = questions
      .filter((each) => each.some(({ condition }) => comparesTexts(condition)))
      .map((each) => ({ checks: each, isMet: false, misses: [] }));
  }

  see(record: RawEntry): void {
    for (const question of this.questions) {
      if (question.isMet) continue;
      const misses = this.missesOf(question, record);
      question.isMet = misses?.length === 0;
      if (question.misses.length === 0) question.misses = misses ?? [];
    }
  }

  get all(): readonly NearMiss[] {
    return this.questions.filter(({ isMet }) => !isMet).flatMap(({ misses }) => misses);
  }

  /** The conditions that a record misses by a hair; `null` if it misses any by more. */
  private missesOf({ checks }: Question, record: RawEntry): NearMiss[] | null {
    const misses: NearMiss[] = [];
    for (const { condition, keys } of checks) {
      const value = shownValue(record, keys, condition.part);
      if (value === null) return null;
      if (meetsCondition(condition, value, this.keyMode)) continue;
      const held = comparesTexts(condition) ? heldValues(condition.part, value, this.keyMode, false) : [];
      const miss = nearMiss(
        condition,
        held.flatMap(({ kind, text }) => (kind === 'text' ? text : [])),
      );
      if (miss === null) return null;
      misses.push({ ...miss, condition, id: this.idOf(record) });
    }
    return misses;
  }

  private idOf(record: RawEntry): string {
    const { idPart, keyMode } = this;
    const value = idPart && shownValue(record, possibleKeys(idPart, keyMode), idPart);
    const [id] = idPart && value ? heldValues(idPart, value, keyMode, false) : [];
    return id?.text ?? '';
  }
}

function comparesTexts({ operator, byId }: Condition): boolean {
  return OF_TEXTS.has(operator) && !byId;
}

function nearMiss(condition: Condition, held: readonly string[]): { sought: string; held: string } | null {
  for (const { text: sought } of condition.operands) {
    const like = textLikeness(sought);
    if (like === '') continue;
    const near = held.find((text) => textMeets(condition, textLikeness(text), like));
    if (near !== undefined) return { sought, held: near };
  }
  return null;
}
