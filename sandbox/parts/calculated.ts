import type { Calculated, Part, ResultType, Stored } from './part.ts';
import type { PartKind } from './kind.ts';
import { number, writeNumber } from './number.ts';
import { date, datetime, time } from './dates.ts';
import { textbox } from './text.ts';

/** The stored result of an auto calculation; empty if it was never calculated. */
export function calculatedOf(value: Stored | undefined): Calculated {
  return typeof value === 'object' && 'result' in value ? value : { result: '' };
}

/** Whether an auto calculation's results compare as numbers. */
export function numberResult({ resultType }: Part): boolean {
  return resultType === 'number' || resultType === 'time';
}

const byResult: Readonly<Record<ResultType, PartKind>> = { number, text: textbox, date, time, datetime };

/** Auto calculation of one result type: compared as that type, written as text. */
export function calculation(resultType: ResultType): PartKind {
  const like = byResult[resultType];
  const keysOf = (value: Stored | undefined) => {
    const { result } = calculatedOf(value);
    if (result === '') return [];
    return [resultType === 'number' || resultType === 'time' ? Number(result) : result];
  };
  return {
    traits: { searchable: true, sortable: true, filterable: true, set: false },
    render: (value, _part, { dialect }) => {
      const { result } = calculatedOf(value);
      return resultType === 'number' ? writeNumber(result, dialect) : result;
    },
    keys: keysOf,
    texts: (value) => {
      const { result } = calculatedOf(value);
      return result === '' ? [] : [result];
    },
    operand: (text) => like.operand(text),
  };
}
