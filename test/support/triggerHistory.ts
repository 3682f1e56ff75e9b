import { poll } from '../../nodes/ApplicationDataService/trigger/poll/poll';
import type { Change, PollSettings } from '../../nodes/ApplicationDataService/trigger/poll/settings';
import { decodeState, encodeState } from '../../nodes/ApplicationDataService/trigger/state/stateCodec';
import { World, type Happening, type Snapshot, type WorldKind } from './triggerWorld';

/** One step of a history. */
export type Step =
  | { readonly kind: 'happen'; readonly happenings: readonly Happening[] }
  | {
      readonly kind: 'poll';
      readonly during: readonly Happening[];
      /** Number of the call that fails. */
      readonly failAt: number | null;
      readonly failsOn: boolean;
      /** Calls after which the poll's budget is used up. */
      readonly calls: number;
    }
  /** The process ends; what n8n saved last is what the next one begins with. */
  | { readonly kind: 'restart' };

/** A change as it was emitted, and when. */
export type Emitted = Change<Snapshot> & { readonly poll: number };

/** What was expected and did not come, or came and was not expected. */
export type Complaint = string;

/**
 * Plays a history of records, polls, failures and restarts, and judges what was emitted by what happened. It knows
 * nothing of how a poll works.
 */
export class History {
  readonly world: World;
  readonly emitted: Emitted[] = [];
  readonly complaints: Complaint[] = [];
  /** The state in the process, and as n8n saved it: when a poll emits, and once after activation. */
  private memory: string | null = null;
  private saved: string | null = null;
  private activated = false;
  private polls = 0;
  /** Records of the list when the trigger began; `null` before. */
  private atBeginning: Set<string> | null = null;
  /** Records and their state when the first scan was done; `null` before. */
  private atBaseline: Map<string, Snapshot> | null = null;
  private highestAtBeginning = -1;

  constructor(
    kind: WorldKind,
    private readonly settings: PollSettings,
  ) {
    this.world = new World(kind);
  }

