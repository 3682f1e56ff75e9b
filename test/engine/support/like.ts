// What is expected of a value within an object that is compared.

/** A text that contains these words, or matches. */
export const like = (words: string | RegExp): string =>
  (typeof words === 'string' ? expect.stringContaining(words) : expect.stringMatching(words)) as string;
export const anyText = expect.any(String) as string;
/** An object with these keys, and others. */
export const some = (keys: object): unknown => expect.objectContaining(keys);
