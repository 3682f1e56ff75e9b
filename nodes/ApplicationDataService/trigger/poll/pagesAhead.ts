import { settle } from '../../util/concurrently';
import type { ReadContext } from './context';
import { meter, wasTooLong } from './readPage';
import type { Head } from './recordSource';
import type { Budget } from './settings';

/** Pages on their way while one is worked on: the service prepares one while another is parsed. */
const MOST = 2;

/** Heads, and how many were asked for. */
export interface Page {
  readonly page: Head[];
  readonly limit: number;
}

/** A page that was asked for before it is wanted. */
interface Ahead {
  readonly offset: number;
  readonly limit: number;
  readonly withinMs: number;
  readonly heads: Promise<Head[]>;
}

/** Pages that are asked for before they are wanted. */
export class PagesAhead {
  private pages: Ahead[] = [];

  constructor(
    private readonly budget: Budget,
    private readonly context: ReadContext,
  ) {}

  /** Asks for the pages from an offset on, only as far as records are expected, and as there is time for it. */
  ask(from: number, limit: number, step: number): void {
    const { state, source, memory, budget } = this.context;
    for (let offset = from; this.pages.length < MOST; offset += step) {
      if (this.pages.some((each) => each.offset === offset)) continue;
      if (state.baseline === null && offset > state.records.presentSize) return;
      if (!memory.heads.fits(this.budget.left() / (this.pages.length + 1))) return;
      const withinMs = Math.max(1, budget.left() / 2);
      const heads = source.heads({ offset, limit, withinMs });
      // A failure is judged when the page is wanted, not before.
      heads.catch(() => undefined);
      this.pages.push({ offset, limit, withinMs, heads });
    }
  }

  /**
   * The page at an offset; `null` where it was not asked for, or is to be asked for by itself. Whatever was asked for
   * elsewhere is let go.
   * @throws why it does not come; a time-out only where no smaller page is worth a try.
   */
  async take(offset: number): Promise<Page | null> {
    const { source, memory, budget } = this.context;
    const ahead = this.pages.shift();
    if (ahead?.offset !== offset) {
      this.pages = [];
      return null;
    }
    const { limit, withinMs } = ahead;
    const cost = meter(budget, source);
    const outcome = await settle(async () => await ahead.heads);
    if ('value' in outcome) return { page: outcome.value, limit };
    this.pages = [];
    const { error } = outcome;
    // Most of its time may have gone to the page before it, or to others: that says nothing of its length.
    const isAskedAgain =
      source.isLate(error) &&
      (!wasTooLong(cost(), withinMs) || memory.heads.wasLate(limit, withinMs, budget));
    if (!isAskedAgain) throw error;
    return null;
  }

  /** Lets go of all. */
  drop(): void {
    this.pages = [];
  }
}
