/**
 * What this process has seen of pages that are shorter than requested. They end a list, unless the service returns fewer
 * records at once than it says (interface.md, "Limits"): then more of them follow.
 */
export class ShortPages {
  /** Pages of this length were followed by more. */
  private most = Infinity;
  private before: number | null = null;

  /** Whether a page may be the last one of a list. */
  mayEnd(length: number, limit: number): boolean {
    return length < Math.min(limit, this.most);
  }

  /** A page of a list was read. @param brought whether it continued the one before with records of its own. */
  came(length: number, limit: number, brought: boolean): void {
    if (brought && this.before !== null) this.most = this.before;
    this.before = length < limit && length > 0 ? length : null;
  }

  /** Another list begins. */
  begin(): void {
    this.before = null;
  }
}
