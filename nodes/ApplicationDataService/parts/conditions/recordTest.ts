import { possibleKeys } from '../model/keys';
import { isSeveral, type KeyMode, type Part, type PartValueObject, type ValueKind } from '../model/part';
import { asPartValue, partErrorOf, keyIn } from '../types/entries';
import { canonicalIn, ORDERED_KINDS, plainText, resultKind } from '../types/plain';
import { compareDecimals } from '../values/decimal';
import { type Entry, isObject, readText } from '../values/shapes';
import { type Condition, type ConditionOperator, type MatchMode, type Operand, OPERATORS } from './condition';

/** Conditions that the node checks itself on records it has read (parameters.md, Settled questions). */
export class RecordTest {
  readonly parts: readonly Part[];
  /** Parts that were hidden, in error or missing in a record. Such a record meets no condition on them. */
  readonly hidden = new Set<Part>();

  /** @param keyMode `null` to find each part by name or identifier. */
  constructor(
    readonly conditions: readonly Condition[],
    readonly match: MatchMode,
    private readonly keyMode: KeyMode | null,
  ) {
    this.parts = [...new Set(conditions.map(({ part }) => part))];
  }

  meets(record: Entry): boolean {
    return this.judge(record) === 'yes';
  }

  /** Whether a record meets the conditions; `unsure` if not, and a part that they need is hidden or in error. */
  judge(record: Entry): 'yes' | 'no' | 'unsure' {
    let isHidden = false;
    const isMet = (condition: Condition): boolean => {
      const held = heldValues(record, condition.part, this.keyMode, condition.byId);
      if (held !== null) return meetsCondition(condition, held);
      this.hidden.add(condition.part);
      isHidden = true;
      return false;
    };
    const isAny = this.match === 'any' && this.conditions.length > 0;
    if (isAny ? this.conditions.some(isMet) : this.conditions.every(isMet)) return 'yes';
    return isHidden ? 'unsure' : 'no';
  }
}

/** Values of the service are in its own time zone, without an offset. */
const SERVICE_ZONE = 'UTC';

export interface HeldValue {
  readonly kind: ValueKind;
  readonly text: string;
  readonly canonical: string | null;
}

/** The values of a part in a record; `null` if it is hidden, in error, or missing. Rows count, but have no text. */
export function heldValues(
  record: Entry,
  part: Part,
  keyMode: KeyMode | null,
  byId: boolean,
): readonly HeldValue[] | null {
  const key = keyIn(record, possibleKeys(part, keyMode));
  if (key === null) return null;
  const value: PartValueObject = asPartValue(record[key]);
  if (partErrorOf(value, part) !== '') return null;
  const simplified = part.codec.read(value, part, keyMode) ?? [];
  const { compares = 'text' } = part.codec;
  const kind = compares === 'result' ? resultKind(value) : compares;
  const items: readonly unknown[] = Array.isArray(simplified) ? simplified : [simplified];
  return items.map((item) => {
    const text = isObject(item) ? readText(byId ? item.id : item.name) : (plainText(item) ?? '');
    return { kind, text, canonical: canonicalIn(kind, text, SERVICE_ZONE) };
  });
}

/** Of several values, one is enough; of none, only what looks for emptiness is met. */
function meetsCondition({ part, operator, operands }: Condition, held: readonly HeldValue[]): boolean {
  const { opposes } = OPERATORS[operator];
  const test = TESTS[opposes ?? operator];
  const isMet =
    test === undefined
      ? held.length === 0
      : held.some((each) => operands.some((operand) => test(each, operand, part)));
  return isMet !== (opposes !== undefined);
}

type Test = (held: HeldValue, operand: Operand, part: Part) => boolean;

/** How a value that is held meets one that is sought; `isNull` seeks none. */
const TESTS: Readonly<Partial<Record<ConditionOperator, Test>>> = {
  equals: isEqual,
  oneOf: isEqual,
  contains: textTest((text, sought) => text.includes(sought)),
  startsWith: textTest((text, sought) => text.startsWith(sought)),
  endsWith: textTest((text, sought) => text.endsWith(sought)),
  gt: orderTest((order) => order > 0),
  gte: orderTest((order) => order >= 0),
  lt: orderTest((order) => order < 0),
  lte: orderTest((order) => order <= 0),
};

function isEqual({ kind, text, canonical }: HeldValue, sought: Operand): boolean {
  const form = sought.canonical[kind];
  return canonical === null || form === undefined ? text === sought.canonical.text : canonical === form;
}

function textTest(test: (text: string, sought: string) => boolean): Test {
  return ({ kind, text: shown }, { canonical }, part) => {
    const text = shown.replaceAll('\r\n', '\n');
    return isSeveral(part) ? text === canonical.text : test(text, canonical[kind] ?? canonical.text);
  };
}

/** Never met by values of different kinds. A result that the service calls a text is judged by its form. */
function orderTest(test: (order: number) => boolean): Test {
  return ({ kind, text, canonical }, operand) => {
    for (const each of kind === 'text' ? ORDERED_KINDS : [kind]) {
      const sought = operand.canonical[each];
      const value = each === kind ? canonical : canonicalIn(each, text, SERVICE_ZONE);
      if (sought !== undefined && value !== null) return test(compareCanonical(each, value, sought));
    }
    return false;
  };
}

function compareCanonical(kind: ValueKind, left: string, right: string): number {
  if (kind === 'number' || kind === 'time') return compareDecimals(left, right);
  return left === right ? 0 : left < right ? -1 : 1;
}

export interface SortPlace<T> {
  readonly record: T;
  readonly id: string;
  readonly value: SortValue | null;
}

type SortValue = Pick<HeldValue, 'kind' | 'text'>;

interface RecordOrder {
  readonly place: <T extends Entry>(record: T, id: string) => SortPlace<T>;
  readonly compare: (one: SortPlace<unknown>, other: SortPlace<unknown>) => number;
}

/** The order of records from several lists: empty ones first if ascending, texts by code unit, equal ones by ID. */
export function recordOrder(part: Part, order: 'asc' | 'desc', keyMode: KeyMode): RecordOrder {
  const direction = order === 'desc' ? -1 : 1;
  return {
    place(record, id) {
      const held = heldValues(record, part, keyMode, false) ?? [];
      const [first] = held;
      if (first === undefined) return { record, id, value: null };
      if (held.length === 1 && first.canonical !== null)
        return { record, id, value: { kind: first.kind, text: first.canonical } };
      return { record, id, value: { kind: 'text', text: held.map(({ text }) => text).join('\t') } };
    },
    compare: (one, other) =>
      direction * compareValues(one.value, other.value) || compareDecimals(one.id, other.id),
  };
}

const SORTED_KINDS: readonly ValueKind[] = [...ORDERED_KINDS, 'text'];

function compareValues(left: SortValue | null, right: SortValue | null): number {
  if (left === null || right === null) return Number(left !== null) - Number(right !== null);
  if (left.kind === right.kind) return compareCanonical(left.kind, left.text, right.text);
  return SORTED_KINDS.indexOf(left.kind) - SORTED_KINDS.indexOf(right.kind);
}
