/** Exponents beyond this would blow up the text; no part holds such numbers. */
const LARGEST_EXPONENT = 400;

/** Most whole numbers, in the form in which they are written back. */
const DIGITS = /^(?:0|[1-9]\d*)$/;

const DECIMAL = /^([+-]?)(\d+|\d{1,3}(?:,\d{3})+|(?=\.\d))(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

/**
 * The plain decimal text of a numeric text: no separators, no `+`, no exponent; its digits are kept. `null` for a
 * text that is not a number. `1,200` is one thousand two hundred, `1,2` is not a number.
 */
export function plainDecimal(text: string): string | null {
  if (DIGITS.test(text)) return text;
  const match = DECIMAL.exec(text.trim());
  if (match === null) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const shift = Number(exponent);
  if (Math.abs(shift) > LARGEST_EXPONENT) return null;
  const digits = shiftPoint(whole.replaceAll(',', ''), fraction, shift);
  return sign === '-' ? `-${digits}` : digits;
}

function shiftPoint(whole: string, fraction: string, shift: number): string {
  if (shift > 0) {
    const padded = fraction.padEnd(shift, '0');
    return join(`${whole}${padded.slice(0, shift)}`, padded.slice(shift), true);
  }
  if (shift < 0) {
    const padded = whole.padStart(-shift, '0');
    return join(padded.slice(0, shift), `${padded.slice(shift)}${fraction}`, true);
  }
  return join(whole, fraction, false);
}

function join(whole: string, fraction: string, strip: boolean): string {
  const digits = (strip ? whole.replace(/^0+(?=\d)/, '') : whole) || '0';
  return fraction === '' ? digits : `${digits}.${fraction}`;
}

/**
 * The same text for the same number: `01.50` and `1.5` are the same, and so are `-0` and `0`. Other texts are
 * unchanged.
 */
export function canonicalDecimal(text: string): string {
  const decimal = plainDecimal(text);
  return decimal === null ? text : canonical(decimal);
}

function canonical(decimal: string): string {
  const [whole = '', fraction = ''] = decimal.replace('-', '').split('.');
  const digits = join(whole, fraction.replace(/0+$/, ''), true);
  return decimal.startsWith('-') && digits !== '0' ? `-${digits}` : digits;
}

/** Orders two plain decimals by their value, however many digits they have. */
export function compareDecimals(left: string, right: string): number {
  const [less, more] = [Number(left), Number(right)];
  // Rounding keeps the order, so only numbers that become equal need a closer look.
  if (less !== more) return less < more ? -1 : 1;
  const [one, other] = [canonical(left), canonical(right)];
  if (one === other) return 0;
  const decimals = Math.max(decimalsOf(one), decimalsOf(other));
  return scaled(one, decimals) < scaled(other, decimals) ? -1 : 1;
}

function decimalsOf(decimal: string): number {
  return decimal.split('.')[1]?.length ?? 0;
}

function scaled(decimal: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = decimal.split('.');
  return BigInt(`${whole}${fraction.padEnd(decimals, '0')}`);
}

const EXACT_DIGITS = 15;

/** Most numbers, in the form in which JavaScript writes them. */
const PLAINEST = /^-?[1-9]\d*(?:\.\d*[1-9])?$/;

/** Whether JavaScript may have rounded a number: many whole numbers have this value. */
export function isRounded(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

/**
 * The number in a text of the service, with or without thousands separators; `null` if it is not a number,
 * or one that JavaScript cannot represent exactly.
 */
export function exactNumber(text: string): number | null {
  // Most numbers have this form. Reading many of them should be fast.
  if (text.length <= EXACT_DIGITS && PLAINEST.test(text)) return Number(text);
  const decimal = plainDecimal(text);
  if (decimal === null) return null;
  const number = Number(decimal);
  if (isRounded(number)) return null;
  const back = plainDecimal(String(number));
  if (back === null || canonical(back) !== canonical(decimal)) return null;
  return number === 0 ? 0 : number;
}

/** A whole number from a text or number of the service, such as a size or a revision; `null` for anything else. */
export function readInteger(value: unknown): number | null {
  const number = typeof value === 'string' ? exactNumber(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}
