import { tracesOf, type Trace } from '../ledger/traces';
import type { Entry } from '../world/journal';

/** One change, with the record as it was before. */
export interface Change {
  readonly entry: Entry;
  readonly before: Entry | undefined;
  readonly traces: readonly Trace[];
}

/** What was really done, according to the sandbox's journal. */
export class History {
  readonly changes: readonly Change[];
  /** States of each record, in order. The last one may be its deletion. */
  readonly records = new Map<string, Entry[]>();
  private readonly traces = new Map<Trace, Change[]>();

  constructor(
    journal: readonly Entry[],
    /** Number of the last entry before the writers began. */
    readonly beginning: number,
  ) {
    this.changes = journal.map((entry) => {
      const before = this.records.get(entry.record)?.at(-1);
      const change = { entry, before, traces: tracesOf(entry, before) };
      addTo(this.records, entry.record, entry);
      for (const trace of change.traces) addTo(this.traces, trace, change);
      return change;
    });
  }

  /** Changes since the writers began. */
  get made(): readonly Change[] {
    return this.changes.filter(({ entry }) => entry.number > this.beginning);
  }

  /** The changes that left a trace. */
  at(trace: Trace): readonly Change[] {
    return this.traces.get(trace) ?? [];
  }

  /** The record's state under a revision. */
  state(record: string, revision: number): Entry | undefined {
    return this.records.get(record)?.find((entry) => entry.revision === revision && entry.event !== 'delete');
  }

  /** The record's current state; `undefined` if it is deleted or never existed. */
  now(record: string): Entry | undefined {
    const last = this.records.get(record)?.at(-1);
    return last?.event === 'delete' ? undefined : last;
  }
}

/** Adds a value to the list under a key. */
export function addTo<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
