import type { GateClock } from './gateClock';
import type { Admission, Wish } from './admission';
import { Gate } from './gate';

/**
 * The gates of one process, one for each service: a service has one queue for everybody, whichever workflow calls and
 * whichever key it uses.
 */
export class Gates {
  /** @param gates only the gates that have something to do or to remember. */
  constructor(
    private readonly clock: GateClock,
    private readonly gates = new Map<string, Gate>(),
  ) {}

  /**
   * Waits for the permission to make a call.
   * @param service origin and directory of the base URL.
   */
  async enter(service: string, wish: Wish): Promise<Admission> {
    const gate = this.gates.get(service) ?? new Gate(this.clock, () => this.gates.delete(service));
    this.gates.set(service, gate);
    return await gate.enter(wish);
  }
}
