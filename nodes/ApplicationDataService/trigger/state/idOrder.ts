/** Longer ids may not fit a number exactly; they are kept as texts. */
const MOST_DIGITS = 15;

/** The number that an ID consists of; -1 for any other text. */
export function idNumber(id: string): number {
  const { length } = id;
  if (length === 0 || length > MOST_DIGITS) return -1;
  let value = 0;
  for (let index = 0; index < length; index++) {
    const digit = id.charCodeAt(index) - 48;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return length > 1 && id.charCodeAt(0) === 48 ? -1 : value;
}

/** Order of ids: numbers by their value, other texts after them. */
export function compareIds(one: string, other: string): number {
  const [a, b] = [idNumber(one), idNumber(other)];
  if (a >= 0 && b >= 0) return a - b;
  if (a >= 0 || b >= 0) return a >= 0 ? -1 : 1;
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
