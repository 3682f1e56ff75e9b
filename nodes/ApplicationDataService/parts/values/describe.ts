const LONGEST_VALUE = 60;

/** A value as an error shows it: JSON if it has one, on one line, shortened. Never throws. */
export function describeValue(value: unknown): string {
  return shorten(asText(value), LONGEST_VALUE);
}

/** Several values as an error shows them: `"red", "blue"`, the first ten of them. */
export function describeValues(values: readonly unknown[]): string {
  const [first, ...others] = values.map(describeValue);
  return others.length === 0 ? (first ?? '') : describeList([first ?? '', ...others]);
}

function asText(value: unknown): string {
  if (typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'number')
    return String(value);
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    // Cyclic structures, nested bigints, objects whose toJSON fails: only their kind can be named.
    return Array.isArray(value) ? 'an array' : 'an object';
  }
}

/** At most `length` characters; surrogate pairs stay whole. */
export function shorten(text: string, length: number): string {
  const characters = Array.from(text.slice(0, (length + 1) * 2));
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}

/** `red, green, blue, … (7 more)` */
export function describeList(items: readonly string[], shown = 10): string {
  const listed = items
    .slice(0, shown)
    .map((item) => shorten(item, 40))
    .join(', ');
  return items.length <= shown ? listed : `${listed}, … (${items.length - shown} more)`;
}

/** What a part holds in place of what was looked for: `Its rows are: 1, 2.` */
export function describeExisting(what: 'rows' | 'files', items: readonly string[]): string {
  return items.length === 0 ? `It has no ${what}.` : `Its ${what} are: ${describeList(items)}.`;
}
