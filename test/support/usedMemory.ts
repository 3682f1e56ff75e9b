/** The memory of this process, in bytes. */
export interface UsedMemory {
  /** Of JavaScript: objects, and buffers outside the heap. */
  readonly heap: number;
  readonly buffers: number;
  /** What the process has from the system, including what its allocator keeps for later. */
  readonly rss: number;
}

/**
 * What is in use, without garbage, if Node.js shows its collector (`--expose-gc`). V8 sweeps buffers beside the program:
 * those that one collection finds dead are counted until the next one, so there are two.
 */
export function usedMemory(): UsedMemory {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed: heap, external: buffers, rss } = process.memoryUsage();
  return { heap, buffers, rss };
}
