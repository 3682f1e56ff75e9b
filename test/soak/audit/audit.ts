import type { LedgerContents } from '../ledger/ledger';
import type { Sample } from '../util/meter';
import type { WatcherKind } from '../watchers/watcherKinds';
import type { Entry } from '../world/journal';
import { auditFiles, auditReads } from './contents';
import { auditEvents } from './events';
import { Tally, type Section, type Violation } from './tally';
import { History } from './history';
import { auditRemovals } from './removals';
import { auditResources } from './resources';
import { auditChanges, auditKeys, auditWrites } from './writes';

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

/** The prefix of the sections about triggers. */
export const TRIGGER = 'Trigger: ';

/** Sections by their subject. */
export type Audit = Readonly<Record<string, Section>>;

/** Compares what the nodes reported with the sandbox's own database. */
export function audit(evidence: Evidence): Audit {
  const { ledger, journal, beginning, hashes, watchers, samples } = evidence;
  const history = new History(journal, beginning);
  const leaks = new Tally('access key in an error');
  for (const text of ledger.leaks) leaks.violate('access key in an error', { length: text.length });
  return {
    Writes: auditWrites(ledger.lines, history),
    'All changes': auditChanges(ledger.lines, history),
    Keys: auditKeys(history),
    Deletions: auditRemovals(ledger.lines, history),
    Attachments: auditFiles(ledger.lines, ledger.seenFiles, history, hashes),
    Reads: auditReads(ledger.seen, history),
    ...Object.fromEntries(
      watchers.map((kind) => [`${TRIGGER}${kind.name}`, auditEvents(kind, ledger.deliveries, history)]),
    ),
    Secrets: leaks,
    Resources: auditResources(samples),
  };
}

/** All violations, each with the section it is from. */
export function violationsOf(found: Audit): (Violation & { readonly about: string })[] {
  return Object.entries(found).flatMap(([about, { violations }]) =>
    violations.map((violation) => ({ about, ...violation })),
  );
}
