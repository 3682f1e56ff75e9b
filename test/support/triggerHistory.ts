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
import { highestOf, HistoryJudge } from './historyJudge';
import type { Happening, Snapshot, WorldKind } from './triggerHappenings';
import { QUIET, type Complaint, type Engine, type Step } from './triggerSteps';
import { CALL_MS, World } from './triggerWorld';

/** Time enough for everything. */
const NO_END_MS = 1e5;
/** Polls in which everything must be settled, besides those for the records that a poll may give. */
const MOST_POLLS = 60;

/**
 * Plays a history of records, polls, failures and restarts, and has judged what was emitted. It knows nothing of how a
 * poll works.
 */
export class History {
  readonly world: World;
  private readonly verdicts: HistoryJudge;
  /** The state in the process, and as n8n saved it: when a poll emits, and once after activation. */
  private memory: string | null = null;
  private saved: string | null = null;
  private activated = false;
  private polls = 0;
  private pollMemory = newPollMemory(5);
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
    this.verdicts = new HistoryJudge(this.world, settings);
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
      this.verdicts.forget(everything.keys());
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
        this.verdicts.complain(`The trigger does not come to rest: ${this.memory?.slice(0, 500)}`);
        return;
      }
      this.world.minute += 10;
      const before = this.verdicts.emitted.length;
      await this.poll({ ...QUIET, calls: this.callsInTheEnd });
      if (this.verdicts.emitted.length > before) quiet = 0;
      else if (this.memory?.includes('"baseline":null') === true) quiet++;
    }
  }

  private restart(): void {
    this.memory = this.saved;
    this.activated = false;
    this.pollMemory = newPollMemory(5);
    if (this.saved?.includes('"adopts":true') !== true) this.adopting = null;
    // The first scan begins anew with what was saved: what it had learned since is learned again.
    if (this.saved === null) this.verdicts.beginAnew();
    else if (this.saved.includes('"baseline":{')) this.verdicts.learnAgain();
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
    if (this.memory !== null && previous === null) this.verdicts.complain('The state cannot be read');
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
    if (calls === Infinity && world.spent >= end) this.verdicts.complain('A poll does not come to an end');
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
    const highest = this.adopting;
    const there = [...this.world.listed().map(({ id }) => id), ...this.world.whenAskedForLast];
    this.verdicts.forget(there.filter((id) => Number(id) <= highest));
    if (baseline === null) this.adopting = null;
  }

  /** Remembers and judges what a poll came to. */
  private async keep({ state, given }: PollOutcome<Change<Snapshot>>): Promise<void> {
    this.verdicts.begin();
    if (state.baseline === null) this.verdicts.learn();
    this.memory = await encodeState(state);
    const changes = given.map(({ item }) => item);
    this.verdicts.judgePoll(changes, this.polls);
    if (changes.length > 0 || !this.activated || this.engine === 'durable') this.saved = this.memory;
    this.activated = true;
  }

  /** A file that never comes is left out once it was tried often enough. */
  private deliver(change: Change<Snapshot>, lacks: unknown): Delivery<Change<Snapshot>> {
    if (change.event !== 'deleted' && change.record?.broken === 'file' && lacks === null)
      return { later: new Error('The file does not come'), hasProgressed: false };
    return { item: change };
  }

  /** What is wrong, after {@link settle}. */
  judge(): readonly Complaint[] {
    return this.verdicts.judgeEnd();
  }
}
