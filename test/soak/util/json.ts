/**
 * The text in a field of an output item.
 * @throws Error if there is none: then the output is not as documented.
 */
export function textIn(json: Readonly<Record<string, unknown>>, key: string): string {
  const value = json[key];
  if (typeof value === 'string') return value;
  throw new Error(`An output item has no text "${key}": ${JSON.stringify(json)}`);
}
