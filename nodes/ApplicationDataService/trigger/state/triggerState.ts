import type { RecordTable } from './recordTable';

/** How the first scan takes what it finds. */
export interface Baseline {
  /**
   * Records above this id were created after the trigger began, the others were there before. `null` where ids do not
   * grow: then all records count as old. -1 where there was none.
   */
  readonly highestId: number | null;
  /** The user wants the existing records, too: everything counts as created. */
  readonly emitExisting: boolean;
}

/** A full scan that goes on in the next poll. */
export interface OpenScan {
  readonly phase: 'pages' | 'missing';
  /** Where the next page begins. */
  readonly offset: number;
  /** Ids of the last records that were read: the next page must share one, or records moved past it. */
  readonly tail: readonly string[];
  /** Newest date/time before it began; empty where quick polls are not made. */
  readonly newest: string;
}

/** Where a quick poll may stop. */
export interface QuickMark {
  /** ID of the date/time part. */
  readonly part: string;
  /** Newest value of the date/time part up to which everything is known; empty where none is. */
  readonly boundary: string;
  /** When the boundary was first seen, in milliseconds since 1970. */
  readonly since: number;
  /** Everything of the boundary's own minute is known, too: it was read when that minute was surely over. */
  readonly settled: boolean;
}

/** What the trigger remembers between polls. */
export interface TriggerState {
  /** Identifies what is watched: the state is valid for nothing else. */
  readonly fingerprint: string;
  readonly records: RecordTable;
  /** Set until the first full scan is done. */
  baseline: Baseline | null;
  scan: OpenScan | null;
  /** The last scan missed most of the records, and their deletion was held back. */
  heldBack: boolean;
  quick: QuickMark | null;
  /** When the last full scan was begun, in milliseconds since 1970; 0 where it left something to the next one. */
  lastFullScan: number;
}
