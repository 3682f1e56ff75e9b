import { audit, type Audit } from './audit/audit';
import { Ledger, type Line } from './ledger/ledger';
import { Meter } from './util/meter';
import { count, type Counts } from './util/counts';
import { Random } from './util/random';
import { WATCHERS } from './watchers/watcherKinds';
import { Watcher } from './watchers/watcher';
import { drawDialect, type Dialect } from './world/dialect';
import { Shift } from './world/shift';
import { SoakService } from './world/soakService';
import { makeWeather } from './world/weather';
import { work } from './writers/crew';

export interface SoakOptions {
  /** How long faults and writers continue; settling and the audit come after. */
  readonly minutes: number;
  readonly seed: string;
}

/** The result of a soak. */
export interface SoakReport extends SoakOptions {
  /** The switches that are not at their defaults. */
  readonly dialect: Dialect;
  /** Runs of the action node. */
  readonly runs: number;
  readonly faults: Counts;
  /** How often the sandbox was ended cleanly, and killed. */
  readonly restarts: Counts;
  /** What each trigger went through. */
  readonly watchers: Readonly<Record<string, Counts>>;
  /** What the action node said of its items, by operation. */
  readonly reported: Readonly<Record<string, Counts>>;
  readonly audit: Audit;
}

/**
 * Runs writers and triggers against a sandbox with random faults and restarts, lets everything settle, and audits it.
 * @param say receives a line about the progress.
 */
export async function soak(options: SoakOptions, say: (text: string) => void): Promise<SoakReport> {
  const random = new Random(options.seed);
  const ledger = new Ledger();
  try {
    const service = await SoakService.start(drawDialect(random.fork('dialect')));
    try {
      return await soakWith(service, random, ledger, options, say);
    } finally {
      await service.stop();
    }
  } finally {
    ledger.remove();
  }
}

async function soakWith(
  service: SoakService,
  random: Random,
  ledger: Ledger,
  { minutes, seed }: SoakOptions,
  say: (text: string) => void,
): Promise<SoakReport> {
  const watchers = WATCHERS.map(
    (kind) => new Watcher(kind, service, random.fork(`watcher ${kind.name}`), ledger),
  );
  const beginning = service.journal().at(-1)?.number ?? 0;
  for (const watcher of watchers) await watcher.activate();

  say(`${minutes} minutes of faults, restarts, writers and triggers`);
  const meter = new Meter();
  meter.begin(Math.max(1000, minutes * 1000));
  const shift = new Shift(minutes * 60_000);
  const [faults, runs] = await Promise.all([
    makeWeather(service, random.fork('weather'), shift),
    work(service, random.fork('writers'), ledger, shift),
    ...watchers.map(async (watcher) => await watcher.watch(shift)),
  ]);

  meter.pause();
  say('The faults are over; the triggers settle');
  for (const watcher of watchers) await watcher.settle();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  meter.end();

  say('Audit');
  const contents = ledger.read();
  const journal = service.journal();
  const { samples } = meter;
  const hashes = service.fileHashes();
  return {
    seed,
    minutes,
    dialect: service.dialect,
    runs,
    faults,
    restarts: service.ends,
    watchers: Object.fromEntries(watchers.map(({ kind, counts }) => [kind.name, counts])),
    reported: countReported(contents.lines),
    audit: audit({ ledger: contents, journal, beginning, hashes, watchers: WATCHERS, samples }),
  };
}

function countReported(lines: readonly Line[]): Record<string, Counts> {
  const counts: Record<string, Record<string, number>> = {};
  for (const { operation, reported } of lines) count((counts[operation] ??= {}), reported);
  return counts;
}
