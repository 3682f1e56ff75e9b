import type { RecordTable, Remembered } from '../state/recordTable';
import { compareIds } from '../state/recordId';
import type { Head } from './recordSource';
import type { PollSettings } from './settings';

/** A record that a list shows new or changed, still to be read whole. */
export interface Candidate {
  readonly head: Head;
  /** What was remembered of it; absent for a new record. */
  readonly known: Remembered | undefined;
  /** Offset of the page on which it stood. */
  readonly offset: number;
}

/**
 * What is to be done with a record of a list: `emit` it, only `remember` it, or nothing.
 * @param isOld whether a record that is not known was there before the trigger began.
 */
export function judge(
  head: Head,
  known: Remembered | undefined,
  isOld: boolean,
  { events, watchesParts }: Pick<PollSettings, 'events' | 'watchesParts'>,
): 'emit' | 'remember' | 'nothing' {
  if (known === undefined) return isOld || !events.has('created') ? 'remember' : 'emit';
  // Not "newer": a restored backup brings lower revisions, and they are changes too.
  if (known.revision === head.revision) return 'nothing';
  if (!events.has('updated') || (watchesParts && known.hash === head.hash)) return 'remember';
  return 'emit';
}

/** What a poll found to emit, one entry a record, and what it learned by the way. */
export class Candidates {
  private readonly found = new Map<string, Candidate>();

  constructor(
    private readonly table: RecordTable,
    private readonly settings: PollSettings,
  ) {}

  get size(): number {
    return this.found.size;
  }

  /** Compares a record of a list with what is remembered. The latest look at a record counts. */
  consider(head: Head, offset: number, isOld: boolean): void {
    const known = this.table.get(head.id);
    const verdict = judge(head, known, isOld, this.settings);
    if (verdict === 'emit') {
      this.found.set(head.id, { head, known, offset: this.found.get(head.id)?.offset ?? offset });
      return;
    }
    this.found.delete(head.id);
    if (verdict === 'remember') this.table.set(head.id, head);
  }

  /** Turns what was found new into records that were there before: the two cannot be distinguished after all. */
  forgetCreated(): void {
    for (const { head, known } of this.found.values()) {
      if (known !== undefined) continue;
      this.table.set(head.id, head);
      this.found.delete(head.id);
    }
  }

  /** All, in order of their ids. */
  inOrder(): Candidate[] {
    return [...this.found.values()].sort((one, other) => compareIds(one.head.id, other.head.id));
  }
}
