import { jsonList, splitText } from '../parts/lists';
import { PartLookupError } from '../parts/errors';
import { findPart, lookUpPart } from '../parts/lookup';
import type { Part } from '../parts/part';
import { readText } from '../parts/wire';

const SEPARATORS = /[,\t\r\n]+/;

/**
 * The parts that a saved choice names, each once: a list of IDs, names or identifiers, or what an expression gives in
 * its place, JSON text of a list or texts between commas. None for an empty choice.
 * @throws PartLookupError for a text that names no part, or two.
 */
export function chosenParts(parts: readonly Part[], choice: unknown): readonly Part[] {
  const texts = Array.isArray(choice) ? choice.map(readText) : [readText(choice)];
  return [...new Set(texts.flatMap((text) => partsOf(parts, text.trim())))];
}

function partsOf(parts: readonly Part[], text: string): Part[] {
  if (text === '') return [];
  // A comma may belong to a name: the text as a whole comes first.
  const whole = lookUpPart(parts, text);
  if (!(whole instanceof PartLookupError)) return [whole];
  const pieces = jsonList(text)?.map(readText) ?? splitText(text, SEPARATORS);
  if (whole.matches.length > 0 || pieces.length < 2) throw whole;
  return pieces.map((piece) => findPart(parts, piece));
}
