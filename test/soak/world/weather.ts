import type { Fault } from '../../support/sandbox';
import { count, type Counts } from '../util/counts';
import type { Random } from '../util/random';
import type { Shift } from './shift';
import type { SoakService } from './soakService';

const ACTIONS = ['insert_data', 'update_data', 'delete_data', 'list_data', 'get_data', 'download_data_file'];

/** How each kind of fault is drawn. */
const DRAW: readonly ((random: Random) => Fault)[] = [
  (random) => ({ kind: 'latency', where: 'network', ms: random.integer(20, 300), jitterMs: 200 }),
  (random) => ({ kind: 'latency', where: 'work', ms: random.integer(5, 60), jitterMs: 50 }),
  (random) => ({ kind: 'status', status: 429, ...(random.chance(0.3) && { retryAfter: 1 }) }),
  (random) => ({ kind: 'status', status: random.pick([500, 502, 503, 504]) }),
  () => ({ kind: 'drop', when: 'before' }),
  () => ({ kind: 'drop', when: 'after' }),
  (random) => ({ kind: 'cut', how: random.pick(['clean', 'abort']), share: random.next() }),
  (random) => ({ kind: 'html', status: random.pick([200, 503]), when: random.pick(['before', 'after']) }),
  (random) => ({ kind: 'slow', ms: random.integer(100, 1500) }),
  (random) => ({ kind: 'down', ms: random.integer(100, 1500), when: random.pick(['before', 'after']) }),
  () => ({ kind: 'ng', errorno: -1, message: 'Not now' }),
  // The service does the work, and then fails: at HTTP 500 nothing can be concluded from its words.
  (random) => ({ kind: 'status', status: random.pick([500, 503]), when: 'after' }),
];

/**
 * Sets faults and restarts at random until the shift ends. Faults come in spells with calm between them, so that there
 * is always work to disturb. @returns how many faults of each kind were set
 */
export async function makeWeather(service: SoakService, random: Random, shift: Shift): Promise<Counts> {
  const counts: Record<string, number> = {};
  while (!shift.isOver()) {
    if (random.chance(0.06)) {
      await service.restart(random.pick(['clean', 'killed']), random.integer(0, 2500));
    } else {
      const faults = random.chance(0.25) ? [] : drawFaults(random);
      for (const { kind } of faults) count(counts, kind);
      await service.sandbox.setFaults(faults);
    }
    await shift.rest(random.integer(300, 1500));
  }
  await service.sandbox.clearFaults();
  return counts;
}

function drawFaults(random: Random): Fault[] {
  return Array.from({ length: random.integer(1, 4) }, () => ({
    ...random.pick(DRAW)(random),
    ...(random.chance(0.6) && { action: random.pick(ACTIONS) }),
    times: random.integer(1, 8),
    skip: random.integer(0, 12),
  }));
}
