/** Counts by name. */
export type Counts = Readonly<Record<string, number>>;

export function count(counts: Record<string, number>, name: string, by = 1): void {
  counts[name] = (counts[name] ?? 0) + by;
}
