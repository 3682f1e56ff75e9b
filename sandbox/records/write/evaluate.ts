import { parseFormula, type Formula } from './formula.ts';

/** The texts in a part when a formula is calculated; for a child part, those of all rows. */
export type Lookup = (reference: string) => readonly string[];

/** A formula that cannot be calculated with the values at hand; the message becomes the part's `hint`. */
export class CalculationError extends Error {}

/**
 * Calculates a formula. Empty parts count as 0.
 * @throws {@link CalculationError}
 */
export function calculate(formula: string, lookup: Lookup): string {
  const result = valueOf(parseFormula(formula), lookup);
  // Sums of decimal fractions would otherwise show the binary rest (0.30000000000000004).
  return typeof result === 'number' ? String(Number(result.toPrecision(15))) : result;
}

function valueOf(node: Formula, lookup: Lookup): number | string {
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'part':
      return lookup(node.reference)[0] ?? '';
    case 'operation':
      return operate(node.operator, valueOf(node.left, lookup), valueOf(node.right, lookup));
    case 'call':
      return call(node.name, node.arguments, lookup);
  }
}

function operate(operator: string, left: number | string, right: number | string): number | string {
  if (operator === '&') return `${left}${right}`;
  const [one, other] = [numberOf(left), numberOf(right)];
  switch (operator) {
    case '+':
      return one + other;
    case '-':
      return one - other;
    case '*':
      return one * other;
    default:
      if (other === 0) throw new CalculationError('Division by zero');
      return one / other;
  }
}

function numberOf(value: number | string): number {
  const number = value === '' ? 0 : Number(value);
  if (Number.isFinite(number)) return number;
  throw new CalculationError(`"${value}" is not a number`);
}

function call(name: string, nodes: readonly Formula[], lookup: Lookup): number {
  const all = () => nodes.flatMap((node) => valuesOf(node, lookup)).filter((value) => value !== '');
  const [first, second] = nodes;
  switch (name) {
    case 'SUM':
      return all().reduce<number>((sum, value) => sum + numberOf(value), 0);
    case 'COUNT':
      return all().length;
    case 'MIN':
      return Math.min(...orZero(all()));
    case 'MAX':
      return Math.max(...orZero(all()));
    case 'ROUND': {
      const digits = 10 ** (second ? numberOf(valueOf(second, lookup)) : 0);
      return Math.round((first ? numberOf(valueOf(first, lookup)) : 0) * digits) / digits;
    }
    case 'DAYS':
      return first && second ? days(valueOf(first, lookup), valueOf(second, lookup)) : 0;
    default:
      throw new CalculationError(`There is no function ${name}`);
  }
}

function valuesOf(node: Formula, lookup: Lookup): readonly (number | string)[] {
  return node.kind === 'part' ? lookup(node.reference) : [valueOf(node, lookup)];
}

function orZero(values: readonly (number | string)[]): number[] {
  return values.length === 0 ? [0] : values.map(numberOf);
}

function days(from: number | string, to: number | string): number {
  const [start, end] = [Date.parse(`${from}`.slice(0, 10)), Date.parse(`${to}`.slice(0, 10))];
  if (Number.isNaN(start) || Number.isNaN(end)) throw new CalculationError('A date is missing');
  return Math.round((end - start) / 86_400_000);
}
