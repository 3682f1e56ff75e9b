import type { Told } from '../ledger/ledger';
import type { Sample } from '../util/measure';
import type { WatcherKind } from '../watchers/kinds';
import type { Entry } from '../world/journal';
import { auditFiles, auditReads } from './contents';
import { auditEvents } from './events';
import { Tally, type Section, type Violation } from './tally';
import { History } from './history';
import { auditRemovals } from './removals';
import { auditResources } from './resources';
import { auditChanges, auditKeys, auditWrites } from './writes';

/** What is audited: what was told, and what was really done. */
export interface Evidence {
  readonly told: Told;
  readonly journal: readonly Entry[];
  /** Number of the last journal entry from before the writers began. */
  readonly beginning: number;
  /** SHA-256 of the stored files by id. */
  readonly hashes: ReadonlyMap<string, string>;
  readonly watchers: readonly WatcherKind[];
  readonly samples: readonly Sample[];
}

/** Begins the names of what is found about triggers. */
export const TRIGGER = 'Trigger: ';

/** Sections by what they are about. */
export type Audit = Readonly<Record<string, Section>>;

/** Compares what the nodes said with what the sandbox's own database says. */
export function audit(evidence: Evidence): Audit {
  const { told, journal, beginning, hashes, watchers, samples } = evidence;
  const history = new History(journal, beginning);
  const leaks = new Tally('access key in an error');
  for (const text of told.leaks) leaks.violate('access key in an error', { length: text.length });
  return {
    Writes: auditWrites(told.lines, history),
    'All changes': auditChanges(told.lines, history),
    Keys: auditKeys(history),
    Deletions: auditRemovals(told.lines, history),
    Attachments: auditFiles(told.lines, told.seenFiles, history, hashes),
    Reads: auditReads(told.seen, history),
    ...Object.fromEntries(
      watchers.map((kind) => [`${TRIGGER}${kind.name}`, auditEvents(kind, told.deliveries, history)]),
    ),
    Secrets: leaks,
    Resources: auditResources(samples),
  };
}

/** Everything that must not be, with what it is about. */
export function violationsOf(found: Audit): (Violation & { readonly about: string })[] {
  return Object.entries(found).flatMap(([about, { violations }]) =>
    violations.map((violation) => ({ about, ...violation })),
  );
}