  async play(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      if (step.kind === 'happen') step.happenings.forEach((each) => this.world.happen(each));
      else if (step.kind === 'restart') this.restart();
      else await this.poll(step);
    }
  }

  /** Polls until everything has surely been seen; a full scan is due in each. */
  async settle(): Promise<void> {
    for (let quiet = 0, polls = 0; quiet < 4; polls++) {
      if (polls > 500) throw new Error('The trigger does not come to rest');
      this.world.minute += 10;
      const before = this.emitted.length;
      const phase = this.memory;
      await this.poll({ kind: 'poll', during: [], failAt: null, failsOn: false, calls: Infinity });
      quiet = this.emitted.length === before && phase !== null ? quiet + 1 : 0;
    }
  }

  private restart(): void {
    this.memory = this.saved;
    this.activated = false;
    // The first scan begins anew with what was saved: what it had learned since is learned again.
    if (this.saved === null) {
      this.atBeginning = null;
      this.atBaseline = null;
    } else if (this.saved.includes('"baseline":{')) this.atBaseline = null;
  }

  private async poll({ during, failAt, failsOn, calls }: Extract<Step, { kind: 'poll' }>): Promise<void> {
    const { world } = this;
    this.polls++;
    const previous = this.memory === null ? null : await decodeState(this.memory);
    if (this.memory !== null && previous === null) this.complaints.push('The state cannot be read');
    Object.assign(world, { during: [...during], failAt, failsOn });
    const start = world.calls;
    const spent = (): number => world.calls - start;
    const context = {
      source: world,
      settings: this.settings,
      budget: { mayScan: () => spent() < calls, mayRead: () => spent() < calls * 2 },
      warn: () => undefined,
      now: world.minute * 60_000,
    };
    const outcome = await poll(previous, context).catch(() => null);
    Object.assign(world, { during: [], failAt: null });
    if (outcome === null) return;
    if (this.atBeginning === null) {
      this.atBeginning = new Set(world.whenAskedForLast);
      this.highestAtBeginning = Math.max(-1, ...world.whenAskedForLast.map(Number));
    }
    if (this.atBaseline === null && outcome.state.baseline === null) this.atBaseline = this.learned();
    this.memory = await encodeState(outcome.state);
    outcome.changes.forEach((change) => this.emit({ ...change, poll: this.polls }));
    this.checkOrder(outcome.changes);
    if (outcome.changes.length > this.settings.maxRecords) this.complaints.push('More than was asked for');
    if (outcome.changes.length > 0 || !this.activated) this.saved = this.memory;
    this.activated = true;
  }

  /** Records that the first scan learned without emitting them: those that were there when the trigger began. */
  private learned(): Map<string, Snapshot> {
    const old = this.world
      .listed()
      .filter(({ id }) => !this.settings.emitExisting && this.atBeginning?.has(id) === true);
    return new Map(old.map((record) => [record.id, { ...record }]));
  }

  /** Judges one change by what happened to the record and what was emitted of it before. */
  private emit(change: Emitted): void {
    const last = this.lastOf(change.id);
    const complain = (what: string): void => {
      this.complaints.push(`${change.event} ${change.id} in poll ${change.poll}: ${what}`);
    };
    this.emitted.push(change);
    if (last?.event === 'deleted') return complain('was deleted before');
    if (last !== undefined && !this.settings.watchesParts && change.previousRevision !== last.revision)
      complain(`follows revision ${change.previousRevision}, but ${last.revision} was emitted`);
    if (change.event === 'deleted') {
      if (this.world.records.has(change.id)) complain('exists');
      return;
    }
    if (change.revision !== change.record.revision) complain('does not fit its record');
    if (change.revision > this.world.everything.get(change.id)!.revision) complain('never had this revision');
    if (change.event === 'created') this.judgeCreated(change.id, last, complain);
    else this.judgeUpdated(change, last, complain);
  }

  private judgeCreated(id: string, last: Emitted | undefined, complain: (what: string) => void): void {
    if (last !== undefined) complain('was known');
    const old = this.atBeginning?.has(id) === true && Number(id) <= this.highestAtBeginning;
    if (old && !this.settings.emitExisting && !this.world.kind.narrowed) complain('was there before');
  }

  private judgeUpdated(
    { revision, previousRevision, record }: Extract<Emitted, { record: unknown }>,
    last: Emitted | undefined,
    complain: (what: string) => void,
  ): void {
    if (previousRevision === null || revision <= previousRevision) complain('is not newer than before');
    if (!this.settings.watchesParts || last === undefined || last.event === 'deleted') return;
    if (last.record.watched === record.watched) complain('no watched part changed');
  }

  private lastOf(id: string): Emitted | undefined {
    return this.emitted.findLast((each) => each.id === id);
  }

  /** In one poll: changes by id, then deletions by id. Quick polls have the oldest change first instead. */
  private checkOrder(changes: readonly Change<Snapshot>[]): void {
    if (this.settings.quick !== undefined) return;
    const ranks = changes.map(({ event, id }) => Number(id) + (event === 'deleted' ? 1e6 : 0));
    if (ranks.some((rank, index) => index > 0 && rank <= ranks[index - 1]!))
      this.complaints.push('Changes are out of order');
  }

  /** Judges, after {@link settle}, whether anything is missing. */
  judge(): readonly Complaint[] {
    for (const record of this.world.everything.values()) {
      const last = this.lastOf(record.id);
      const learned = this.atBaseline?.get(record.id);
      const lack = this.world.records.has(record.id)
        ? this.lackOf(record, last, learned)
        : this.lackOfDeleted(last, learned);
      if (lack !== null) this.complaints.push(`${record.id} in the end: ${lack}`);
    }
    return this.complaints;
  }

  private lackOfDeleted(last: Emitted | undefined, learned: Snapshot | undefined): string | null {
    // Under a filter it may have left before: then nobody looks after it.
    if (this.world.kind.narrowed || last?.event === 'deleted') return null;
    return last === undefined && learned === undefined ? null : 'its deletion was not emitted';
  }

  private lackOf(record: Snapshot, last: Emitted | undefined, learned: Snapshot | undefined): string | null {
    if ((this.world.kind.narrowed && !record.matches) || last?.event === 'deleted') return null;
    const known = last?.record ?? learned;
    if (known === undefined) {
      const isNew = this.world.kind.ascending && Number(record.id) > this.highestAtBeginning;
      return this.settings.emitExisting || isNew ? 'its creation was not emitted' : null;
    }
    if (this.settings.watchesParts)
      return known.watched === record.watched ? null : `shows ${known.watched}, is ${record.watched}`;
    return known.revision === record.revision
      ? null
      : `revision ${record.revision} was not emitted, only ${known.revision}`;
  }
}
