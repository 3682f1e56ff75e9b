import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import type { KeyMode } from '../../parts/part';
import { parseBaseUrl } from '../../service/address';
import type { Application } from '../../service/applications';
import type { ServiceClient } from '../../service/client';
import { connect } from '../../service/connect';
import { CREDENTIAL_NAME, readCredential } from '../../service/credentials';
import { ServiceError } from '../../service/errors';
import type { RawRecord } from '../../service/records';
import { ApplicationSession, ServiceSession } from '../../service/session';
import { poll, type PollOutcome } from '../poll/poll';
import type { Change, PollSettings } from '../poll/settings';
import { ServiceSource } from '../source/serviceSource';
import type { Watch } from '../source/watch';
import { within } from '../source/within';
import { decodeState, encodeHeader, encodeState } from '../state/stateCodec';
import type { TriggerState } from '../state/triggerState';
import { changeItems } from './items';
import { manualRun } from './manualRun';
import { isFirstPoll, memoryOf, type KnownApplication, type NodeMemory } from './nodeMemory';
import { readParameters, readSettings, readWatch, type TriggerParameters } from './parameters';
import { isTransient, toPollError } from './pollErrors';
import { isAtStake, startPollTime, type PollTime } from './pollTime';

/** Part definitions are read again after so long; before, when the service refuses what is asked by them. */
const DEFINITION_LASTS_MS = 300_000;

type Items = INodeExecutionData[][] | null;

/**
 * One poll of the trigger node, or what a manual run shows. Gives `null` where nothing changed.
 * @throws NodeApiError or NodeOperationError, with `failure`.
 */
export async function runPoll(context: IPollFunctions): Promise<Items> {
  const memory = memoryOf(context);
  const manual = context.getMode() === 'manual';
  // n8n starts a poll although the last one is not done. Two would read and emit the same.
  if (memory.running && !manual) return null;
  const first = !manual && isFirstPoll(context);
  if (!manual) memory.running = true;
  try {
    const items = await new Poll(context, memory, startPollTime(context, first && isAtStake(context))).run(
      manual,
    );
    memory.postponed = false;
    return items;
  } catch (error) {
    if (first && isAtStake(context) && !memory.postponed && isTransient(error)) {
      // n8n would never poll again. The next poll throws if it stays.
      memory.postponed = true;
      context.logger.warn(`The first poll is put off: ${(error as Error).message}`, about(context));
      return null;
    }
    memory.postponed = false;
    throw toPollError(context.getNode(), error);
  } finally {
    if (!manual) memory.running = false;
  }
}

function about(context: IPollFunctions): IDataObject {
  return { node: context.getNode().name, workflowId: context.getWorkflow().id };
}

class Poll {
  constructor(
    private readonly context: IPollFunctions,
    private readonly memory: NodeMemory,
    private readonly time: PollTime,
  ) {}

  async run(manual: boolean): Promise<Items> {
    const parameters = readParameters(this.context);
    const credential = readCredential(await this.context.getCredentials(CREDENTIAL_NAME));
    const base = parseBaseUrl(credential.baseUrl).href;
    const client = await connect(this.stoppable());
    const from = `${base} ${parameters.reference}`;
    const remembered = this.memory.known;
    if (!manual && remembered?.from === from && Date.now() - remembered.readAt < DEFINITION_LASTS_MS) {
      try {
        return await this.pollWith(remembered, client, base, parameters);
      } catch (error) {
        // Parts may have been renamed or removed since; what is down is no better for asking twice.
        if (isTransient(error)) throw this.given(error);
      }
    }
    this.memory.known = undefined;
    const known = await this.readApplication(client, parameters.reference, from);
    try {
      return manual
        ? await this.show(known, client, base, parameters)
        : await this.pollWith(known, client, base, parameters);
    } catch (error) {
      throw this.explained(error, known.application);
    }
  }

  /** A refusal under maintenance ends by itself; the service only says that it refuses. */
  private explained(error: unknown, { name, status }: Application): Error {
    if (!(error instanceof ServiceError) || error.kind !== 'refused' || status !== 'maintenance')
      return this.given(error);
    return new ServiceError(
      'busy',
      `The application "${name}" is under maintenance`,
      `The trigger goes on when the maintenance is over. ${error.message}`,
      error.details,
    );
  }

  /** n8n's context, with the end of the poll in place of an execution's cancellation: waits end with it. */
  private stoppable(): IPollFunctions {
    const { signal } = this.time;
    return Object.create(this.context, {
      getExecutionCancelSignal: { value: () => signal },
    }) as IPollFunctions;
  }

