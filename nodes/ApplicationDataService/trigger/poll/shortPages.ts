/** Services that cut their lists below what was asked for do so at such a length, or at a multiple of it. */
const USUAL_LIMIT = 50;

/** Where a list ends in a page that may have been cut, it is asked for more of it once in so many times. */
const ASK_EVERY = 10;

/**
 * What this process has seen of pages that are shorter than requested. They end a list, unless the service returns fewer
 * records at once than it says (interface.md, "Limits"): then more of them follow.
 */
export class ShortPages {
  /** Pages of this length were followed by more. */
  private most = Infinity;
  private before: number | null = null;
  /** The length of the longest page, and how many pages of this length came after the first one. */
  private longest = 0;
  private again = 0;

  /** Whether a page may be the last one of a list. */
  mayEnd(length: number, limit: number): boolean {
    return length < Math.min(limit, this.most);
  }

  /**
   * Whether a page that may be the last one has to prove it, by what follows: a list that grows past a limit of the service
   * looks the same as before.
   */
  mustProve(length: number): boolean {
    return length === this.longest && this.again % ASK_EVERY === 0 && looksLikeLimit(length);
  }

  /** A page of a list was read. @param brought whether it continued the one before with records of its own. */
  came(length: number, limit: number, brought: boolean): void {
    // A longer page refutes what was taken for a limit: a record was added between two pages.
    if (length > this.most) this.most = Infinity;
    else if (brought && this.before !== null) this.most = this.before;
    if (length === this.longest) this.again += 1;
    else if (length > this.longest) [this.longest, this.again] = [length, 0];
    this.before = length < limit && length > 0 ? length : null;
  }

  /** Another list begins. */
  begin(): void {
    this.before = null;
  }
}

/**
 * Whether a list of this length may have been cut: 100, 250 or 1024 items look like a limit that somebody has set, 42 or
 * 117 like all there are.
 */
function looksLikeLimit(length: number): boolean {
  if (length < USUAL_LIMIT) return false;
  return length % USUAL_LIMIT === 0 || Number.isInteger(Math.log2(length));
}
