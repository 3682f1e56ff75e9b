import type { Change, PollSettings } from '../../nodes/ApplicationDataService/trigger/poll/settings';
import type { Complaint, Emitted } from './triggerSteps';
import type { Snapshot } from './triggerHappenings';
import type { World } from './triggerWorld';

/** Judges what a trigger emits by what happened in the world. It knows nothing of how a poll works. */
export class HistoryJudge {
  readonly emitted: Emitted[] = [];
  private readonly complaints: Complaint[] = [];
  /** Records of the list when the trigger began; `null` before. */
  private atBeginning: Set<string> | null = null;
  private highestAtBeginning = -1;
  /** Records and their state when the first scan was done; `null` before. */
  private atBaseline: Map<string, Snapshot> | null = null;
  /** Records that were there when the key was changed: what of them was not known then is learned, not created. */
  private readonly beforeKey = new Set<string>();

  constructor(
    private readonly world: World,
    private readonly settings: PollSettings,
  ) {}

  complain(what: Complaint): void {
    this.complaints.push(what);
  }

  /** The trigger began with the list that it asked for last, unless it had begun before. */
  begin(): void {
    if (this.atBeginning !== null) return;
    this.atBeginning = new Set(this.world.whenAskedForLast);
    this.highestAtBeginning = highestOf(this.world.whenAskedForLast);
  }

  /** The first scan is done, unless it was before: it learned the records that were there when the trigger began. */
  learn(): void {
    if (this.atBaseline !== null) return;
    const old = this.world
      .listed()
      .filter(({ id }) => !this.settings.emitExisting && this.atBeginning?.has(id) === true);
    this.atBaseline = new Map(old.map((record) => [record.id, { ...record }]));
  }

  /** Nothing of the trigger was saved. */
  beginAnew(): void {
    this.atBeginning = null;
    this.learnAgain();
  }

  /** The first scan was not done when the trigger was saved. */
  learnAgain(): void {
    this.atBaseline = null;
  }

  /** The key was changed while these records were there. */
  forget(ids: Iterable<string>): void {
    for (const id of ids) this.beforeKey.add(id);
  }

  /** Judges what one poll emitted. */
  judgePoll(changes: readonly Change<Snapshot>[], poll: number): void {
    changes.forEach((change) => this.emit({ ...change, poll }));
    this.checkOrder(changes);
    if (changes.length > this.settings.maxRecords) this.complain('More than was asked for');
  }

  /** Judges one change by what happened to the record and what was emitted of it before. */
  private emit(change: Emitted): void {
    const last = this.lastOf(change.id);
    const complain = (what: string): void => {
      this.complain(`${change.event} ${change.id} in poll ${change.poll}: ${what}`);
    };
    this.emitted.push(change);
    if (last?.event === 'deleted') return complain('was deleted before');
    const isForgotten = this.beforeKey.has(change.id) && this.world.everything.get(change.id)!.isSecret;
    if (isForgotten) return;
    if (last !== undefined && this.settings.differs === null && change.previousRevision !== last.revision)
      complain(`follows revision ${change.previousRevision}, but ${last.revision} was emitted`);
    if (change.event === 'deleted') {
      if (this.world.records.has(change.id)) complain('exists');
      return;
    }
    if (change.record !== null && change.revision !== change.record.revision)
      complain('does not fit its record');
    if ((change.revision ?? 0) > this.world.everything.get(change.id)!.revision)
      complain('never had this revision');
    if (change.event === 'created') this.judgeCreated(change.id, last, complain);
    else this.judgeUpdated(change, last, complain);
  }

  private judgeCreated(id: string, last: Emitted | undefined, complain: (what: string) => void): void {
    if (last !== undefined) complain('was known');
    if (this.beforeKey.has(id) && this.world.everything.get(id)!.isSecret) complain('was learned');
    // The first scan cannot know what no list shows.
    if (this.world.unlisted.has(id)) return;
    const old = this.atBeginning?.has(id) === true && Number(id) <= this.highestAtBeginning;
    if (old && !this.settings.emitExisting && !this.world.kind.narrowed) complain('was there before');
  }

