import { isSeveral, type KeyMode, type Part, type PartValueObject } from '../model/part';
import { possibleKeys } from '../model/keys';
import type { RawEntry } from '../types/entries';
import type { Condition, ConditionOperator, MatchMode, Operand } from './condition';
import {
  canonicalHeld,
  compareCanonical,
  type HeldValue,
  heldValues,
  ORDERED_KINDS,
  shownValue,
} from './values';

/** Conditions that the node checks itself on records it has read (parameters.md, Settled questions). */
export class RecordTest {
  /** The parts that the conditions need: a list must be requested with them. */
  readonly parts: readonly Part[];

  /** Parts that were hidden, in error or missing in a record. Such a record meets no condition on them. */
  readonly hidden = new Set<Part>();

  private readonly checks: readonly { readonly condition: Condition; readonly keys: readonly string[] }[];

  /** @param keyMode `null` to find each part by name or identifier. */
  constructor(
    readonly conditions: readonly Condition[],
    readonly match: MatchMode,
    private readonly keyMode: KeyMode | null,
  ) {
    this.parts = [...new Set(conditions.map(({ part }) => part))];
    this.checks = conditions.map((condition) => ({ condition, keys: possibleKeys(condition.part, keyMode) }));
  }

  /** Whether a record meets all conditions, or one of them. Without conditions, every record does. */
  meets(record: RawEntry): boolean {
    const isMet = ({ condition, keys }: (typeof this.checks)[number]): boolean => {
      const value = shownValue(record, keys, condition.part);
      if (value === null) this.hidden.add(condition.part);
      return value !== null && meetsCondition(condition, value, this.keyMode);
    };
    const isAny = this.match === 'any' && this.checks.length > 0;
    return isAny ? this.checks.some(isMet) : this.checks.every(isMet);
  }
}

/**
 * Whether a part's value meets a condition. If there are several values, one is enough; `notEquals` and `notContains`
 * are the opposite of that (parameters.md, Settled questions).
 * @param value of a part that is not in error
 */
function meetsCondition(condition: Condition, value: PartValueObject, keyMode: KeyMode | null): boolean {
  const { part, operator, operands, byId } = condition;
  const held = heldValues(part, value, keyMode, byId);
  const one = (test: Test): boolean =>
    held.some((each) => operands.some((operand) => test(each, operand, part)));
  switch (operator) {
    case 'isNull':
      return held.length === 0;
    case 'isNotNull':
      return held.length > 0;
    case 'notEquals':
      return !one(TESTS.equals);
    case 'notContains':
      return !one(TESTS.contains);
    default:
      return one(TESTS[operator]);
  }
}

type Test = (held: HeldValue, operand: Operand, part: Part) => boolean;

type Positive = Exclude<ConditionOperator, 'isNull' | 'isNotNull' | 'notEquals' | 'notContains'>;

const TESTS: Readonly<Record<Positive, Test>> = {
  equals: isEqual,
  oneOf: isEqual,
  contains: inText((text, sought) => text.includes(sought)),
  startsWith: inText((text, sought) => text.startsWith(sought)),
  endsWith: inText((text, sought) => text.endsWith(sought)),
  gt: inOrder((order) => order > 0),
  gte: inOrder((order) => order >= 0),
  lt: inOrder((order) => order < 0),
  lte: inOrder((order) => order <= 0),
};

function isEqual({ kind, text, canonical }: HeldValue, operand: Operand): boolean {
  const sought = operand.canonical[kind];
  return canonical === null || sought === undefined ? text === operand.text : canonical === sought;
}

function inText(test: (text: string, sought: string) => boolean): Test {
  return (held, operand, part) => {
    if (isSeveral(part)) return held.text === operand.text;
    return test(held.text.replaceAll('\r\n', '\n'), operand.canonical.text ?? operand.text);
  };
}

/** Never met by values of different kinds. A result that the service calls a text is judged by its form. */
function inOrder(test: (order: number) => boolean): Test {
  return ({ kind, text, canonical }, operand) => {
    for (const each of kind === 'text' ? ORDERED_KINDS : [kind]) {
      const sought = operand.canonical[each];
      const value = kind === 'text' ? canonicalHeld(each, text) : canonical;
      if (sought !== undefined && value !== null) return test(compareCanonical(each, value, sought));
    }
    return false;
  };
}
