/** Exponents beyond this would blow up the text; no part holds such numbers. */
const MAX_EXPONENT = 400;
const EXACT_DIGITS = 15;
/** Most numbers, in the form in which JavaScript writes them. */
const PLAINEST = /^-?[1-9]\d*(?:\.\d*[1-9])?$/;
/** No group of thousands begins with 0: `0,123` may well be a decimal comma. */
const DECIMAL = /^([+-]?)(\d+|[1-9]\d{0,2}(?:,\d{3})+|(?=\.\d))(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

/** The plain decimal of a numeric text, with all its digits; `null` for others, as `1,2` and `0,123` are. */
export function plainDecimal(text: string): string | null {
  // Most numbers have this form. Reading many of them should be fast.
  if (text.length <= EXACT_DIGITS && PLAINEST.test(text)) return text;
  const match = DECIMAL.exec(text.trim());
  if (match === null) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const shift = Number(exponent);
  if (Math.abs(shift) > MAX_EXPONENT) return null;
  const digits = shiftPoint(whole.replaceAll(',', ''), fraction, shift);
  return sign === '-' ? `-${digits}` : digits;
}

function shiftPoint(whole: string, fraction: string, shift: number): string {
  if (shift === 0) return join(whole, fraction);
  const before = shift > 0 ? whole : whole.padStart(-shift, '0');
  const digits = `${before}${shift > 0 ? fraction.padEnd(shift, '0') : fraction}`;
  const point = before.length + shift;
  return join(withoutLeadingZeros(digits.slice(0, point)), digits.slice(point));
}

function join(whole: string, fraction: string): string {
  return fraction === '' ? whole || '0' : `${whole || '0'}.${fraction}`;
}

function withoutLeadingZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '');
}

/** Not a pattern: `0+$` looks at each run of zeros anew for each of its zeros. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

/** The shortest text of a number: `01.50` is `1.5`, and `-0` is `0`. Other texts are unchanged. */
export function canonicalDecimal(text: string): string {
  if (text.length <= EXACT_DIGITS && PLAINEST.test(text)) return text;
  const decimal = plainDecimal(text);
  if (decimal === null) return text;
  const [whole = '', fraction = ''] = decimal.replace('-', '').split('.');
  const digits = join(withoutLeadingZeros(whole), withoutTrailingZeros(fraction));
  return decimal.startsWith('-') && digits !== '0' ? `-${digits}` : digits;
}

/** Orders two plain decimals by their value, however many digits they have. */
export function compareDecimals(left: string, right: string): number {
  const [less, more] = [Number(left), Number(right)];
  // Rounding keeps the order, so only numbers that become equal need a closer look.
  if (less !== more) return less < more ? -1 : 1;
  const [one, other] = [canonicalDecimal(left), canonicalDecimal(right)];
  if (one === other) return 0;
  const decimals = Math.max(...[one, other].map((each) => each.split('.')[1]?.length ?? 0));
  return scaled(one, decimals) < scaled(other, decimals) ? -1 : 1;
}

function scaled(decimal: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = decimal.split('.');
  return BigInt(`${whole}${fraction.padEnd(decimals, '0')}`);
}

/** Whether JavaScript may have rounded a number: many whole numbers have this value. */
export function isRounded(value: unknown): boolean {
  return Number.isFinite(value) && Math.abs(value as number) > Number.MAX_SAFE_INTEGER;
}

/** The number in a text of the service; `null` if it is none, or none that JavaScript can represent exactly. */
export function exactNumber(text: string): number | null {
  if (text.length <= EXACT_DIGITS && PLAINEST.test(text)) return Number(text);
  const decimal = plainDecimal(text);
  if (decimal === null) return null;
  const number = Number(decimal);
  if (!Number.isFinite(number) || isRounded(number)) return null;
  if (canonicalDecimal(String(number)) !== canonicalDecimal(decimal)) return null;
  return number === 0 ? 0 : number;
}

/** A whole number from a text or number of the service, such as a size or a revision; `null` for anything else. */
export function readInteger(value: unknown): number | null {
  const number = typeof value === 'string' ? exactNumber(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}