  private given(error: unknown): Error {
    return error instanceof Error ? error : new Error(String(error));
  }

  private async readApplication(
    client: ServiceClient,
    reference: string,
    from: string,
  ): Promise<KnownApplication> {
    const { signal } = this.time;
    const app = await within(signal, async () => await new ServiceSession(client).application(reference));
    const { application } = app;
    const keyMode = await this.keyModeOf(app);
    const known = { from, application, keyMode: keyMode ?? 'name', capabilities: {}, readAt: Date.now() };
    // Without a record nothing told the key mode: it is looked for again.
    if (keyMode !== null) this.memory.known = known;
    return known;
  }

  private async keyModeOf(app: ApplicationSession): Promise<KeyMode | null> {
    try {
      return await within(this.time.signal, async () => await app.keyMode());
    } catch (error) {
      throw this.explained(error, app.application);
    }
  }

  private sessionOf(
    { application, keyMode }: KnownApplication,
    client: ServiceClient,
    reference: string,
  ): ApplicationSession {
    const app = new ApplicationSession(client, reference, application);
    app.learnKeyMode(keyMode);
    return app;
  }

  private async show(
    known: KnownApplication,
    client: ServiceClient,
    base: string,
    parameters: TriggerParameters,
  ): Promise<Items> {
    const { application, keyMode } = known;
    const watch = readWatch(parameters, application, keyMode);
    const settings = readSettings(this.context.getNode(), base, application, watch, parameters, false);
    const app = this.sessionOf(known, client, parameters.reference);
    const source = new ServiceSource(app, watch, known.capabilities, this.time.signal);
    const changes = await manualRun(source, settings, application);
    return [await this.toItems(app, watch, parameters, changes)];
  }

  private async pollWith(
    known: KnownApplication,
    client: ServiceClient,
    base: string,
    parameters: TriggerParameters,
  ): Promise<Items> {
    const { application, keyMode } = known;
    const watch = readWatch(parameters, application, keyMode);
    const data = this.context.getWorkflowStaticData('node');
    const saved = typeof data.state === 'string' ? data.state : undefined;
    const node = this.context.getNode();
    const settings = readSettings(node, base, application, watch, parameters, data.state === undefined);
    const previous = await this.previousState(data.state, settings);
    const wasOpen = (previous?.scan ?? null) !== null;
    const app = this.sessionOf(known, client, parameters.reference);
    const outcome = await poll(previous, {
      source: new ServiceSource(app, watch, known.capabilities, this.time.signal),
      settings,
      budget: this.time,
      warn: (message) => this.warn(message),
      now: Date.now(),
    });
    const items = await this.toItems(app, watch, parameters, outcome.changes);
    const state = await encoded(outcome.state, previous === null ? undefined : saved, wasOpen);
    // Once, at the end, and only where it changed: n8n rewrites the workflow's row for it.
    if (state !== saved) data.state = state;
    return this.settle(outcome, items);
  }

  private settle({ failure }: PollOutcome<RawRecord>, items: INodeExecutionData[]): Items {
    if (failure !== undefined && items.length === 0) throw this.given(failure);
    if (failure !== undefined)
      this.warn(`The poll ended early and goes on with the next one: ${this.given(failure).message}`);
    return items.length > 0 ? [items] : null;
  }

  private async previousState(saved: unknown, { fingerprint }: PollSettings): Promise<TriggerState | null> {
    if (saved === undefined) return null;
    const state = typeof saved === 'string' ? await decodeState(saved) : null;
    if (state === null) {
      this.warn(
        'What was remembered of the records cannot be read, or is of another version. Records are learned anew; changes since the last poll are not reported',
      );
    } else if (state.fingerprint !== fingerprint) {
      this.warn(
        'What is watched was changed. Records are learned anew; changes since the last poll are not reported',
      );
    } else {
      return state;
    }
    return null;
  }

  private async toItems(
    app: ApplicationSession,
    watch: Watch,
    { options }: TriggerParameters,
    changes: readonly Change<RawRecord>[],
  ): Promise<INodeExecutionData[]> {
    const { context, time } = this;
    const warn = (message: string): void => this.warn(message);
    return await changeItems(changes, { context, app, watch, options, warn, signal: time.signal });
  }

  private warn(message: string): void {
    this.context.logger.warn(message, about(this.context));
  }
}

/** The state as text. The records are not written anew where nothing of them changed. */
async function encoded(state: TriggerState, saved: string | undefined, wasOpen: boolean): Promise<string> {
  const { records, scan } = state;
  const isSame = saved !== undefined && !records.dirty && scan === null && !wasOpen;
  return isSame ? encodeHeader(state, saved) : await encodeState(state);
}