  private judgeUpdated(
    { revision, previousRevision, record }: Extract<Emitted, { record: unknown }>,
    last: Emitted | undefined,
    complain: (what: string) => void,
  ): void {
    if (previousRevision === null || (revision ?? 0) <= previousRevision)
      complain('is not newer than before');
    if (this.settings.differs === null || last === undefined || last.event === 'deleted') return;
    if (last.record !== null && last.record.watched === record?.watched) complain('no watched part changed');
  }

  private lastOf(id: string): Emitted | undefined {
    return this.emitted.findLast((each) => each.id === id);
  }

  /**
   * In one poll: changes by id, then deletions by id. Quick polls have the oldest change first instead. A record that changes
   * while the poll goes on may come once for each change.
   */
  private checkOrder(changes: readonly Change<Snapshot>[]): void {
    if (this.settings.quick !== undefined) return;
    const ranks = changes.map(({ event, id }) => Number(id) + (event === 'deleted' ? 1e6 : 0));
    if (ranks.some((rank, index) => index > 0 && rank < ranks[index - 1]!))
      this.complain('Changes are out of order');
  }

  /** Judges in the end, when everything has surely been seen, whether anything is missing. @returns all complaints. */
  judgeEnd(): readonly Complaint[] {
    for (const record of this.world.everything.values()) {
      const last = this.lastOf(record.id);
      const learned = this.atBaseline?.get(record.id);
      const lack = this.world.records.has(record.id)
        ? this.lackOf(record, last, learned)
        : this.lackOfDeleted(record, last, learned);
      if (lack !== null) this.complain(`${record.id} in the end: ${lack}`);
    }
    return this.complaints;
  }

  private lackOfDeleted(
    { id }: Snapshot,
    last: Emitted | undefined,
    learned: Snapshot | undefined,
  ): string | null {
    // Under a filter it may have left before: then nobody looks after it.
    if (this.world.kind.narrowed || last?.event === 'deleted') return null;
    if (this.world.unlisted.has(id) && last === undefined) return null;
    // Where no other record can be read, a refusal proves nothing.
    const others = [...this.world.records.values()].slice(0, 5);
    if (others.length > 0 && others.every(({ broken }) => broken === 'read')) return null;
    // What was missing when the key was changed is forgotten.
    if (this.beforeKey.has(id)) return null;
    return last === undefined && learned === undefined ? null : 'its deletion was not emitted';
  }

  /** What nobody can ask of the trigger. */
  private isExempt(record: Snapshot, last: Emitted | undefined): boolean {
    const { kind, unlisted } = this.world;
    if ((kind.narrowed && !record.matches) || !this.world.isSeen(record)) return true;
    // What was not known when the key was changed is learned.
    if (this.beforeKey.has(record.id) && (record.isSecret || last === undefined)) return true;
    // What no list ever showed cannot be known.
    return unlisted.has(record.id) && last === undefined;
  }

  private lackOf(record: Snapshot, last: Emitted | undefined, learned: Snapshot | undefined): string | null {
    if (last?.event === 'deleted' || this.isExempt(record, last)) return null;
    // It came without its values.
    if (last?.record === null)
      return (last.revision ?? 0) >= record.revision ? null : `revision ${record.revision} was not emitted`;
    const known = last?.record ?? learned;
    if (known === undefined) {
      const isNew = this.world.kind.ascending && Number(record.id) > this.highestAtBeginning;
      return this.settings.emitExisting || isNew ? 'its creation was not emitted' : null;
    }
    return this.lackOfChange(record, known);
  }

  private lackOfChange(record: Snapshot, known: Snapshot): string | null {
    if (this.settings.differs !== null)
      return known.watched === record.watched ? null : `shows ${known.watched}, is ${record.watched}`;
    return known.revision === record.revision
      ? null
      : `revision ${record.revision} was not emitted, only ${known.revision}`;
  }
}

/** The highest of some IDs; -1 where there are none. */
export function highestOf(ids: readonly string[]): number {
  return Math.max(-1, ...ids.map(Number));
}
