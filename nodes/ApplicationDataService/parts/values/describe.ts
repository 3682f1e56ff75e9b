const MAX_SHOWN = 60;
export const MAX_LISTED = 10;

/** A value as an error shows it: JSON if it has one, on one line, shortened. Never throws. */
export function describeValue(value: unknown): string {
  return shorten(asText(value), MAX_SHOWN);
}

/** Several values as an error shows them: `"red", "blue"`, the first ten of them. */
export function describeValues(values: readonly unknown[]): string {
  const shown = values.slice(0, MAX_LISTED).map(describeValue);
  return values.length === 1 ? shown.join() : listed(shown, values.length);
}

function asText(value: unknown): string {
  if (typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'number')
    return String(value);
  try {
    // Of a long text only the beginning is shown, so only that is written as JSON.
    return JSON.stringify(typeof value === 'string' ? value.slice(0, MAX_SHOWN * 2) : value) ?? typeof value;
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
export function describeList(items: readonly string[], shown = MAX_LISTED): string {
  return listed(items.slice(0, shown), items.length);
}

function listed(shown: readonly string[], count: number): string {
  const list = shown.map((item) => shorten(item, 40)).join(', ');
  return count <= shown.length ? list : `${list}, … (${count - shown.length} more)`;
}

/** What a part holds in place of what was looked for: `Its rows are: 1, 2.` */
export function describeExisting(what: 'rows' | 'files', items: readonly string[]): string {
  return items.length === 0 ? `It has no ${what}.` : `Its ${what} are: ${describeList(items)}.`;
}

/** A number and what it counts: "1 record", "3 records". With a verb, pass both forms. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
