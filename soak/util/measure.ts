/** What the process held at one moment, after a garbage collection. Bytes. */
export interface Sample {
  /** Minutes since the measuring began. */
  readonly minute: number;
  /** What JavaScript holds: objects, and buffers outside of the heap. */
  readonly heap: number;
  readonly buffers: number;
  /** What the process has from the system, with what its allocator keeps for later. */
  readonly rss: number;
  /** Open connections, and everything else that keeps the process busy. */
  readonly sockets: number;
  readonly handles: number;
}

/** Watches the memory and the open handles of this process. */
export class Meter {
  readonly samples: Sample[] = [];
  private readonly start = Date.now();
  private timer: NodeJS.Timeout | undefined;

  /** Takes a sample now and then. */
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
    globalThis.gc?.();
    const { heapUsed, external, rss } = process.memoryUsage();
    const resources = process.getActiveResourcesInfo();
    this.samples.push({
      minute: (Date.now() - this.start) / 60_000,
      heap: heapUsed,
      buffers: external,
      rss,
      sockets: resources.filter((name) => name === 'TCPSocketWrap').length,
      handles: resources.length,
    });
  }
}
