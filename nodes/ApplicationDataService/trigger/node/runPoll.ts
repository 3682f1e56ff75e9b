import type {
  INode,
  INodeExecutionData,
  IPollFunctions,
  NodeApiError,
  NodeOperationError,
} from 'n8n-workflow';

import { toNodeError } from '../../common/errors';
import { namePart } from '../../parts/model/errors';
import { type ApplicationSession, ServiceSession } from '../../service/application/session';
import { parseBaseUrl } from '../../service/http/address';
import { MAX_LIST_LENGTH, type ServiceClient } from '../../service/http/client';
import { connect } from '../../service/http/connect';
import { CREDENTIAL_NAME, readCredential } from '../../service/http/credentials';
import { type FailureKind, isLasting, isRefusal, ServiceError } from '../../service/http/errors';
import { mask } from '../../service/http/secrets';
import { counted } from '../../util/counted';
import { UserError } from '../../util/userError';
import { newPollMemory, type PollMemory, type PollSettings, type Warn } from '../poll/context';
import { judgePoll, poll } from '../poll/poll';
import { Deadline, machineClock, type PollClock, type PollTime } from '../source/deadline';
import { notRunning, ServiceSource } from '../source/serviceSource';
import { decodeState, encodeWithin } from '../state/stateCodec';
import type { TriggerState } from '../state/triggerState';
import { itemMaker } from './itemMaker';
import { nothingToShow, samples } from './manualRun';
import {
  credentialNote,
  readParameters,
  readPollSettings,
  readWatch,
  type TriggerParameters,
} from './settings';

/** Items for the workflow; `null` if nothing changed. */
type Items = INodeExecutionData[][] | null;

/**
 * One poll of the trigger node, or what a manual run shows. Returns `null` if nothing changed.
 * @throws NodeApiError or NodeOperationError, with `failure`.
 */
export async function runPoll(context: IPollFunctions, clock: PollClock = machineClock): Promise<Items> {
  const memory = memoryOf(context);
  if (context.getMode() === 'manual') {
    try {
      return await new OnePoll(context, memory, startPollTime(context, false, clock)).show();
    } catch (error) {
      throw toPollError(context.getNode(), error);
    }
  }
  // n8n starts a poll even if the last one is still running. Two would read and emit the same.
  if (memory.running) return null;
  memory.running = true;
  const atStake = isFirstPoll(context) && grantedMs(context) > DURABLE_BUDGET_MS;
  try {
    return await new OnePoll(context, memory, startPollTime(context, atStake, clock)).run();
  } catch (error) {
    if (!atStake || !isTransient(error)) throw toPollError(context.getNode(), error);
    // If this threw, n8n would never poll again. If the failure persists, the next poll throws.
    warn(context, `The first poll is postponed: ${(error as Error).message}`);
    return null;
  } finally {
    memory.running = false;
  }
}

/** n8n gives up a trigger permanently if its first poll takes more than 84 s, and people wait for an activation. */
const FIRST_POLL_MS = 18_000;
/** What n8n allows if it does not say. */
const USUAL_BUDGET_MS = 300_000;
/** n8n's durable engine allows less, but does not give up triggers. */
const DURABLE_BUDGET_MS = 60_000;
/** The share of n8n's time limit that a poll uses. The rest is for saving the result. */
const USED_SHARE = 0.8;

function grantedMs(context: IPollFunctions): number {
  // Older versions of n8n do not have it.
  const grant = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : USUAL_BUDGET_MS;
  return Number.isFinite(grant) && grant > 0 ? grant : USUAL_BUDGET_MS;
}

/** Starts the time of a poll. @param first whether it is the first one, for which n8n or a person waits. */
function startPollTime(context: IPollFunctions, first: boolean, clock: PollClock): PollTime {
  const used = grantedMs(context) * USED_SHARE;
  const total = first ? Math.min(FIRST_POLL_MS, used) : used;
  const end = clock.elapsed() + total;
  return { clock, left: () => end - clock.elapsed(), signal: clock.timeout(total) };
}

/** Part definitions are read again after this time, or earlier if the service refuses a request that uses them. */
const DEFINITION_LASTS_MS = 300_000;

/** An application as it was read, and what was learned about the service on the way (its `abilities`). */
interface KnownApplication {
  /** Base URL, credential and application reference that it was read with. */
  readonly from: string;
  readonly app: ApplicationSession;
  /** Whether its part definitions or a record have shown how it keys its parts. */
  readonly showsKeys: boolean;
  /** When it was read, by the poll clock's `elapsed`. */
  readonly readAt: number;
}

/** During maintenance the service only refuses. That ends without any action. */
function refusedInMaintenance(error: unknown, { application }: ApplicationSession): Error {
  if (isRefusal(error) && application.status === 'maintenance') return notRunning(application, error.message);
  return error as Error;
}

/** What this process remembers about one trigger node. Losing it only costs requests. */
interface NodeMemory {
  /** A poll is running. n8n starts the next one nevertheless. */
  running: boolean;
  known: KnownApplication | undefined;
  readonly poll: PollMemory;
}

