import type { RecordTable } from './recordTable';

/** How the first scan takes what it finds, and the first one with another credential. */
export interface Baseline {
  /**
   * Records above this id were created after the trigger began, the others were there before. `null` where ids do not
   * grow: then all records count as old. -1 where there was none.
   */
  readonly highestId: number | null;
  /** The user wants the existing records, too: everything counts as created. */
  readonly emitExisting: boolean;
  /** The credential is another one: records that it does not see are forgotten, none is deleted. */
  readonly adopts: boolean;
}

/** A full scan that goes on in the next poll. */
export interface OpenScan {
  /** Everything up to this id is settled; `null` before the first. */
  readonly after: string | null;
  /** Newest date/time before it began; empty where quick polls are not made. */
  readonly newest: string;
}

/** Where a quick poll may stop. */
export interface QuickMark {
  /** ID of the date/time part. */
  readonly part: string;
  /** Value of the date/time part before which everything is known; empty where none is. */
  readonly boundary: string;
}

/** A record that was found and could not be given yet. */
export interface Waiting {
  /** Polls in which it was tried. */
  readonly tries: number;
  /** As the list showed it; `null` where only its ID was known. */
  readonly revision: number | null;
}

/** What the trigger remembers between polls. */
export interface TriggerState {
  /** Identifies what is watched: the state is valid for nothing else. */
  readonly fingerprint: string;
  /** ID of the credential, and 16 bits of a hash of its key. */
  credential: string;
  readonly records: RecordTable;
  /** Set until the first full scan is done. */
  baseline: Baseline | null;
  scan: OpenScan | null;
  /** By record id, in the order in which they came. */
  readonly waiting: Map<string, Waiting>;
  /** A scan is done, and what became of the records that it missed is being found out. */
  settling: boolean;
  /** The last scan missed most of the records, and their deletion was held back. */
  heldBack: boolean;
  quick: QuickMark | null;
  /** When the last full scan was begun, in milliseconds since 1970; 0 where it left something to the next one. */
  lastFullScan: number;
  /** What the next poll begins with, because the last one did not come to it. */
  turn: number;
  /** Lists come in order of the record ids. */
  isOrdered: boolean;
  /** There was no room for the values of all records. */
  full: boolean;
  /** Failing polls in a row. */
  failing: number;
}
