/** Pages by their places in the list after a page by id was wrong: then ids are tried again, which costs one request. */
const PAGES_BEFORE_AGAIN = 1000;

/** What this process has seen of pages that are asked for by the id with which they begin. */
export class PagesById {
  /** One was right. */
  isProved = false;
  private rest = 0;

  get isTried(): boolean {
    return this.rest === 0;
  }

  /** The service does something else with such a condition, or is too slow with it. */
  doubt(): void {
    this.isProved = false;
    this.rest = PAGES_BEFORE_AGAIN;
  }

  /** A page was asked for by its place. */
  passed(): void {
    if (this.rest > 0) this.rest -= 1;
  }
}
