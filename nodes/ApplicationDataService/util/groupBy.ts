export type NonEmpty<T> = readonly [T, ...T[]];

/** Elements with the same key together: groups in the order of their first element, elements in their own order. */
export function groupBy<T>(elements: readonly T[], keyOf: (element: T) => string): NonEmpty<T>[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const element of elements) {
    const key = keyOf(element);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [element]);
    else group.push(element);
  }
  return [...groups.values()];
}
