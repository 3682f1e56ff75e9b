import { audit, type Audit } from './audit/audit';
import { Ledger } from './ledger/ledger';
import { Meter } from './util/meter';
import type { SoakOptions } from './options';
import { Random } from './util/random';
import { Shift } from './util/shift';
import { WATCHERS } from './watchers/watcherKinds';
import { Watcher, type WatcherCounts } from './watchers/watcher';
import { drawDialect, unlikely, type Dialect } from './world/dialect';
import { SoakService } from './world/soakService';
import { makeWeather } from './world/weather';
import { work } from './writers/crew';

/** The result of a soak. */
export interface SoakReport {
  readonly seed: string;
  readonly minutes: number;
  /** The switches that are not at their defaults. */
  readonly dialect: Dialect;
  /** Runs of the action node. */
  readonly runs: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly restarts: SoakService['ends'];
  readonly watchers: Readonly<Record<string, WatcherCounts>>;
  /** The outcomes of writes, by operation. */
  readonly reported: Readonly<Record<string, Readonly<Record<string, number>>>>;
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
  const [weather, runs] = await Promise.all([
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
  const ledgerContents = ledger.read();
  const journal = service.journal();
  const hashes = service.fileHashes();
  const found = audit({
    ledger: ledgerContents,
    journal,
    beginning,
    hashes,
    watchers: WATCHERS,
    samples: meter.samples,
  });
  return {
    seed,
    minutes,
    dialect: unlikely(service.dialect),
    runs,
    faults: weather.faults,
    restarts: service.ends,
    watchers: Object.fromEntries(watchers.map(({ kind, counts }) => [kind.name, counts])),
    reported: countReported(ledgerContents.lines),
    audit: found,
  };
}

function countReported(
  lines: readonly { operation: string; reported: string }[],
): Record<string, Record<string, number>> {
  const counts: Record<string, Record<string, number>> = {};
  for (const { operation, reported } of lines) {
    const ofOperation = (counts[operation] ??= {});
    ofOperation[reported] = (ofOperation[reported] ?? 0) + 1;
  }
  return counts;
}
