import { codecOf } from '../codecs';
import { type Part, readPart } from '../model/part';
import { resultKind } from '../types/expression';
import type { PartValueObject, ValueKind } from '../model/codec';
import { canonicalDecimal, compareDecimals, plainDecimal } from '../values/decimal';
import { readText } from '../values/shapes';
import { asUserError } from '../../util/userError';

/** The kinds with an order other than that of texts. */
export const ORDERED_KINDS = ['number', 'date', 'time', 'datetime'] as const;

/** How the values of a part compare; those of an auto calculation by the type of each result. */
export function kindOf(part: Part, value?: PartValueObject): ValueKind {
  const { compares = 'text' } = codecOf(part);
  if (compares !== 'result') return compares;
  return (value === undefined ? null : resultKind(value)) ?? 'text';
}

/** The form of most values. Reading many of them should be fast. */
const PLAIN = { date: /^\d{4}-\d{2}-\d{2}$/, datetime: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/ };

/**
 * The same text for all values of a kind that mean the same; `null` for values of a different kind. Times are whole
 * seconds.
 * @param value as a person writes it or a record contains it
 * @param timezone into which dates and times with an offset are converted
 */
export function canonicalValue(kind: ValueKind, value: unknown, timezone: string): string | null {
  switch (kind) {
    case 'text':
      return readText(value).replaceAll('\r\n', '\n');
    case 'number': {
      const decimal = plainDecimal(readText(value));
      return decimal === null ? null : canonicalDecimal(decimal);
    }
    case 'time':
      return writtenValue(kind, value, timezone);
    default:
      if (typeof value === 'string' && PLAIN[kind].test(value)) return value;
      return writtenValue(kind, value, timezone);
  }
}

/** The form in which a value of the kind is sent, which has one text for each value. */
function writtenValue(kind: ValueKind, value: unknown, timezone: string): string | null {
  const part: Part = { ...NO_PART, type: kind };
  try {
    const written = codecOf(part).write?.(value, part, { keyMode: 'name', timezone });
    return written?.kind === 'text' && written.text !== '' ? written.text : null;
  } catch (error) {
    asUserError(error);
    return null;
  }
}

const NO_PART = readPart({});

/** Orders two canonical values of a kind; texts by code unit. */
export function compareCanonical(kind: ValueKind, left: string, right: string): number {
  if (kind === 'number' || kind === 'time') return compareDecimals(left, right);
  return left === right ? 0 : left < right ? -1 : 1;
}
