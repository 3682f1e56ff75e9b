import type { RecordTable } from './recordTable';

/** How the first scan, or the first one with another credential, treats the records that it finds. */
export interface Baseline {
  /**
   * Records above this ID were created after the trigger began, the others were there before. `null` if IDs do not
   * grow: then all records count as old. -1 if there was none.
   */
  readonly highestId: number | null;
  /** The user also wants the existing records: everything counts as created. */
  readonly emitExisting: boolean;
  /** The credential has changed: records that it cannot see are forgotten, but do not count as deleted. */
  readonly adopts: boolean;
}

/** A full scan that continues in the next poll. */
export interface OpenScan {
  /** Everything up to this ID is settled; `null` before the first. */
  readonly after: string | null;
  /** Newest date/time before it began; empty where quick polls are not made. */
  readonly newest: string;
}

/** Where a quick poll may stop. */
interface QuickPosition {
  readonly part: string;
  /** Value of the date/time part before which everything is known; empty if none is. */
  readonly boundary: string;
}

/** A record that was found but not output yet. */
interface Waiting {
  /** How many polls tried it. */
  readonly tries: number;
  readonly revision: number;
}

/** What the trigger remembers between polls. */
export interface TriggerState {
  /** Identifies what is watched: the state is valid for nothing else. */
  fingerprint: string;
  /** ID of the credential, and 16 bits of a hash of its key. */
  credential: string;
  readonly records: RecordTable;
  /** IDs of the parts that the table has hashes of, in its order. */
  watched: readonly string[];
  /** Set until the first full scan is done. */
  baseline: Baseline | null;
  scan: OpenScan | null;
  /** By record ID, in the order in which they came. */
  readonly waiting: Map<string, Waiting>;
  /** A scan is done, and what happened to the records that it missed is being found out. */
  settling: boolean;
  /** The last scan missed most of the records, and their deletion was held back. */
  postponed: boolean;
  quick: QuickPosition | null;
  /** When the last full scan began, in milliseconds since 1970; 0 if it left work for the next one. */
  lastFullScan: number;
  /** The part that the next poll begins with, because the last one did not reach it. */
  turn: number;
  failing: number;
}
