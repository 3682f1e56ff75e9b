import type { LedgerContents } from '../ledger/ledger';
import type { Sample } from '../util/meter';
import type { WatcherKind } from '../watchers/watcherKinds';
import type { Entry } from '../world/journal';
import { auditEvents } from './events';
import { History } from './history';
import { auditRemovals } from './removals';
import { auditResources } from './resources';
import { auditState } from './state';
import type { Section, Violation } from './tally';
import { auditWrites } from './writes';

/** The material of the audit: what the nodes reported, and what was really done. */
export interface Evidence {
  readonly ledger: LedgerContents;
  readonly journal: readonly Entry[];
  /** Number of the last journal entry before the writers began. */
  readonly beginning: number;
  /** SHA-256 of the stored files by id. */
  readonly hashes: ReadonlyMap<string, string>;
  readonly watchers: readonly WatcherKind[];
  readonly samples: readonly Sample[];
}

/** Sections by their subject. */
export type Audit = Readonly<Record<string, Section>>;

/** Compares what the nodes reported with the sandbox's own database. */
export function audit(evidence: Evidence): Audit {
  const { ledger, journal, beginning, hashes, watchers, samples } = evidence;
  const history = new History(journal, beginning);
  const triggers = watchers.map((kind) => [
    `Trigger: ${kind.name}`,
    auditEvents(kind, ledger.deliveries, history),
  ]);
  return {
    Writes: auditWrites(ledger.lines, history),
    Deletions: auditRemovals(ledger.lines, history),
    State: auditState(ledger, hashes, history),
    ...(Object.fromEntries(triggers) as Audit),
    Resources: auditResources(samples),
  };
}

/** All violations, each with the section it is from. */
export function violationsOf(found: Audit): (Violation & { readonly about: string })[] {
  return Object.entries(found).flatMap(([about, { violations }]) =>
    violations.map((violation) => ({ about, ...violation })),
  );
}
