import type { Emitted, Given, HistorySettings, Snapshot } from './triggerScript';
import type { World } from './triggerWorld';

/** Compares what a trigger emits with what happened in the world. It knows nothing about how a poll works. */
export class HistoryJudge {
  readonly emitted: Emitted[] = [];
  /** How many polls a change waited at most. */
  longestWait = 0;
  private readonly complaints: string[] = [];
  /** The listed records when the trigger began; `null` before that. */
  private atBeginning: Set<string> | null = null;
  private highestAtBeginning = -1;
  /** The records and their state when the first scan was done; `null` before that. */
  private atBaseline: Map<string, Snapshot> | null = null;

  constructor(
    private readonly world: World,
    private readonly settings: HistorySettings,
  ) {}

  complain(what: string): void {
    this.complaints.push(what);
  }

  /** Notes that the trigger began with the list that it last requested, unless it had begun before. */
  begin(): void {
    if (this.atBeginning !== null) return;
    this.atBeginning = new Set(this.world.whenAskedForLast);
    this.highestAtBeginning = highestOf(this.world.whenAskedForLast);
  }

  /** Notes that the first scan is done. It learned the records that existed when the trigger began. */
  learn(): void {
    if (this.atBaseline !== null) return;
    const old = this.world
      .listed()
      .filter(({ id }) => !this.settings.emitExisting && this.atBeginning?.has(id) === true);
    this.atBaseline = new Map(old.map((record) => [record.id, { ...record }]));
  }

  /** Notes that n8n had saved nothing of the trigger. */
  startOver(): void {
    this.atBeginning = null;
    this.learnAgain();
  }

  /** Notes that n8n saved the trigger before the first scan was done. */
  learnAgain(): void {
    this.atBaseline = null;
  }

  /** Judges the changes of one poll. */
  judgePoll(changes: readonly Given[], poll: number): void {
    changes.forEach((change) => this.emit({ ...change, poll }));
    this.checkOrder(changes);
    if (changes.length > this.settings.maxRecords) this.complain('More than was asked for');
  }

  /** Judges one change by the history of its record and the changes emitted before. */
  private emit(change: Emitted): void {
    const { isSecret } = this.world.everything.get(change.id)!;
    const given = this.lastOf(change.id);
    // One that only one of the keys shows goes and comes again.
    const last = isSecret && given?.event === 'deleted' ? undefined : given;
    const complain = (what: string): void => {
      this.complain(`${change.event} ${change.id} in poll ${change.poll}: ${what}`);
    };
    this.emitted.push(change);
    const { untoldSince } = this.world;
    this.longestWait = Math.max(this.longestWait, change.poll - (untoldSince.get(change.id) ?? change.poll));
    untoldSince.delete(change.id);
    if (last?.event === 'deleted') return complain('was deleted before');
    if (last !== undefined && this.settings.watched.length === 0 && change.previousRevision !== last.revision)
      complain(`follows revision ${change.previousRevision}, but ${last.revision} was emitted`);
    if (change.event === 'deleted') {
      if (this.world.records.has(change.id) && !isSecret) complain('exists');
      return;
    }
    this.judgeRevision(change, complain);
    if (change.event === 'created') this.judgeCreated(change, last, complain);
    else this.judgeUpdated(change, last, complain);
  }

  private judgeRevision({ id, record, revision }: Emitted, complain: (what: string) => void): void {
    if (record !== null && revision !== record.revision) complain('does not fit its record');
    if ((revision ?? 0) > this.world.everything.get(id)!.revision) complain('never had this revision');
  }

  private judgeCreated({ id }: Emitted, last: Emitted | undefined, complain: (what: string) => void): void {
    if (last !== undefined) complain('was known');
    const { isSecret } = this.world.everything.get(id)!;
    const old = this.atBeginning?.has(id) === true && Number(id) <= this.highestAtBeginning && !isSecret;
    if (old && !this.settings.emitExisting && !this.world.kind.narrowed) complain('was there before');
  }

  private judgeUpdated(
    { revision, previousRevision, record }: Extract<Emitted, { record: unknown }>,
    last: Emitted | undefined,
    complain: (what: string) => void,
  ): void {
    if (previousRevision === null || (revision ?? 0) <= previousRevision)
      complain('is not newer than before');
    if (this.settings.watched.length === 0 || last === undefined || last.event === 'deleted') return;
    if (last.record !== null && last.record.watched === record?.watched) complain('no watched part changed');
  }

  private lastOf(id: string): Emitted | undefined {
    return this.emitted.findLast((each) => each.id === id);
  }

  /**
   * In one poll, changes come in order of ids, then deletions in order of ids. Quick polls output the oldest change
   * first instead. A record that changes during the poll may appear once for each change.
   */
  private checkOrder(changes: readonly Given[]): void {
    if (this.settings.quick !== undefined) return;
    const ranks = changes.map(({ event, id }) => Number(id) + (event === 'deleted' ? 1e6 : 0));
    if (ranks.some((rank, index) => index > 0 && rank < ranks[index - 1]!))
      this.complain('Changes are out of order');
  }

  /** Checks whether anything is missing after the last poll. @returns all complaints. */
  judgeEnd(): readonly string[] {
    for (const record of this.world.everything.values()) {
      const last = this.lastOf(record.id);
      const learned = this.atBaseline?.get(record.id);
      const missing =
        this.world.records.has(record.id) && this.world.isSeen(record)
          ? this.missingFor(record, last, learned)
          : this.missingForDeleted(last, learned);
      if (missing !== null) this.complain(`${record.id} in the end: ${missing}`);
    }
    return this.complaints;
  }

  private missingForDeleted(last: Emitted | undefined, learned: Snapshot | undefined): string | null {
    // Under a filter, the record may have left the list before. Then the trigger no longer looks for it.
    if (this.world.kind.narrowed || last?.event === 'deleted') return null;
    // If no other record can be read, a refusal proves nothing.
    const listed = this.world.listed();
    const others = [...listed.slice(0, 5), ...listed.slice(-5)];
    if (others.length > 0 && others.every(({ broken }) => broken === 'read')) return null;
    return last === undefined && learned === undefined ? null : 'its deletion was not emitted';
  }

  private missingFor(
    record: Snapshot,
    last: Emitted | undefined,
    learned: Snapshot | undefined,
  ): string | null {
    // Outside the filter, the trigger cannot know it.
    if (this.world.kind.narrowed && !record.matches) return null;
    if (last?.event === 'deleted') return 'it is there, and was emitted as deleted';
    // The change was emitted without its values.
    if (last?.record === null)
      return (last.revision ?? 0) >= record.revision ? null : `revision ${record.revision} was not emitted`;
    const known = last?.record ?? learned;
    if (known === undefined) {
      const isNew = Number(record.id) > this.highestAtBeginning;
      return this.settings.emitExisting || isNew ? 'its creation was not emitted' : null;
    }
    return this.missingForChange(record, known);
  }

  private missingForChange(record: Snapshot, known: Snapshot): string | null {
    if (this.settings.watched.length > 0)
      return known.watched === record.watched ? null : `shows ${known.watched}, is ${record.watched}`;
    return known.revision === record.revision
      ? null
      : `revision ${record.revision} was not emitted, only ${known.revision}`;
  }
}

/** The highest ID; -1 if there is none. */
function highestOf(ids: readonly string[]): number {
  return Math.max(-1, ...ids.map(Number));
}
