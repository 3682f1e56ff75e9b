export function say(text: string): void;
export function withProgress<T>(
  title: string,
  work: Promise<T>,
  about?: { readonly detail?: () => string; readonly then?: string },
): Promise<T>;
