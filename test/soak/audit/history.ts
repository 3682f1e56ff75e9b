import type { Entry } from '../world/journal';
import { tracesOf, type Trace } from './traces';

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
  readonly records: ReadonlyMap<string, readonly Entry[]>;
  /** The changes that left each trace. */
  readonly traces: ReadonlyMap<Trace, readonly Change[]>;

  constructor(
    journal: readonly Entry[],
    /** Number of the last entry before the writers began. */
    readonly beginning: number,
  ) {
    const records = new Map<string, Entry[]>();
    const traces = new Map<Trace, Change[]>();
    this.changes = journal.map((entry) => {
      const states = listIn(records, entry.record);
      const before = states.at(-1);
      const change = { entry, before, traces: tracesOf(entry, before) };
      states.push(entry);
      change.traces.forEach((trace) => listIn(traces, trace).push(change));
      return change;
    });
    this.records = records;
    this.traces = traces;
  }

  /** Changes since the writers began. */
  get made(): readonly Change[] {
    return this.changes.filter(({ entry }) => entry.number > this.beginning);
  }

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

function listIn<K, V>(map: Map<K, V[]>, key: K): V[] {
  let list = map.get(key);
  if (list === undefined) map.set(key, (list = []));
  return list;
}
