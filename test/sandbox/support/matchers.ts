/* Jest's asymmetric matchers are typed `any`; these are not. */

export const containing = (text: string): unknown => expect.stringContaining(text);
export const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
export const anyNumber = (): unknown => expect.any(Number);
export const anyText = (): unknown => expect.any(String);
