import {
  Limiter,
  type Admission,
  type Permit,
  type PlannedCall,
} from '../../../../../../nodes/ApplicationDataService/service/http/pace/limiter';
import { FakeClock, settled } from '../../../../../support/fakeClock';

/** A limiter and its callers. */
export class Place {
  readonly clock = new FakeClock();
  readonly limiter = new Limiter(this.clock);

  /** Adds a caller with a wish, and waits until everything possible is done. */
  async come(wish: Partial<PlannedCall> & { turn?: unknown; urgent?: boolean } = {}): Promise<Visitor> {
    const { turn = Symbol('turn'), urgent = false, streams = false, signal } = wish;
    const visitor = new Visitor(this.limiter.enter({ caller: { turn, urgent }, streams, signal }));
    await settled();
    return visitor;
  }

  async comeAll(count: number, wish: Parameters<Place['come']>[0] = {}): Promise<Visitor[]> {
    const all: Visitor[] = [];
    for (let number = 0; number < count; number++) all.push(await this.come(wish));
    return all;
  }

  /** Closes the limiter by refusing a call. @returns its caller, who waits again. */
  async close(retryAfterMs?: number): Promise<Visitor> {
    const visitor = await this.come();
    await visitor.isRefused(retryAfterMs);
    return visitor;
  }
}

export class Visitor {
  admission: Admission | undefined;

  constructor(entering: Promise<Admission>) {
    this.follow(entering);
  }

  private follow(entering: Promise<Admission>): void {
    this.admission = undefined;
    void entering.then((admission) => (this.admission = admission));
  }

  get isIn(): boolean {
    return this.admission !== undefined && 'permit' in this.admission;
  }

  get permit(): Permit {
    if (this.admission === undefined || !('permit' in this.admission)) throw new Error('Not in');
    return this.admission.permit;
  }

  async isRefused(retryAfterMs?: number): Promise<void> {
    this.follow(this.permit.refused(retryAfterMs));
    await settled();
  }

  async succeeds(): Promise<void> {
    this.permit.accepted();
    await this.ends();
  }

  async ends(): Promise<void> {
    this.permit.end();
    await settled();
  }
}

/** How many of them are inside. */
export const inside = (visitors: readonly Visitor[]): number => visitors.filter(({ isIn }) => isIn).length;
