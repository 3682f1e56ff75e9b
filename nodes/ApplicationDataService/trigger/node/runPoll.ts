import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { isUnattended } from '../../common/errors';
import { namePart } from '../../parts/model/errors';
import type { KeyMode } from '../../parts/model/part';
import {
  type Application,
  fetchApplication,
  isRunning,
  NotRunningError,
} from '../../service/application/definition';
import { ApplicationSession } from '../../service/application/session';
import { parseBaseUrl } from '../../service/http/address';
import { connect, within } from '../../service/http/connect';
import { CREDENTIAL_NAME, mask, readCredential } from '../../service/http/credentials';
import { settle } from '../../util/concurrently';
import { counted } from '../../parts/values/describe';
import { hashText } from '../../util/hashText';
import { messageOf } from '../../util/userError';
import type { PollTools, Warn } from '../poll/context';
import { fittingState, judgePoll, poll } from '../poll/poll';
import { RecordSource } from '../source/recordSource';
import { LateError, machineClock, type PollClock, PollTime } from '../source/time';
import { decodeState, encodeWithin } from '../state/stateCodec';
import { isTransient, toPollError } from './failure';
import { itemMaker, samples } from './items';
import { readParameters, readPollSettings, readWatch } from './settings';

/** n8n gives up a trigger permanently if its first poll takes more than 84 s, and people wait for an activation. */
const FIRST_POLL_MS = 18_000;
const FIRST_POLL_OVER_MS = 60_000;
/** What n8n allows if it does not say. */
const USUAL_BUDGET_MS = 300_000;
/** n8n's durable engine allows less, but does not give up triggers. */
const DURABLE_BUDGET_MS = 60_000;
/** The share of n8n's time limit in which a poll begins something new, and after which it is over in any case. */
const USED_SHARE = 0.8;
const OVER_SHARE = 0.95;

/**
 * One poll of the trigger node, or what a manual run shows. Returns `null` if nothing changed.
 * @throws NodeApiError or NodeOperationError, with `failure`.
 */
export async function runPoll(
  context: IPollFunctions,
  clock: PollClock = machineClock,
): Promise<INodeExecutionData[][] | null> {
  const isManual = context.getMode() === 'manual';
  const memory = memoryOf(context);
  // n8n starts a poll even if the last one is still running. Two would read and emit the same.
  if (!isManual && memory.busyUntil > clock.elapsed()) return null;
  // Older versions of n8n do not have it.
  const granted = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : USUAL_BUDGET_MS;
  const isAtStake = !isManual && notePoll(context) && granted > DURABLE_BUDGET_MS;
  const time = isAtStake
    ? new PollTime(clock, FIRST_POLL_MS, FIRST_POLL_OVER_MS)
    : new PollTime(clock, granted * USED_SHARE, granted * OVER_SHARE);
  if (!isManual) Object.assign(memory, { busyUntil: time.over, polls: memory.polls + 1 });
  const where = { node: context.getNode().name, workflowId: context.getWorkflow().id };
  const warn = (message: string): void => context.logger.warn(mask(message), where);
  const work = async (): Promise<INodeExecutionData[][] | null> => {
    const setup = await setUp(context, memory, time, warn);
    if (!isManual) return await run(setup);
    const cached = await fetchWatched(setup);
    return [await samples(toolsOf(setup, cached, true), cached.application.name)];
  };
  try {
    return await within(time.overSignal, work, () => new LateError());
  } catch (error) {
    if (!isAtStake || !(await mayPostpone(context, error))) throw toPollError(context.getNode(), error);
    warn(`The first poll is postponed: ${messageOf(error)}`);
    return null;
  } finally {
    if (memory.busyUntil === time.over) memory.busyUntil = -Infinity;
  }
}

/**
 * Whether the first poll may fail without a word. If it threw, n8n would never poll again; if the failure persists, the
 * next poll throws. Who activates a workflow by hand is told at once what has to be changed.
 */
async function mayPostpone(context: IPollFunctions, failure: unknown): Promise<boolean> {
  if (isTransient(failure)) return true;
  return isUnattended(context) && (await decodeState(context.getWorkflowStaticData('node').state)) !== null;
}

const MAX_MEMORIES = 100;

/** The last used ones last. */
const memories = new Map<string, NodeMemory>();

/** The memory of a node in a workflow, by its name, as n8n keeps it: two nodes may have one ID. */
function memoryOf(context: IPollFunctions): NodeMemory {
  const key = `${context.getWorkflow().id}:${context.getNode().name}`;
  const memory = memories.get(key) ?? { busyUntil: -Infinity, polls: 0, cached: undefined };
  memories.delete(key);
  memories.set(key, memory);
  const idle =
    memories.size > MAX_MEMORIES && [...memories].find(([, { busyUntil }]) => busyUntil === -Infinity);
  if (idle) memories.delete(idle[0]);
  return memory;
}

/** Contexts of earlier polls. n8n creates one per start; its durable engine creates one per poll. */
const begun = new WeakSet<IPollFunctions>();

/** Notes a poll. @returns whether it is the first since a person, n8n's start or a new leader started the workflow. */
function notePoll(context: IPollFunctions): boolean {
  const isFirst = !begun.has(context);
  begun.add(context);
  return isFirst;
}

