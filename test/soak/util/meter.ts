/** The resources of the process at one moment, after a garbage collection. In bytes. */
export interface Sample {
  /** Minutes since the measuring began. */
  readonly minute: number;
  /** The memory of JavaScript: objects, and buffers outside the heap. */
  readonly heap: number;
  readonly buffers: number;
  /** The memory that the process has from the system, including what its allocator keeps for later. */
  readonly rss: number;
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
    // V8 sweeps buffers beside the program: those that one collection finds dead are counted until the next one.
    globalThis.gc?.();
    globalThis.gc?.();
    const { heapUsed, external, rss } = process.memoryUsage();
    this.samples.push({
      minute: (Date.now() - this.start) / 60_000,
      heap: heapUsed,
      buffers: external,
      rss,
      sockets: process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length,
    });
  }
}
