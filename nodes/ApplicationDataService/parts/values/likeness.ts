import { canonicalDecimal, plainDecimal } from './decimal';

/** Characters that are not seen: soft hyphen, zero-width spaces and joiners, byte order mark. */
const UNSEEN = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;

/**
 * One text for texts that a person takes for the same: full-width or half-width (NFKC), in upper or lower case, with other
 * spaces, or another form of the same number, e.g. `007`, `7` and `７.0`.
 */
export function likeness(text: string): string {
  const plain = text.normalize('NFKC').replace(UNSEEN, '').trim().replace(/\s+/g, ' ');
  const decimal = plainDecimal(plain.replaceAll(' ', ''));
  if (decimal !== null) return canonicalDecimal(decimal);
  // By way of upper case, which makes one of letters that have several lower ones; capital sharp s has to become a small one first.
  return plain.toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}
