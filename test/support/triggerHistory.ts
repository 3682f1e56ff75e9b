import { judgePoll } from '../../nodes/ApplicationDataService/trigger/node/failingPolls';
import { newPollMemory } from '../../nodes/ApplicationDataService/trigger/poll/pageSize';
import { poll, type PollOutcome } from '../../nodes/ApplicationDataService/trigger/poll/poll';
import type {
  Change,
  Delivery,
  PollSettings,
} from '../../nodes/ApplicationDataService/trigger/poll/settings';
import { decodeState, encodeState } from '../../nodes/ApplicationDataService/trigger/state/stateCodec';
import type { TriggerState } from '../../nodes/ApplicationDataService/trigger/state/triggerState';
import { QUIET, type Complaint, type Emitted, type Engine, type Step } from './triggerSteps';
import { CALL_MS, World, type Happening, type Snapshot, type WorldKind } from './triggerWorld';

/** Time enough for everything. */
const NO_END_MS = 1e5;
/** Polls in which everything must be settled, besides those for the records that a poll may give. */
const MOST_POLLS = 60;

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
  private pollMemory = newPollMemory(5);
  /** Records that were there when the key was changed: what of them was not known then is learned, not created. */
  private readonly beforeKey = new Set<string>();
  /** The highest ID when the first scan with another key was begun, while that is going on. */
  private adopting: number | null = null;

  constructor(
    kind: WorldKind,
    private readonly settings: PollSettings,
    private readonly engine: Engine = 'usual',
    /** Calls for which a poll has time in the end. */
    private readonly callsInTheEnd = Infinity,
  ) {
    this.world = new World(kind);
  }

  async play(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      if (step.kind === 'happen') step.happenings.forEach((each) => this.happen(each));
      else if (step.kind === 'restart') this.restart();
      else await this.poll(step);
    }
  }

  private happen(happening: Happening): void {
    const { everything, seesSecrets } = this.world;
    if (happening.kind === 'key' && happening.seesSecrets !== seesSecrets)
      for (const id of everything.keys()) this.beforeKey.add(id);
    this.world.happen(happening);
  }

  /** Polls until everything has surely been seen; a full scan is due in each. */
  async settle(): Promise<void> {
    const { size } = this.world.everything;
    // Where polls are short, a scan takes several of them.
    const isSlow = this.callsInTheEnd !== Infinity;
    const most = MOST_POLLS + (isSlow ? 40 : 5) * size;
    const enough = isSlow ? 12 + 3 * size : 12;
    this.world.isRunning = true;
    for (let quiet = 0, polls = 0; quiet < enough; polls++) {
      if (polls > most) {
        this.complaints.push(`The trigger does not come to rest: ${this.memory?.slice(0, 500)}`);
        return;
      }
      this.world.minute += 10;
      const before = this.emitted.length;
      await this.poll({ ...QUIET, calls: this.callsInTheEnd });
      if (this.emitted.length > before) quiet = 0;
      else if (this.memory?.includes('"baseline":null') === true) quiet++;
    }
  }

  private restart(): void {
    this.memory = this.saved;
    this.activated = false;
    this.pollMemory = newPollMemory(5);
    if (this.saved?.includes('"adopts":true') !== true) this.adopting = null;
    // The first scan begins anew with what was saved: what it had learned since is learned again.
    if (this.saved === null) {
      this.atBeginning = null;
      this.atBaseline = null;
    } else if (this.saved.includes('"baseline":{')) this.atBaseline = null;
  }

  private async poll({
    during,
    failAt,
    failsOn,
    calls,
    crashes,
  }: Extract<Step, { kind: 'poll' }>): Promise<void> {
    const { world } = this;
    this.polls++;
    const previous = this.memory === null ? null : await decodeState(this.memory);
    if (this.memory !== null && previous === null) this.complaints.push('The state cannot be read');
    Object.assign(world, { during: [...during], failAt, failsOn });
    const end = world.spent + (calls === Infinity ? NO_END_MS : calls * CALL_MS);
    const credential = world.seesSecrets ? 'all' : 'few';
    const known = previous?.credential ?? credential;
    const outcome = await poll(previous, {
      source: world,
      settings: { ...this.settings, credential },
      budget: { left: () => end - world.spent },
      memory: this.pollMemory,
      deliver: async (change, lacks) => await Promise.resolve(this.deliver(change, lacks)),
      warn: () => undefined,
      now: world.minute * 60_000,
    }).catch(() => null);
    Object.assign(world, { during: [], failAt: null });
    if (calls === Infinity && world.spent >= end) this.complaints.push('A poll does not come to an end');
    if (crashes) return this.restart();
    if (outcome === null) return;
    if (known !== credential) this.adopting = highestOf(world.whenAskedForLast);
    this.learnBefore(outcome.state);
    const judgement = judgePoll(outcome);
    outcome.state.failing = judgement.failing;
    if (judgement.throws && this.engine === 'durable') return;
    await this.keep(outcome);
  }

  /**
   * What was there when another key was first used counts as old. Where IDs do not grow, so does what came between older ones
   * until the first scan with that key was done.
   */
  private learnBefore({ baseline }: TriggerState): void {
    if (this.adopting === null) return;
    for (const { id } of this.world.listed()) if (Number(id) <= this.adopting) this.beforeKey.add(id);
    for (const id of this.world.whenAskedForLast) if (Number(id) <= this.adopting) this.beforeKey.add(id);
    if (baseline === null) this.adopting = null;
  }

  /** Remembers and judges what a poll came to. */
  private async keep({ state, given }: PollOutcome<Change<Snapshot>>): Promise<void> {
    const { world } = this;
    if (this.atBeginning === null) {
      this.atBeginning = new Set(world.whenAskedForLast);
      this.highestAtBeginning = highestOf(world.whenAskedForLast);
    }
    if (this.atBaseline === null && state.baseline === null) this.atBaseline = this.learned();
    this.memory = await encodeState(state);
    const changes = given.map(({ item }) => item);
    changes.forEach((change) => this.emit({ ...change, poll: this.polls }));
    this.checkOrder(changes);
    if (changes.length > this.settings.maxRecords) this.complaints.push('More than was asked for');
    if (changes.length > 0 || !this.activated || this.engine === 'durable') this.saved = this.memory;
    this.activated = true;
  }

  /** A file that never comes is left out once it was tried often enough. */
  private deliver(change: Change<Snapshot>, lacks: unknown): Delivery<Change<Snapshot>> {
    if (change.event !== 'deleted' && change.record?.broken === 'file' && lacks === null)
      return { later: new Error('The file does not come'), hasProgressed: false };
    return { item: change };
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
      this.complaints.push('Changes are out of order');
  }

  /** Judges, after {@link settle}, whether anything is missing. */
  judge(): readonly Complaint[] {
    for (const record of this.world.everything.values()) {
      const last = this.lastOf(record.id);
      const learned = this.atBaseline?.get(record.id);
      const lack = this.world.records.has(record.id)
        ? this.lackOf(record, last, learned)
        : this.lackOfDeleted(record, last, learned);
      if (lack !== null) this.complaints.push(`${record.id} in the end: ${lack}`);
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

function highestOf(ids: readonly string[]): number {
  return Math.max(-1, ...ids.map(Number));
}
