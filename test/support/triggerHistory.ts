import { judgePoll, poll, type PollOutcome } from '../../nodes/ApplicationDataService/trigger/poll/poll';
import {
  newPollMemory,
  type PollSettings,
  type RecordChange,
} from '../../nodes/ApplicationDataService/trigger/poll/context';
import { decodeState, encodeState } from '../../nodes/ApplicationDataService/trigger/state/stateCodec';
import type { TriggerState } from '../../nodes/ApplicationDataService/trigger/state/triggerState';
import { highestOf, HistoryJudge } from './historyJudge';
import type { Happening, Snapshot, WorldKind } from './triggerHappenings';
import { QUIET, type Complaint, type Engine, type Step } from './triggerSteps';
import { CALL_MS, World } from './triggerWorld';

/** Enough time for any poll. */
const NO_END_MS = 1e5;
/** The most polls until nothing more is emitted, besides those that short polls need for each record. */
const MAX_POLLS = 60;

/**
 * Plays a history of records, polls, failures and restarts, and has a judge check what is emitted. It knows nothing
 * about how a poll works.
 */
export class TriggerHistory {
  readonly world: World;
  private readonly verdicts: HistoryJudge;
  /**
   * The state in the process, and the state that n8n saved: when a poll emitted something, and once after activation.
   */
  private memory: string | null = null;
  private saved: string | null = null;
  private activated = false;
  private polls = 0;
  private pollMemory = newPollMemory(5);
  /** The highest ID when the first scan with another key began; `null` when no such scan is in progress. */
  private adopting: number | null = null;

  constructor(
    kind: WorldKind,
    private readonly settings: PollSettings,
    private readonly engine: Engine = 'usual',
    /** The number of calls for which a poll has time while the history settles. */
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

  /** Polls until nothing more is emitted. A full scan is due in each poll. */
  async settle(): Promise<void> {
    const { size } = this.world.everything;
    // If polls are short, a scan takes several of them.
    const isSlow = this.callsInTheEnd !== Infinity;
    const most = MAX_POLLS + (isSlow ? 40 : 5) * size;
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
    // The first scan starts over from the saved state, so it learns again what it had learned since.
    if (this.saved === null) this.verdicts.startOver();
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
      deliver: async (change, isLastTry) => await Promise.resolve(this.deliver(change, isLastTry)),
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
   * Records that existed when another key was first used count as old. If IDs do not grow, so do records that appeared
   * between them before the first scan with that key was done.
   */
  private learnBefore({ baseline }: TriggerState): void {
    if (this.adopting === null) return;
    const highest = this.adopting;
    const there = [...this.world.listed().map(({ id }) => id), ...this.world.whenAskedForLast];
    this.verdicts.forget(there.filter((id) => Number(id) <= highest));
    if (baseline === null) this.adopting = null;
  }

  /** Saves and judges the outcome of a poll. */
  private async keep({ state, emitted }: PollOutcome<RecordChange<Snapshot>>): Promise<void> {
    this.verdicts.begin();
    if (state.baseline === null) this.verdicts.learn();
    this.memory = await encodeState(state);
    const changes = emitted.map(({ item }) => item);
    this.verdicts.judgePoll(changes, this.polls);
    if (changes.length > 0 || !this.activated || this.engine === 'durable') this.saved = this.memory;
    this.activated = true;
  }

  /** A file that can never be downloaded is left out after enough tries. */
  private deliver(
    change: RecordChange<Snapshot>,
    isLastTry: boolean,
  ): { readonly item: RecordChange<Snapshot> } | { readonly later: unknown } {
    const isBroken = change.event !== 'deleted' && change.record?.broken === 'file';
    return isBroken && !isLastTry ? { later: new Error('The file does not come') } : { item: change };
  }

  /** The complaints, after {@link settle}. */
  judge(): readonly Complaint[] {
    return this.verdicts.judgeEnd();
  }
}
