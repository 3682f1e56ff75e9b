import { type UsedMemory, usedMemory } from '../../support/usedMemory';

/** The resources of the process at one moment. */
export interface Sample extends UsedMemory {
  /** Minutes since the measuring began. */
  readonly minute: number;
  /** Open connections. */
  readonly sockets: number;
}

/** Watches the memory and the connections of this process. */
export class Meter {
  readonly samples: Sample[] = [];
  private readonly start = Date.now();
  private timer: NodeJS.Timeout | undefined;

  /** Takes samples at regular intervals. */
  begin(everyMs: number): void {
    this.sample();
    this.timer = setInterval(() => this.sample(), everyMs);
  }

  /** Ends the regular samples. */
  pause(): void {
    clearInterval(this.timer);
  }

  /** Takes the last sample. */
  end(): void {
    this.pause();
    this.sample();
  }

  private sample(): void {
    this.samples.push({
      minute: (Date.now() - this.start) / 60_000,
      ...usedMemory(),
      sockets: process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length,
    });
  }
}
