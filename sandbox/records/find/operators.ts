/** What an operator compares: the values of one part of one record with those of a condition. */
interface Comparison {
  /** The part's values; none if it is empty. */
  readonly keys: readonly (string | number)[];
  /** The same as texts. */
  readonly texts: readonly string[];
  readonly operands: readonly (string | number)[];
  /** The values are a set, so equal means the same members. */
  readonly set: boolean;
  /** `contains` compares whole values instead of searching in them. */
  readonly exact: boolean;
}

type Test = (comparison: Comparison) => boolean;

const equals: Test = ({ keys, operands, set }) => {
  if (operands.length === 0) return keys.length === 0;
  if (set) return keys.length === operands.length && keys.every((key) => operands.includes(key));
  return keys.some((key) => operands.includes(key));
};

const contains: Test = ({ texts, operands, exact }) =>
  texts.some((text) =>
    operands.some((operand) =>
      exact ? text === String(operand) : text.toLowerCase().includes(String(operand).toLowerCase()),
    ),
  );

const ordered =
  (test: (key: string | number, operand: string | number) => boolean): Test =>
  ({ keys, operands }) =>
    keys.some((key) => operands.some((operand) => test(key, operand)));

const isNull: Test = ({ keys }) => keys.length === 0;

/**
 * `=`, `>=`, `contains` and `is_null` were observed on the service (service facts, "Filter"). The sandbox invents the
 * others.
 */
export const operators = {
  '=': equals,
  '>=': ordered((key, operand) => key >= operand),
  contains,
  is_null: isNull,
  '!=': (comparison) => !equals(comparison),
  '<=': ordered((key, operand) => key <= operand),
  '<': ordered((key, operand) => key < operand),
  '>': ordered((key, operand) => key > operand),
  not_contains: (comparison) => !contains(comparison),
  is_not_null: (comparison) => !isNull(comparison),
} satisfies Record<string, Test>;

export type Operator = keyof typeof operators;

/** Operators without a value. */
export const nullTests: readonly Operator[] = ['is_null', 'is_not_null'];

export function isOperator(name: string): name is Operator {
  return Object.hasOwn(operators, name);
}
