import { settle } from '../../util/concurrently';
import { compareIds } from '../state/idOrder';
import { idAfter } from '../state/idAfter';
import type { ReadContext } from './context';
import { isAscending } from './headPage';
import { meter, wasTooLong } from './readPage';
import type { Head } from './recordSource';
import type { Budget } from './settings';

/** Pages that are requested while another is processed: the service prepares one while another is parsed. */
const MOST = 2;

/** Heads, and how many were requested. */
export interface Page {
  readonly page: Head[];
  readonly limit: number;
  /** It was asked for by the id with which it begins, so that nothing can have moved past it. */
  readonly isById?: boolean;
}

/** Where a page begins. */
export interface Place {
  readonly offset: number;
  /** The id that stands there, as far as is known. */
  readonly from: string | null;
}

/** A page that was requested in advance. */
interface Ahead extends Place {
  readonly limit: number;
  readonly withinMs: number;
  readonly isById: boolean;
  /** `null` if the service refuses. */
  readonly heads: Promise<Head[] | null>;
}

/** Pages that are requested in advance. */
export class PagesFromId {
  private pages: Ahead[] = [];

  constructor(
    private readonly budget: Budget,
    private readonly context: ReadContext,
  ) {}

  /** Asks for the pages from a place on, only as far as records are expected, and as there is time for it. */
  ask(first: Place, limit: number, step: number): void {
    const { state, memory } = this.context;
    while (this.pages.length < MOST) {
      const last = this.pages.at(-1);
      const place = last === undefined ? first : this.placeAfter(last, step);
      if (state.baseline === null && place.offset > state.records.presentSize) return;
      if (!memory.heads.fits(this.budget.left() / (this.pages.length + 1))) return;
      // What ids are good for is seen by the first page.
      if (last?.isById === true && !memory.byId.isProved) return;
      this.send(place, limit);
    }
  }

  /** The page at a place, by its id, whatever it may cost; `null` if it is to be asked for by its place. */
  async byId(place: Place, after: string | null): Promise<Page | null> {
    const { memory, source, budget } = this.context;
    const { limit } = memory.heads.next(budget);
    if (!goesById(place.from, limit, this.context)) return null;
    this.pages = [];
    this.send(place, limit);
    const left = budget.left();
    const cost = meter(budget, source);
    const page = await this.take(place.offset, after);
    if (page !== null) memory.heads.took(limit, cost(), left);
    return page;
  }

  /**
   * The page at an offset; `null` if it was not requested, or must be requested separately. Pages that were requested
   * at other offsets are dropped.
   * @param after the id up to which all is known.
   * @throws the reason why it does not arrive; a time-out only if a smaller page is not worth a try.
   */
  async take(offset: number, after: string | null): Promise<Page | null> {
    const { source, memory, budget } = this.context;
    const ahead = this.pages.shift();
    if (ahead?.offset !== offset || leavesOut(ahead, after)) {
      this.pages = [];
      return null;
    }
    const { limit, withinMs } = ahead;
    const cost = meter(budget, source);
    const outcome = await settle(async () => await ahead.heads);
    if (ahead.isById) return this.checked(ahead, outcome);
    if ('value' in outcome) return { page: outcome.value ?? [], limit };
    this.pages = [];
    const { error } = outcome;
    // Most of its time may have been spent on the page before it, or on others: that says nothing about its length.
    const isAskedAgain =
      source.isLate(error) &&
      (!wasTooLong(cost(), withinMs) || memory.heads.wasLate(limit, withinMs, budget));
    if (!isAskedAgain) throw error;
    return null;
  }

  /** Drops all pages. */
  drop(): void {
    this.pages = [];
  }

  private placeAfter({ offset, from }: Place, step: number): Place {
    const next = from === null ? null : idAfter(this.context.state.records, from, step);
    return { offset: offset + step, from: next };
  }

  private send({ offset, from }: Place, limit: number): void {
    const { source, memory, budget } = this.context;
    const withinMs = Math.max(1, budget.left() / 2);
    const isById = goesById(from, limit, this.context);
    if (!isById) memory.byId.passed();
    const heads = isById
      ? source.headsFrom(from, { limit, withinMs })
      : source.heads({ offset, limit, withinMs });
    // A failure is handled when the page is needed, not before.
    heads.catch(() => undefined);
    this.pages.push({ offset, from, limit, withinMs, isById, heads });
  }

  /** A page by its id; `null` if the service does not give it: then its place does, and ids are left alone. */
  private checked(
    { from, limit }: Ahead,
    outcome: { readonly value: Head[] | null } | { readonly error: unknown },
  ): Page | null {
    const { source, memory } = this.context;
    if ('error' in outcome && source.concernsAll(outcome.error)) throw outcome.error;
    const page = 'value' in outcome ? outcome.value : null;
    if (page !== null && from !== null && beginsAt(page, from, limit)) {
      memory.byId.isProved = true;
      return { page, limit, isById: true };
    }
    memory.byId.doubt();
    this.pages = [];
    return null;
  }
}

/**
 * Whether the page from an id on is to be asked for by that id. Only where what comes is checked by what is known: the last
 * page, and lists of which nothing is known or which records leave, go by their places.
 */
function goesById(
  from: string | null,
  limit: number,
  { state, settings, memory }: ReadContext,
): from is string {
  if (from === null || !memory.byId.isTried || settings.narrowed || state.baseline !== null) return false;
  return idAfter(state.records, from, limit) !== null;
}

/** Whether a page is what was asked for, as far as it shows: full, in order, and nothing before the id. */
function beginsAt(page: readonly Head[], from: string, limit: number): boolean {
  return page.length === limit && isAscending(page) && compareIds(page[0]!.id, from) >= 0;
}

/** Whether a page begins behind what is known: its first id was guessed, and there were more before it. */
function leavesOut({ isById, from }: Ahead, after: string | null): boolean {
  return isById && (after === null || from === null || compareIds(from, after) > 0);
}