/** What this process remembers about one trigger node. Only an idle one is dropped, which costs requests. */
interface NodeMemory {
  /** When a poll that runs is over, by the poll clock's `elapsed`. */
  busyUntil: number;
  /** How many polls it has made. */
  polls: number;
  cached: CachedApplication | undefined;
}

/** An application as it was read, and what was learned about the service on the way. */
interface CachedApplication {
  /** Base URL, access key and application reference that it was read with, the key as a hash. */
  readonly from: string;
  readonly application: Application;
  /** `null` as long as no part definition or record has shown how it keys its parts. */
  readonly keyMode: KeyMode | null;
  readonly abilities: ApplicationSession['abilities'];
  /** When it was read, by the poll clock's `elapsed`. */
  readonly readAt: number;
}

/** What a poll works with after it has read the parameters and the credential. */
type PollSetup = Awaited<ReturnType<typeof setUp>>;

async function setUp(context: IPollFunctions, memory: NodeMemory, time: PollTime, warn: Warn) {
  const settings = readCredential(await context.getCredentials(CREDENTIAL_NAME));
  const parameters = readParameters(context, settings.timeZone);
  const base = parseBaseUrl(settings.baseUrl).href;
  const client = await connect(context, undefined, time.signal, time.clock.limiters);
  const from = `${base} ${hashText(settings.accessKey)} ${parameters.reference}`;
  return { context, memory, time, warn, client, base, parameters, from };
}

/** Part definitions are read again after this time, or earlier if the service refuses a request that uses them. */
const DEFINITION_LASTS_MS = 300_000;

/** @throws whatever stops it; earlier progress is kept. */
async function run(setup: PollSetup): Promise<INodeExecutionData[][] | null> {
  const { memory, time, from } = setup;
  const { cached } = memory;
  const isCurrent = cached?.from === from && time.clock.elapsed() - cached.readAt < DEFINITION_LASTS_MS;
  // Without a key mode it is read again.
  if (isCurrent && cached.keyMode !== null) {
    const polled = await settle(async () => await pollOnce(setup, cached, false));
    if ('value' in polled) return polled.value;
    // Parts may have been renamed or removed since. If the service is down, asking twice does not help.
    if (isTransient(polled.error)) throw polled.error;
  }
  memory.cached = undefined;
  memory.cached = await fetchWatched(setup);
  return await pollOnce(setup, memory.cached, true);
}

async function fetchWatched({ client, parameters, from, time }: PollSetup): Promise<CachedApplication> {
  const { reference } = parameters;
  return await time.limit(client, time.left(), async (signal) => {
    const ours = client.until(signal);
    const application = await fetchApplication(ours, reference);
    if (!isRunning(application)) throw new NotRunningError(application);
    const app = new ApplicationSession(ours, application.id || reference, application);
    const learned = { application, keyMode: await app.readKeyMode(), abilities: app.abilities };
    return { from, ...learned, readAt: time.clock.elapsed() };
  });
}

async function pollOnce(
  setup: PollSetup,
  cached: CachedApplication,
  isFresh: boolean,
): Promise<INodeExecutionData[][] | null> {
  const { context, memory, time, warn } = setup;
  const data = context.getWorkflowStaticData('node');
  const saved = data.state;
  const tools = toolsOf(setup, cached, isFresh);
  const previous = saved === undefined ? undefined : await fittingState(saved, tools);
  const outcome = await poll(previous, tools);
  const { state, emitted, failure } = outcome;
  for (const part of tools.source.watch.test?.hidden ?? [])
    warn(
      `The service does not show part ${namePart(part)} of every record: such a record meets no filter on it`,
    );
  const judgement = judgePoll(outcome);
  state.failing = judgement.failing;
  const { text, dropped } = await encodeWithin(state, previous ? (saved as string) : undefined);
  if (dropped > 0)
    warn(
      `There is no room for the previous values of ${counted(dropped, 'record')}: changes come without "from"`,
    );
  // Another poll may run by now.
  if (time.overSignal.aborted) throw new LateError();
  // Once, at the end, and only if it changed: n8n rewrites the workflow's database row for it.
  if (text !== saved) data.state = text;
  if (failure !== undefined) {
    // Parts may have been renamed or removed since: the next poll reads them again.
    if (!isTransient(failure)) memory.cached = undefined;
    if (judgement.throws) throw failure;
    warn(`The poll ended early and the next one continues: ${messageOf(failure)}`);
  }
  return emitted.length > 0 ? [emitted.map(({ item }) => item)] : null;
}

function toolsOf(
  setup: PollSetup,
  cached: CachedApplication,
  isFresh: boolean,
): PollTools<INodeExecutionData> {
  const { context, time, warn, memory, client, parameters } = setup;
  const { application, abilities } = cached;
  // The application was read with this key.
  client.shared.keyWorks = true;
  // By its ID: another one may have got its identifier since.
  const reference = application.id || parameters.reference;
  const app = new ApplicationSession(client, reference, application, abilities);
  // If it is unknown, there is no record, so either mode reads nothing.
  app.learnKeyMode(cached.keyMode ?? 'name');
  app.lacksKeys = cached.keyMode === null;
  const watch = readWatch(parameters, app);
  const source = new RecordSource(app, watch, time, isFresh);
  const settings = readPollSettings(context.getNode(), setup, application.id, watch);
  const deliver = itemMaker(context, source, parameters.options, time, warn);
  return { source, settings, deliver, time, warn, polls: memory.polls };
}
