import { refusedAt, UserError } from '../../util/userError';
import { isRounded } from '../values/decimal';
import { describeList, describeValue, MAX_LISTED, shorten } from '../values/describe';
import { isWellFormed } from '../values/shapes';
import type { Part } from './part';

/** A person or group of a part is not given by ID, and names are not looked up yet. */
export class NameGivenError extends UserError {
  constructor(
    message: string,
    description: string,
    override readonly part?: string,
  ) {
    super(message, description);
  }

  override reworded(message: string, description: string = this.description): NameGivenError {
    return new NameGivenError(message, description, this.part);
  }
}

/** All that was refused of an item, in one error, to be put right in one go. @throws UserError, or NameGivenError */
export function assertNoneRefused(refused: readonly UserError[]): void {
  const [first, ...others] = refused;
  if (first === undefined) return;
  if (others.length === 0) throw first;
  const listed = refused.slice(0, MAX_LISTED);
  const more = refused.length > listed.length ? ['- …'] : [];
  const names = [...new Set(refused.flatMap(({ part }) => (part === undefined ? [] : [`"${part}"`])))];
  const Kind = refused.some((error) => error instanceof NameGivenError) ? NameGivenError : UserError;
  throw new Kind(
    [
      `Several values cannot be written${names.length === 0 ? '' : `: ${describeList(names)}`}`,
      ...listed.map(({ message }) => `- ${message}`),
      ...more,
    ].join('\n'),
    listed
      .map(({ part, description }) => (part === undefined ? description : `"${part}": ${description}`))
      .join('\n'),
  );
}

/** `"Price" (ID 105)`: the name of a part in messages. */
export function namePart(part: Pick<Part, 'id' | 'name'>): string {
  return `"${part.name}" (ID ${part.id})`;
}

/** The type of a part as the editor names it; of one that is not known here, its code. */
export function typeLabel({ codec, type }: Pick<Part, 'codec' | 'type'>): string {
  return codec.label ?? `"${type}"`;
}

/** The refusal of a value. @param reason e.g. "it is not a number" @param details `shown`: the value in other words */
export function refuse(
  part: Part,
  value: unknown,
  reason: string,
  details: {
    accepts?: string;
    suggestion?: string | undefined;
    advice?: string | undefined;
    shown?: string;
  } = {},
): UserError {
  const { accepts = part.codec.accepts, suggestion, advice, shown = describeValue(value) } = details;
  const guess = suggestion === undefined ? '' : `Did you mean "${shorten(suggestion, 120)}"? `;
  return aboutPart(
    part,
    `does not accept ${shown}: ${reason}`,
    `${guess}Accepted: ${accepts}.${advice === undefined ? '' : ` ${advice}`}`,
  );
}

/** @param what follows the name of the part */
export function aboutPart(part: Part, what: string, description: string): UserError {
  const error = new UserError(`Part ${namePart(part)} ${what}`, description);
  return Object.assign(error, { part: part.name });
}

/** Refuses what lost something on its way, also within a list: a rounded number, half a character. @throws UserError */
export function assertWhole(part: Part, value: unknown): void {
  const broken = brokenIn(value);
  if (broken === undefined) return;
  const [reason, accepts] =
    typeof broken === 'number'
      ? [
          'it has more digits than a number in n8n can hold, so the last ones may be wrong',
          'such a number as text, in quotation marks from where it first appears',
        ]
      : [
          'it holds half a character, as a text does that was cut by length',
          'whole characters, e.g. cut with Array.from(text).slice(0, 10).join("")',
        ];
  throw refuse(part, broken, reason, { accepts });
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

/** Does what may be refused for a row of a table part, which a refusal then names. `row` is 0-based. */
export function inRow<T>(table: Part, row: number, act: () => T): T {
  return refusedAt(`Table part ${namePart(table)}, row ${row + 1}`, act, table.name);
}

export function givenTwice(part: Part, key: string): UserError {
  const what = `has more than one value, the last one under "${shorten(key, 60)}"`;
  return aboutPart(part, what, 'Enter one value per part.');
}
