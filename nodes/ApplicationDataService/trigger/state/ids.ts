/** More digits do not fit a number exactly. */
const MAX_DIGITS = 15;

/** The number that an ID is; -1 for any other text. */
export function idNumber(id: string): number {
  const { length } = id;
  if (length === 0 || length > MAX_DIGITS) return -1;
  let value = 0;
  for (let index = 0; index < length; index++) {
    const digit = id.charCodeAt(index) - 48;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return length > 1 && id.charCodeAt(0) === 48 ? -1 : value;
}

export function compareIds(one: string, other: string): number {
  return idNumber(one) - idNumber(other);
}
