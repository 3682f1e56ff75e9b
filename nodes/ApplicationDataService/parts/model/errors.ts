import { describeValue } from '../values/describe';
import type { Part } from './part';

/** A refusal of this layer: nothing has been sent yet. `description` says how to put it right. */
export class PartError extends Error {
  readonly description: string;

  constructor(message: string, description: string) {
    super(message);
    this.name = new.target.name;
    this.description = description;
  }
}

/** Why a value is refused, and what would do instead. */
export interface Refusal {
  /** Follows "does not accept <value>: ", e.g. "it is not a number". */
  readonly reason: string;
  /** What the part takes, e.g. "a number". */
  readonly accepts: string;
  /** The accepted value nearest to the refused one. */
  readonly suggestion?: string | undefined;
  /** What else to do, as a sentence. */
  readonly advice?: string | undefined;
}

/** A value that a part does not take, or a part that takes none. */
export class PartValueError extends PartError {
  readonly part: Pick<Part, 'id' | 'name'>;
  /** The refused value, shortened; empty where the part takes no value at all. */
  readonly value: string;
  readonly accepts: string;
  readonly suggestion: string | null;

  constructor(
    part: Pick<Part, 'id' | 'name'>,
    texts: {
      message: string;
      description: string;
      value?: string;
      accepts?: string;
      suggestion?: string | undefined;
    },
  ) {
    super(texts.message, texts.description);
    this.part = { id: part.id, name: part.name };
    this.value = texts.value ?? '';
    this.accepts = texts.accepts ?? 'nothing';
    this.suggestion = texts.suggestion ?? null;
  }
}

/** A text that names no part, or more than one. */
export class PartLookupError extends PartError {
  readonly text: string;
  /** The parts it fits: none, or several. */
  readonly matches: readonly Part[];
  readonly suggestion: string | null;

  constructor(
    text: string,
    matches: readonly Part[],
    message: string,
    description: string,
    suggestion?: string,
  ) {
    super(message, description);
    this.text = text;
    this.matches = matches;
    this.suggestion = suggestion ?? null;
  }
}

/** An application whose records cannot be told apart: no part of type `id` of its own, or several. */
export class RecordIdError extends PartError {
  readonly candidates: readonly Part[];

  constructor(candidates: readonly Part[], message: string, description: string) {
    super(message, description);
    this.candidates = candidates;
  }
}

/** Several refusals of one item at once. */
export class PartValuesError extends PartError {
  readonly refusals: readonly PartError[];

  constructor(refusals: readonly PartError[]) {
    super(
      `${refusals.length} values cannot be written: ${refusals.map((refusal) => refusal.message).join('; ')}`,
      refusals.map((refusal) => `${refusal.message}. ${refusal.description}`).join('\n'),
    );
    this.refusals = refusals;
  }
}

/** `"Price" (ID 105)`: how a part is named to a person. */
export function namePart(part: Pick<Part, 'id' | 'name'>): string {
  return `"${part.name}" (ID ${part.id})`;
}

/** The refusal of a value, worded for the person who wrote it. */
export function refuse(part: Part, value: unknown, refusal: Refusal): PartValueError {
  const shown = describeValue(value);
  const guess = refusal.suggestion === undefined ? '' : `Did you mean "${refusal.suggestion}"? `;
  const advice = refusal.advice === undefined ? '' : ` ${refusal.advice}`;
  return new PartValueError(part, {
    message: `Part ${namePart(part)} does not accept ${shown}: ${refusal.reason}`,
    description: `${guess}Accepted is ${refusal.accepts}.${advice}`,
    value: shown,
    accepts: refusal.accepts,
    suggestion: refusal.suggestion,
  });
}

/** The same refusal, said of a row of a table part. `row` counts from 0. */
export function refuseInRow(table: Part, row: number, refusal: PartError): PartValueError {
  const inner = refusal instanceof PartValueError ? refusal : null;
  return new PartValueError(inner?.part ?? table, {
    message: `Table part ${namePart(table)}, row ${row + 1}: ${refusal.message}`,
    description: refusal.description,
    value: inner?.value ?? '',
    accepts: inner?.accepts ?? '',
    suggestion: inner?.suggestion ?? undefined,
  });
}

/** The refusal of a second value for a part, given under another of its keys. */
export function givenTwice(part: Part, key: string): PartValueError {
  return new PartValueError(part, {
    message: `Part ${namePart(part)} is given more than once, the last time as "${key}"`,
    description: 'Give each part one value.',
  });
}

/** The refusal that was caught; anything else is thrown on, it is a fault of ours. */
export function asRefusal(error: unknown): PartError {
  if (error instanceof PartError) return error;
  throw error;
}
