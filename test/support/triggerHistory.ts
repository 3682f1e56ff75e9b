import { judgePoll, poll, type PollOutcome } from '../../nodes/ApplicationDataService/trigger/poll/poll';
import type { RecordChange } from '../../nodes/ApplicationDataService/trigger/poll/context';
import { RecordSource } from '../../nodes/ApplicationDataService/trigger/source/recordSource';
import { PollTime } from '../../nodes/ApplicationDataService/trigger/source/time';
import {
  decodeState,
  encodeState,
  type TriggerState,
} from '../../nodes/ApplicationDataService/trigger/state/stateCodec';
import { HistoryJudge } from './historyJudge';
import { ServiceError } from '../../nodes/ApplicationDataService/service/http/errors';
import type {
  Given,
  HistorySettings,
  PollStep,
  Saving,
  ScriptStep,
  Snapshot,
  WorldKind,
} from './triggerScript';
import { CALL_MS, World } from './triggerWorld';

/** Pages of few records, so that a list has several. */
class SmallPages extends RecordSource {
  override list(...[order, terms]: Parameters<RecordSource['list']>): ReturnType<RecordSource['list']> {
    return super.list(order, { ...terms, length: 5 });
  }
}

/** A poll in which nothing happens. */
const QUIET = { kind: 'poll', during: [], failAt: null, failsOn: false, crashes: false } as const;
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

  constructor(
    kind: WorldKind,
    private readonly settings: HistorySettings,
    private readonly engine: Saving = 'usual',
    /** The number of calls for which a poll has time while the history settles. */
    private readonly callsInTheEnd = Infinity,
  ) {
    this.world = new World(kind);
    this.verdicts = new HistoryJudge(this.world, settings);
  }

  async play(steps: readonly ScriptStep[]): Promise<void> {
    for (const step of steps) {
      if (step.kind === 'happen') step.happenings.forEach((each) => this.world.happen(each));
      else if (step.kind === 'restart') this.restart();
      else await this.poll(step);
    }
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
      else if (this.memory?.includes('"learnsUpTo":null') === true) quiet++;
    }
  }

  private restart(): void {
    this.memory = this.saved;
    this.activated = false;
    this.world.abilities = { revisionByName: true };
    // The first scan starts over from the saved state, so it learns again what it had learned since.
    if (this.saved === null) this.verdicts.startOver();
    else if (this.saved.includes('"learnsUpTo":null') === false) this.verdicts.learnAgain();
  }

  private async poll({ during, failAt, failsOn, calls, crashes }: PollStep): Promise<void> {
    const { world } = this;
    world.poll = ++this.polls;
    const previous = this.memory === null ? undefined : await decodeState(this.memory);
    if (this.memory !== null && previous === null) this.verdicts.complain('The state cannot be read');
    Object.assign(world, { during: [...during], failAt, failsOn });
    const total = calls === Infinity ? NO_END_MS : calls * CALL_MS;
    const end = world.spent + total;
    const outcome = await this.pollFrom(previous ?? undefined, total);
    Object.assign(world, { during: [], failAt: null });
    if (calls === Infinity && world.spent >= end) this.verdicts.complain('A poll does not come to an end');
    if (crashes) return this.restart();
    if (outcome === null) return;
    const judgement = judgePoll(outcome);
    outcome.state.failing = judgement.failing;
    if (judgement.throws && this.engine === 'durable') return;
    await this.keep(outcome);
  }

  private async pollFrom(
    previous: TriggerState | undefined,
    total: number,
  ): Promise<PollOutcome<Given> | null> {
    const { world, settings } = this;
    const time = new PollTime(world.clock, total, 2 * total);
    const watch = world.watch(settings.watched.length > 0);
    return await poll(previous, {
      source: new SmallPages(world.app, watch, time, true),
      settings,
      time,
      deliver: async (change, isLastTry) => await Promise.resolve(this.deliver(change, isLastTry)),
      warn: () => undefined,
      polls: world.poll,
    }).catch(() => null);
  }

  /** Saves and judges the outcome of a poll. */
  private async keep({ state, emitted }: PollOutcome<Given>): Promise<void> {
    this.verdicts.begin();
    if (state.learnsUpTo === null) this.verdicts.learn();
    this.memory = await encodeState(state);
    const changes = emitted.map(({ item }) => item);
    this.verdicts.judgePoll(changes, this.polls);
    if (changes.length > 0 || !this.activated || this.engine === 'durable') this.saved = this.memory;
    this.activated = true;
  }

  /** A file that can never be downloaded is left out after enough tries. */
  private deliver(
    change: RecordChange,
    isLastTry: boolean,
  ): { readonly item: Given } | { readonly later: unknown } {
    const record = (change.record?.snapshot ?? null) as Snapshot | null;
    if (record?.broken === 'file' && !isLastTry)
      return { later: new ServiceError('badAnswer', 'The file does not come', '') };
    return { item: { ...change, record } };
  }

  /** How many polls a change waited at most. */
  get longestWait(): number {
    return this.verdicts.longestWait;
  }

  /** The complaints, after {@link settle}. */
  judge(): readonly string[] {
    return this.verdicts.judgeEnd();
  }
}
