import type { Sample } from '../util/meter';
import { Tally, type Section } from './tally';

/** The beginning of a run does not count, because modules load, caches fill, and the code is compiled. */
const WARM_UP_SHARE = 1 / 3;
const WARM_UP_MINUTES = 2;
/** A slope is meaningful only after this many minutes more. */
const SHORTEST_MINUTES = 2;
/**
 * The most that memory may grow, in MB a minute. The memory of the process grows in steps of some 16 MB, when V8 and
 * the allocator take more at once and keep it. A leak of JavaScript shows in the other two.
 */
const MAX_GROWTH = { heap: 1, buffers: 1, rss: 10 } as const;
/**
 * Connections that may be open at the end in addition to those at the beginning: kept alive to the sandbox's control.
 */
const MAX_SOCKETS_LEFT = 4;

/**
 * Checks that memory and connections of the process do not grow.
 * @param samples the last one is from after everything settled, the others from the time of faults.
 */
export function auditResources(samples: readonly Sample[]): Section {
  const tally = new Tally('memory grows', 'connections left open');
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined) return tally;
  const busy = samples.slice(0, -1);
  const minutes = busy.at(-1)?.minute ?? 0;
  const warmAt = Math.max(minutes * WARM_UP_SHARE, WARM_UP_MINUTES);
  const isMeant = minutes - warmAt >= SHORTEST_MINUTES && typeof globalThis.gc === 'function';
  const warm = busy.filter(({ minute }) => minute >= warmAt);
  for (const name of ['heap', 'buffers', 'rss'] as const) {
    const growth = slope(warm.map((sample) => [sample.minute, sample[name] / 1e6]));
    const moments = { 'at the start': first, 'after warm-up': warm[0] ?? last, 'at the end': last };
    for (const [when, sample] of Object.entries(moments))
      tally.count(`${name} ${when}, MB`, rounded(sample[name] / 1e6));
    tally.count(`${name} growth, MB a minute (at most ${MAX_GROWTH[name]})`, rounded(growth));
    if (isMeant && growth > MAX_GROWTH[name]) tally.violate('memory grows', { name, growth, samples: warm });
  }
  tally.count('most connections at once', Math.max(...samples.map(({ sockets }) => sockets)));
  tally.count('connections at the end', last.sockets);
  if (last.sockets > first.sockets + MAX_SOCKETS_LEFT)
    tally.violate('connections left open', { first, last });
  return tally;
}

/** Slope of the line of best fit (least squares). */
function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (at: 0 | 1): number => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const over = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const under = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return under === 0 ? 0 : over / under;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
