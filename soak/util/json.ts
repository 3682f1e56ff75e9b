/**
 * A text that an output item holds.
 * @throws Error if it holds none: then the output is not what it is said to be.
 */
export function textIn(json: Readonly<Record<string, unknown>>, key: string): string {
  const value = json[key];
  if (typeof value === 'string') return value;
  throw new Error(`An output item has no text "${key}": ${JSON.stringify(json)}`);
}
