import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { parseBaseUrl } from '../../service/http/address';
import type { ServiceClient } from '../../service/http/client';
import { connect } from '../../service/http/connect';
import { CREDENTIAL_NAME, readCredential } from '../../service/http/credentials';
import type { RawRecord } from '../../service/read/records';
import type { ApplicationSession } from '../../service/application/session';
import { poll } from '../poll/poll';
import type { Change } from '../poll/settings';
import { ServiceSource } from '../source/serviceSource';
import type { Watch } from '../source/watch';
import { changeItems } from './changeItems';
import { explained, isStillGood, keyModeOf, readKnownApplication, sessionOf } from './knownApplication';
import type { KnownApplication } from './knownApplication';
import { manualRun } from './manualRun';
import type { NodeMemory } from './nodeMemory';
import { readParameters, readPollSettings, readWatch, type TriggerParameters } from './triggerParameters';
import { isTransient } from './pollErrors';
import type { PollTime } from './pollTime';
import { readState, writeState } from './savedState';

/** Items for the workflow; `null` where nothing changed. */
export type Items = INodeExecutionData[][] | null;

/** One poll, or one manual run, of a trigger node. */
export class OnePoll {
  constructor(
    private readonly context: IPollFunctions,
    private readonly memory: NodeMemory,
    private readonly time: PollTime,
  ) {}

  /** @throws whatever keeps it from being done; what was done before stays done. */
  async run(manual: boolean): Promise<Items> {
    const parameters = readParameters(this.context);
    const credential = readCredential(await this.context.getCredentials(CREDENTIAL_NAME));
    const base = parseBaseUrl(credential.baseUrl).href;
    const client = await connect(this.stoppable());
    const { known } = this.memory;
    if (!manual && known !== undefined && isStillGood(known, base, parameters.reference)) {
      try {
        return await this.poll(client, base, known, parameters);
      } catch (error) {
        // Parts may have been renamed or removed since; what is down is no better for asking twice.
        if (isTransient(error)) throw explained(error, known.application);
      }
    }
    const fresh = await readKnownApplication(client, base, parameters.reference, this.time.signal);
    this.memory.known = fresh;
    try {
      return manual
        ? await this.show(client, base, fresh, parameters)
        : await this.poll(client, base, fresh, parameters);
    } catch (error) {
      throw explained(error, fresh.application);
    }
  }

  /** n8n's context, with the end of the poll in place of an execution's cancellation: waits end with it. */
  private stoppable(): IPollFunctions {
    const { signal } = this.time;
    return Object.create(this.context, {
      getExecutionCancelSignal: { value: () => signal },
    }) as IPollFunctions;
  }

  private async show(
    client: ServiceClient,
    base: string,
    known: KnownApplication,
    parameters: TriggerParameters,
  ): Promise<Items> {
    const { application, capabilities } = known;
    const watch = readWatch(parameters, application, keyModeOf(known));
    const settings = readPollSettings(this.context.getNode(), base, application, watch, parameters, false);
    const app = sessionOf(client, known);
    const source = new ServiceSource(app, watch, capabilities, this.time.signal);
    return [await this.items(app, watch, parameters, await manualRun(source, settings, application))];
  }

  private async poll(
    client: ServiceClient,
    base: string,
    known: KnownApplication,
    parameters: TriggerParameters,
  ): Promise<Items> {
    const { application, capabilities } = known;
    const watch = readWatch(parameters, application, keyModeOf(known));
    const data = this.context.getWorkflowStaticData('node');
    const saved = data.state;
    const isNew = saved === undefined;
    const settings = readPollSettings(this.context.getNode(), base, application, watch, parameters, isNew);
    const warn = (message: string): void => this.warn(message);
    const previous = await readState(saved, settings, warn);
    const wasOpen = previous !== null && previous.scan !== null;
    const app = sessionOf(client, known);
    const source = new ServiceSource(app, watch, capabilities, this.time.signal);
    const { state, changes, failure } = await poll(previous, {
      source,
      settings,
      budget: this.time,
      warn,
      now: Date.now(),
    });
    const items = await this.items(app, watch, parameters, changes);
    const kept = previous !== null && typeof saved === 'string' ? saved : undefined;
    const text = await writeState(state, kept, wasOpen);
    // Once, at the end, and only where it changed: n8n rewrites the workflow's row for it.
    if (text !== saved) data.state = text;
    if (failure !== undefined) {
      const reason = explained(failure, application);
      if (items.length === 0) throw reason;
      this.warn(`The poll ended early and goes on with the next one: ${reason.message}`);
    }
    return items.length > 0 ? [items] : null;
  }

  private async items(
    app: ApplicationSession,
    watch: Watch,
    { options }: TriggerParameters,
    changes: readonly Change<RawRecord>[],
  ): Promise<INodeExecutionData[]> {
    const { context, time } = this;
    const warn = (message: string): void => this.warn(message);
    const { keyMode } = watch;
    return await changeItems(changes, { context, app, keyMode, options, warn, signal: time.signal });
  }

  private warn(message: string): void {
    const { context } = this;
    context.logger.warn(message, { node: context.getNode().name, workflowId: context.getWorkflow().id });
  }
}