const memories = new Map<string, NodeMemory>();

/** Contexts of earlier polls. n8n creates one per start; its durable engine creates one per poll. */
const begun = new WeakSet<IPollFunctions>();

/** The memory of a node in a workflow. Copies of a workflow have their own. */
function memoryOf(context: IPollFunctions): NodeMemory {
  const key = `${context.getWorkflow().id}:${context.getNode().id}`;
  const memory = memories.get(key) ?? {
    running: false,
    known: undefined,
    poll: newPollMemory(MAX_LIST_LENGTH),
  };
  memories.set(key, memory);
  return memory;
}

/** Whether this is the first poll since the workflow was started: by a person, at n8n's start or by a new leader. */
function isFirstPoll(context: IPollFunctions): boolean {
  if (begun.has(context)) return false;
  begun.add(context);
  return true;
}

function warn(context: IPollFunctions, message: string): void {
  context.logger.warn(mask(message), { node: context.getNode().name, workflowId: context.getWorkflow().id });
}

/** What a poll works with after it has read the parameters and the credential. */
interface Place {
  readonly client: ServiceClient;
  readonly base: string;
  /** Base URL, credential and application reference. */
  readonly from: string;
  readonly credential: string;
  readonly parameters: TriggerParameters;
}

class OnePoll {
  private readonly warn = (message: string): void => warn(this.context, message);

  constructor(
    private readonly context: IPollFunctions,
    private readonly memory: NodeMemory,
    private readonly time: PollTime,
  ) {}

  /** @throws whatever stops it; earlier progress is kept. */
  async run(): Promise<Items> {
    const place = await this.place();
    const { known } = this.memory;
    const age = this.time.clock.elapsed() - (known?.readAt ?? 0);
    // Without a key mode it is read again.
    if (known?.from === place.from && known.showsKeys && age < DEFINITION_LASTS_MS) {
      try {
        return await this.poll(place, known, false);
      } catch (error) {
        // Parts may have been renamed or removed since. If the service is down, asking twice does not help.
        if (isTransient(error)) throw refusedInMaintenance(error, known.app);
      }
    }
    const fresh = await this.learn(place);
    this.memory.known = fresh;
    try {
      return await this.poll(place, fresh, true);
    } catch (error) {
      throw refusedInMaintenance(error, fresh.app);
    }
  }

  async show(): Promise<Items> {
    const place = await this.place();
    const known = await this.learn(place);
    try {
      const { watch, app, settings, deliver } = this.tools(place, known, true);
      const source = new ServiceSource(app, watch, this.time, false, true);
      const { items, looked } = await samples(source, settings, watch, deliver, this.time);
      if (items.length === 0) throw nothingToShow(settings, app.application.name, watch, looked);
      return [items];
    } catch (error) {
      throw refusedInMaintenance(error, known.app);
    }
  }

  private async place(): Promise<Place> {
    const { context, time } = this;
    const settings = readCredential(await context.getCredentials(CREDENTIAL_NAME));
    const parameters = readParameters(context, settings.timeZone);
    const credential = credentialNote(context.getNode(), settings);
    const base = parseBaseUrl(settings.baseUrl).href;
    const client = await connect(context, undefined, time.signal, time.clock.limiters);
    return { client, base, from: `${base} ${credential} ${parameters.reference}`, credential, parameters };
  }

  /** Reads the watched application and its key mode; a second time if the service was late. */
  private async learn({ client, from, parameters }: Place): Promise<KnownApplication> {
    const { time } = this;
    const deadline = new Deadline(time, client);
    const read = async (signal: AbortSignal): Promise<KnownApplication> => {
      const app = await new ServiceSession(client.until(signal)).application(parameters.reference);
      const keyMode = await app.keyMode().catch((error: unknown) => {
        throw refusedInMaintenance(error, app);
      });
      const { lacksKeys } = app;
      // If it is unknown, there is no record, so either mode reads nothing.
      app.learnKeyMode(keyMode ?? 'name');
      app.lacksKeys = lacksKeys;
      return { from, app, showsKeys: keyMode !== null, readAt: time.clock.elapsed() };
    };
    return await deadline.twice(async (withinMs) => await deadline.within(withinMs, read));
  }

  private async poll(place: Place, known: KnownApplication, isFresh: boolean): Promise<Items> {
    const { memory, time, warn } = this;
    const data = this.context.getWorkflowStaticData('node');
    const saved = data.state;
    const { watch, app, settings, deliver } = this.tools(place, known, saved === undefined);
    const previous = await readState(saved, settings, watch.keepsValues, warn);
    const outcome = await poll(previous, {
      source: new ServiceSource(app, watch, time, previous?.records.isJoint === true, isFresh),
      settings,
      budget: time,
      memory: memory.poll,
      deliver,
      warn,
      now: time.clock.now(),
    });
    const { state, emitted, failure } = outcome;
    for (const part of watch.test?.hidden ?? [])
      warn(
        `The service does not show part ${namePart(part)} of every record: such a record meets no filter on it`,
      );
    const judgement = judgePoll(outcome);
    state.failing = judgement.failing;
    const kept = previous !== null && typeof saved === 'string' ? saved : undefined;
    const text = await writeState(state, kept, warn);
    // Once, at the end, and only if it changed: n8n rewrites the workflow's database row for it.
    if (text !== saved) data.state = text;
    if (failure !== undefined) {
      // Parts may have been renamed or removed since: the next poll reads them again.
      if (!isTransient(failure)) memory.known = undefined;
      const reason = refusedInMaintenance(failure, known.app);
      if (judgement.throws) throw reason;
      warn(`The poll ended early and the next one continues: ${reason.message}`);
    }
    return emitted.length > 0 ? [emitted.map(({ item }) => item)] : null;
  }

