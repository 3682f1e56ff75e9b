import { settle } from '../../util/concurrently';
import { counted } from '../../util/counted';
import type { ReadContext } from './context';
import type { Head } from './recordSource';

/** After this many adjacent records that fail, the node checks whether the list works anywhere after them. */
const FEW = 3;
/** How many adjacent records are left out at most. More are a sign that the service is in trouble. */
const MOST = 100;

/**
 * Finds the records that make a page fail because the service cannot list them: a page that fails is halved, down to one
 * record, and grows again after it.
 */
export class Unlistable {
  /** Length of the next page; `null` if no page failed recently. */
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
   * @returns how many records to leave out there; 0 to request a shorter page instead.
   * @throws the failure if it is not that of a few records.
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

  /** The record at an offset, none after the end; `null` if it cannot be listed. @throws failures of the whole list. */
  async at(offset: number): Promise<Head[] | null> {
    const { source, budget } = this.context;
    const withinMs = Math.max(1, budget.left() / 2);
    const outcome = await settle(async () => await source.heads({ offset, limit: 1, withinMs }));
    if ('value' in outcome) return outcome.value;
    if (source.concernsAll(outcome.error) || source.isLate(outcome.error)) throw outcome.error;
    return null;
  }

  /** Whether any later record can be listed. Otherwise the list as a whole fails. */
  private async worksBehind(offset: number): Promise<boolean> {
    for (let step = 2; step <= MOST; step *= 2) if ((await this.at(offset + step)) !== null) return true;
    return false;
  }
}
