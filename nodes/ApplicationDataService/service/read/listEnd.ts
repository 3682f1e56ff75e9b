import { ServiceError } from '../http/errors';
import type { PageSource } from './pagesAhead';

/** Knows whether a page shorter than asked for ends the list. */
export class ListEnd<T> {
  /** Records may have been jumped over: only a count can tell that none is missing. */
  isUncertain = false;

  /** The list as it was counted last. */
  private counted = 0;

  constructor(private readonly source: PageSource<T>) {}

  async isReached(length: number, given: number): Promise<boolean> {
    if (this.source.count === undefined) return true;
    if (length > 0 && given < this.counted) return false;
    // A list without any record is how a service says several things: only a count confirms it.
    if (length === 0 && given > 0 && !this.isUncertain) return true;
    const count = await this.source.count();
    this.counted = count ?? 0;
    if (count === given || (count === null && length === 0 && !this.isUncertain)) return true;
    if (length > 0) return false;
    throw new ServiceError(
      'badAnswer',
      'The service does not list the same records each time, so it is not known whether all were read',
      'Nothing was written. Run the workflow again when nobody works in the application.',
    );
  }
}
