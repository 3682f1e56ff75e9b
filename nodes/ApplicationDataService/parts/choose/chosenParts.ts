import { UserError } from '../../util/userError';
import { namePart } from '../model/errors';
import { findPart, lookUpPart, partsCalled } from '../model/lookup';
import { assertReadable } from '../model/obstacle';
import type { KeyMode, Part } from '../model/part';
import { describeList } from '../values/describe';
import { jsonList, splitText } from '../values/lists';
import { readText } from '../values/shapes';

/**
 * The parts that a saved choice names, each once. It is a list of IDs, names or identifiers, or, from an expression,
 * JSON text of a list or comma-separated texts. Empty for an empty choice.
 * @param keyMode if known, a part that the service cannot return, or tell from another one, is refused.
 * @throws PartLookupError for a text that names no part, or two; UserError for a part without a key of its own.
 */
export function chosenParts(
  parts: readonly Part[],
  choice: unknown,
  keyMode: KeyMode | null = null,
): readonly Part[] {
  if (choice === undefined || (Array.isArray(choice) && choice.length === 0)) return [];
  const texts = Array.isArray(choice) ? choice.map(readText) : [readText(choice)];
  const chosen = [...new Set(texts.flatMap((text) => partsOf(parts, text)))];
  if (keyMode !== null) chosen.forEach((part) => assertReadable(part, parts, keyMode));
  return chosen;
}

function partsOf(parts: readonly Part[], text: string): readonly Part[] {
  if (text.trim() === '') return [];
  // A name may contain a comma, so the whole text is tried first.
  const whole = lookUpPart(parts, text);
  if (whole !== null) return [whole];
  const isAmbiguous = partsCalled(parts, text.trim()).length > 1;
  const pieces = isAmbiguous ? [text] : (jsonList(text)?.map(readText) ?? splitText(text, /[,\t\r\n]+/));
  return pieces.map((piece) => findPart(parts, piece));
}

/**
 * The table part that a text names as its ID, name or identifier.
 * @throws UserError for a part of another type; PartLookupError for a text that names no part, or two.
 */
export function findTablePart(parts: readonly Part[], text: string): Part {
  const part = findPart(parts, text);
  if (part.codec.content === 'rows') return part;
  const tables = parts.filter((each) => each.codec.content === 'rows').map(({ name }) => `"${name}"`);
  throw new UserError(
    part.codec.content === 'references'
      ? `Part ${namePart(part)} is a reference list: its rows are records of another application`
      : `Part ${namePart(part)} is not a table part`,
    tables.length === 0
      ? 'The application has no table parts.'
      : `The table parts are: ${describeList(tables)}.`,
  );
}
