/** Services that cut their lists below what was asked for do so at such a length, or at a multiple of it. */
const USUAL_LIMIT = 50;

/**
 * Whether a list of this length may have been cut: 100, 250 or 1024 items look like a limit that somebody has set, 42 or
 * 117 like all there are.
 */
export function looksLikeLimit(length: number): boolean {
  if (length < USUAL_LIMIT) return false;
  return length % USUAL_LIMIT === 0 || Number.isInteger(Math.log2(length));
}
