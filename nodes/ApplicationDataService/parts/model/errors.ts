import { UserError } from '../../util/userError';
import { isRounded } from '../values/decimal';
import { describeValue, MAX_LISTED, shorten } from '../values/describe';
import { isWellFormed } from '../values/shapes';
import type { Part } from './part';

/** A text that names no part, or more than one. */
export class PartLookupError extends UserError {
  /** @param choices what several of them have in common */
  constructor(
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

/** A refusal, and what it is about: the name of a part, or a key that names none. */
export interface Refused {
  readonly refusal: UserError & Partial<Pick<PartLookupError, 'advice' | 'choices'>>;
  readonly subject: string;
}

/**
 * Several refusals of one item at once. The first line of the message says what they are about, the others list them;
 * the description says only what to do about each, and at the end what holds for several.
 */
class PartValuesError extends UserError {
  constructor(readonly refused: readonly Refused[]) {
    const listed = refused.slice(0, MAX_LISTED);
    const names = listed.map(({ subject }) => `"${shorten(subject, 60)}"`);
    const [count, more] =
      refused.length > listed.length ? [`More than ${MAX_LISTED}`, ', …'] : [refused.length, ''];
    const advice = listed.map(({ refusal: { description, advice: own = description } }, index) =>
      own === '' ? '' : `${names[index]}: ${own}`,
    );
    const choices = new Set(listed.map(({ refusal }) => refusal.choices ?? ''));
    super(
      [
        `${count} values cannot be written: ${names.join(', ')}${more}`,
        ...listed.map(({ refusal }) => `- ${refusal.message}`),
      ].join('\n'),
      [...advice, ...choices].filter((line) => line !== '').join('\n'),
    );
  }
}

/** Several refusals as one; `undefined` for none. */
export function oneRefusal(refused: readonly Refused[]): UserError | undefined {
  return refused.length < 2 ? refused[0]?.refusal : new PartValuesError(refused);
}

/** Whether a refusal is, among others, about a name in place of an ID. */
export function isNameGiven(error: unknown): boolean {
  if (error instanceof PartValuesError) return error.refused.some(({ refusal }) => isNameGiven(refusal));
  return error instanceof NameGivenError;
}

/** `"Price" (ID 105)`: the name of a part in messages. */
export function namePart(part: Pick<Part, 'id' | 'name'>): string {
  return `"${part.name}" (ID ${part.id})`;
}

/** What a refusal says besides the reason. */
interface RefusalDetails {
  /** What would be accepted, if that is not what the part's type accepts. */
  readonly accepts?: string;
  readonly suggestion?: string | undefined;
  readonly advice?: string | undefined;
  /** The refused value in the words of the message, if they are not its JSON. */
  readonly shown?: string;
}

/**
 * The refusal of a value, worded for the person who wrote it. Nothing was sent.
 * @param reason e.g. "it is not a number"
 */
export function refuse(
  part: Part,
  value: unknown,
  reason: string,
  { accepts = part.codec.accepts, suggestion, advice, shown = describeValue(value) }: RefusalDetails = {},
): UserError {
  const guess = suggestion === undefined ? '' : `Did you mean "${shorten(suggestion, 120)}"? `;
  const error = new UserError(
    `Part ${namePart(part)} does not accept ${shown}: ${reason}`,
    `${guess}Accepted: ${accepts}.${advice === undefined ? '' : ` ${advice}`}`,
  );
  return Object.assign(error, { part: part.name });
}

/**
 * Refuses what lost something before it came here, also within a list or an object: a number that JavaScript has
 * rounded, a text that ends in half a character. Something else was meant.
 * @throws UserError
 */
export function assertWhole(part: Part, value: unknown): void {
  const broken = brokenIn(value);
  if (broken === undefined) return;
  throw typeof broken === 'number'
    ? refuse(
        part,
        broken,
        'it has more digits than a number in n8n can hold, so the last ones may be wrong',
        {
          accepts: 'such a number as text, in quotation marks from where it first appears',
        },
      )
    : refuse(part, broken, 'it holds half a character, as a text does that was cut by length', {
        accepts: 'whole characters, e.g. cut with Array.from(text).slice(0, 10).join("")',
      });
}

function brokenIn(value: unknown, depth = 4): unknown {
  if (typeof value === 'string') return isWellFormed(value) ? undefined : value;
  if (typeof value !== 'object' || value === null || depth === 0) return isRounded(value) ? value : undefined;
  for (const each of Object.values(value)) {
    const broken = brokenIn(each, depth - 1);
    if (broken !== undefined) return broken;
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
    `Part ${namePart(part)} has more than one value, the last one under "${shorten(key, 60)}"`,
    'Enter one value per part.',
  );
}
