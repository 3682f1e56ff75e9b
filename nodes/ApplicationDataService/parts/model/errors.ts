import { UserError } from '../../util/userError';
import { isRounded } from '../values/decimal';
import { describeValue } from '../values/describe';
import type { Part } from './part';

/** Why a value is refused, and what would be accepted. */
export interface Refusal {
  /** Follows "does not accept <value>: ", e.g. "it is not a number". */
  readonly reason: string;
  readonly accepts: string;
  readonly suggestion?: string | undefined;
  readonly advice?: string | undefined;
  /** The refused value in the words of the message, if they are not its JSON. */
  readonly shown?: string;
}

/** A text that names no part, or more than one. */
export class PartLookupError extends UserError {
  constructor(
    readonly text: string,
    /** The parts that it matches: none, or several. */
    readonly matches: readonly Part[],
    message: string,
    readonly advice: string,
    readonly choices = '',
  ) {
    super(message, `${advice} ${choices}`.trim());
  }
}

/** A person or group that is not named by ID, although names are not known. */
export class NameGivenError extends UserError {
  override reworded(message: string, description: string = this.description): NameGivenError {
    return new NameGivenError(message, description);
  }
}

/**
 * Several refusals of one item at once. The first line of the message says what they are about, the others list them;
 * the description says only what to do about each.
 */
export class PartValuesError extends UserError {
  /** @param subjects what each refusal is about: the name of a part, or a key that names none. */
  constructor(
    readonly refusals: readonly UserError[],
    readonly subjects: readonly string[],
  ) {
    super(
      `${refusals.length} values cannot be written: ${subjects.map((subject) => `"${subject}"`).join(', ')}${refusals.map((refusal) => `\n- ${refusal.message}`).join('')}`,
      adviceOn(refusals, subjects),
    );
  }
}

/** A line for each refusal that says what to do; what holds for several of them comes once, at the end. */
function adviceOn(refusals: readonly UserError[], subjects: readonly string[]): string {
  const lines = refusals.map((refusal, index) => {
    const advice = refusal instanceof PartLookupError ? refusal.advice : refusal.description;
    return advice === '' ? '' : `"${subjects[index] ?? ''}": ${advice}`;
  });
  const choices = refusals.map((refusal) => (refusal instanceof PartLookupError ? refusal.choices : ''));
  return [...lines, ...new Set(choices)].filter((line) => line !== '').join('\n');
}

/** Whether a refusal is, among others, about a name in place of an ID. */
export function isNameGiven(error: unknown): boolean {
  if (error instanceof PartValuesError) return error.refusals.some(isNameGiven);
  return error instanceof NameGivenError;
}

/** `"Price" (ID 105)`: the name of a part in messages. */
export function namePart(part: Pick<Part, 'id' | 'name'>): string {
  return `"${part.name}" (ID ${part.id})`;
}

/** The refusal of a value, worded for the person who wrote it. Nothing was sent. */
export function refuse(part: Part, value: unknown, refusal: Refusal): UserError {
  const guess = refusal.suggestion === undefined ? '' : `Did you mean "${refusal.suggestion}"? `;
  const advice = refusal.advice === undefined ? '' : ` ${refusal.advice}`;
  const error = new UserError(
    `Part ${namePart(part)} does not accept ${refusal.shown ?? describeValue(value)}: ${refusal.reason}`,
    `${guess}${acceptedIn(refusal.accepts)}.${advice}`,
  );
  return Object.assign(error, { part: part.name });
}

function acceptedIn(accepts: string): string {
  const choices = accepts.replace(/^(one|any) of: /, '');
  return choices === accepts ? `Accepted: ${accepts}` : `Allowed values: ${choices}`;
}

/**
 * Refuses a number that JavaScript has already rounded, also within a list or an object: other digits were meant.
 * @throws UserError
 */
export function assertNotRounded(part: Part, value: unknown): void {
  const rounded = roundedIn(value);
  if (rounded === undefined) return;
  throw refuse(part, rounded, {
    reason: 'it has more digits than a number in n8n can hold, so the last ones may be wrong',
    accepts: 'such a number as text, in quotation marks from where it first appears',
  });
}

function roundedIn(value: unknown, depth = 4): unknown {
  if (typeof value !== 'object' || value === null || depth === 0) return isRounded(value) ? value : undefined;
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return undefined;
  for (const each of Object.values(value)) {
    const rounded = roundedIn(each, depth - 1);
    if (rounded !== undefined) return rounded;
  }
  return undefined;
}

/** The same refusal with the row of the table part. `row` is 0-based. */
export function refuseInRow(table: Part, row: number, refusal: UserError): UserError {
  return refusal.reworded(`Table part ${namePart(table)}, row ${row + 1}: ${refusal.message}`);
}

/** The refusal of a second value for a part, given under another of its keys. */
export function givenTwice(part: Part, key: string): UserError {
  return new UserError(
    `Part ${namePart(part)} has more than one value, the last one under "${key}"`,
    'Enter one value per part.',
  );
}
