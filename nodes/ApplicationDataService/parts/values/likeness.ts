import { canonicalDecimal, plainDecimal } from './decimal';

/** Invisible characters: soft hyphen, zero-width spaces and joiners, byte order mark. */
const UNSEEN = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;

/**
 * The same text for texts that look the same to a person: full-width or half-width (NFKC), in upper or lower case, with
 * different spaces, or another form of the same number, e.g. `007`, `7` and `７.0`.
 */
export function likeness(text: string): string {
  const spaced = text.normalize('NFKC').replace(UNSEEN, '').trim().replace(/\s+/g, ' ');
  const decimal = plainDecimal(spaced.replaceAll(' ', ''));
  if (decimal !== null) return canonicalDecimal(decimal);
  // Via upper case, which unifies letters with several lower-case forms; before it, a capital sharp s becomes small.
  return spaced.toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}