  /** @param isNew whether there is no saved state. */
  private tools(place: Place, known: KnownApplication, isNew: boolean) {
    const { context, time, warn } = this;
    const { client, parameters } = place;
    // The application was read with this key.
    client.keyWorks = true;
    const app = known.app.with(client);
    const watch = readWatch(parameters, app);
    const { keyMode } = watch;
    return {
      watch,
      app,
      settings: readPollSettings(context.getNode(), parameters, place, app.application, watch, isNew),
      deliver: itemMaker({ context, app, keyMode, options: parameters.options, watch, warn, time }),
    };
  }
}

/**
 * The saved state, as it fits what is watched now; `null` if there is none, or if it is about something else: then
 * records are learned again, with a warning.
 * @param keepsValues whether values of the watched parts are kept.
 */
async function readState(
  saved: unknown,
  settings: PollSettings,
  keepsValues: boolean,
  warn: Warn,
): Promise<TriggerState | null> {
  if (saved === undefined) return null;
  const state = typeof saved === 'string' ? await decodeState(saved) : null;
  if (state?.fingerprint === settings.fingerprint) {
    adjust(state, settings, keepsValues);
    return state;
  }
  const reason =
    state === null
      ? 'The memory of the trigger cannot be read or has another version.'
      : 'The settings of what to watch have changed.';
  warn(`${reason} The trigger learns the records again; changes since the last poll are not reported`);
  return null;
}

/** Other watched parts, or no values any more: what is not known is unknown. */
function adjust(state: TriggerState, { watched }: PollSettings, keepsValues: boolean): void {
  const { records } = state;
  if (watched.join() !== state.watched.join())
    records.rewatch(watched.map((id) => state.watched.indexOf(id)));
  state.watched = watched;
  if (keepsValues || records.values.size === 0) return;
  records.values.clear();
  records.changes++;
}

/** The state as text. @param saved the text that it was read from, if any. */
async function writeState(state: TriggerState, saved: string | undefined, warn: Warn): Promise<string> {
  if (state.records.joinHashes())
    warn(
      'There is no room for a hash of each watched part: from now on, one covers all watched parts of a record',
    );
  const { text, dropped } = await encodeWithin(state, saved);
  if (dropped > 0)
    warn(
      `There is no room for the previous values of ${counted(dropped, 'record')}: changes come without "from"`,
    );
  return text;
}

type Failure = NonNullable<NodeOperationError['failure']>;

/** Causes other than trouble that passes. */
const CAUSES: Partial<Record<FailureKind, Failure['cause']>> = {
  unauthorized: 'credential-invalid',
  loginPage: 'credential-invalid',
  refused: 'configuration-invalid',
  wrongAddress: 'configuration-invalid',
  redirect: 'configuration-invalid',
  settings: 'configuration-invalid',
  unexpected: 'node-defect',
  outcomeUnknown: 'node-defect',
};

/** Why a poll failed, in the form that n8n expects (its engine then waits, or notifies somebody). */
function pollFailureOf(error: unknown): Failure {
  if (!(error instanceof ServiceError)) {
    // Errors that are meant for the user say what to do; others are bugs in this node.
    return { cause: error instanceof UserError ? 'configuration-invalid' : 'node-defect' };
  }
  const { status, retryAfterMs } = error.details;
  const cause = isLasting(error) ? 'configuration-invalid' : causeOf(error.kind, status);
  return retryAfterMs === undefined || !isTimed(cause) ? { cause } : { cause, retryAfterMs };
}

function causeOf(kind: FailureKind, status = 0): Failure['cause'] {
  if (status === 429) return 'rate-limited';
  // Regardless of the page that a server or proxy sends with it.
  if (status >= 500 && kind !== 'refused') return 'temporarily-unavailable';
  return CAUSES[kind] ?? 'temporarily-unavailable';
}

function isTimed(cause: Failure['cause']): cause is 'rate-limited' | 'temporarily-unavailable' {
  return cause === 'rate-limited' || cause === 'temporarily-unavailable';
}

/** Whether the service will probably answer next time. */
function isTransient(error: unknown): boolean {
  return isTimed(pollFailureOf(error).cause);
}

/** The error as n8n shows it, with the cause if this version of n8n uses it. */
function toPollError(node: INode, error: unknown): NodeApiError | NodeOperationError {
  const shown = toNodeError(node, error);
  shown.failure ??= pollFailureOf(error);
  return shown;
}
