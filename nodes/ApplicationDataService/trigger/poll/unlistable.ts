import { settle } from '../../util/concurrently';
import { counted } from '../../util/counted';
import type { ReadContext } from './context';
import type { Head } from './recordSource';

/** Records next to each other that fail before it is asked whether the list works anywhere behind them. */
const FEW = 3;
/** Records next to each other that are left out at most: more of them are a sign that the service is in trouble. */
const MOST = 100;

/**
 * Finds the records that make a page fail, because the service cannot list them: a page that fails is halved, down to one
 * record, and grows again behind it.
 */
export class Unlistable {
  /** Records of the next page; `null` where no page failed lately. */
  length: number | null = null;

  constructor(private readonly context: ReadContext) {}

  /** A page came. */
  came(): void {
    const { memory, budget } = this.context;
    if (this.length === null) return;
    this.length *= 2;
    if (this.length > memory.heads.next(budget).limit) this.length = null;
  }

  /**
   * A page from an offset on failed.
   * @returns how many records are to be left out there; 0 where a shorter page is to be asked for.
   * @throws the failure where it is not that of a few records.
   */
  async behind(failure: unknown, offset: number): Promise<number> {
    const { source, memory, budget, warn } = this.context;
    if (source.concernsAll(failure) || source.isLate(failure)) throw failure;
    const limit = this.length ?? memory.heads.next(budget).limit;
    const isNew = this.length === null;
    if (limit > 1 && (!isNew || (await this.at(offset)) !== null)) {
      this.length = Math.max(1, Math.floor(limit / 2));
      return 0;
    }
    this.length = 1;
    for (let count = 1; count < MOST; count++) {
      if ((await this.at(offset + count)) !== null) {
        warn(
          `The service fails to list ${counted(count, 'record')} from position ${offset + 1} on: left out`,
        );
        return count;
      }
      if (count === FEW && !(await this.worksBehind(offset + count))) break;
    }
    throw failure;
  }

  /** The record at an offset, none behind the end; `null` where it cannot be listed. @throws what concerns all. */
  async at(offset: number): Promise<Head[] | null> {
    const { source, budget } = this.context;
    const withinMs = Math.max(1, budget.left() / 2);
    const outcome = await settle(async () => await source.heads({ offset, limit: 1, withinMs }));
    if ('value' in outcome) return outcome.value;
    if (source.concernsAll(outcome.error) || source.isLate(outcome.error)) throw outcome.error;
    return null;
  }

  /** Whether any record further behind can be listed: otherwise it is the list that fails. */
  private async worksBehind(offset: number): Promise<boolean> {
    for (let step = 2; step <= MOST; step *= 2) if ((await this.at(offset + step)) !== null) return true;
    return false;
  }
}
