import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { parseBaseUrl } from '../../service/http/address';
import type { ServiceClient } from '../../service/http/client';
import { connect } from '../../service/http/connect';
import { CREDENTIAL_NAME, readCredential } from '../../service/http/credentials';
import { poll } from '../poll/poll';
import type { Deliver } from '../poll/settings';
import { namePart } from '../../parts/model/errors';
import type { ApplicationSession } from '../../service/application/session';
import type { Watch } from '../source/watch';
import { ServiceSource } from '../source/serviceSource';
import { itemMaker } from './itemMaker';
import { credentialNote } from './credentialNote';
import { judgePoll } from './failingPolls';
import { explained, isStillGood, keyModeOf, readKnownApplication, sessionOf } from './knownApplication';
import type { KnownApplication } from './knownApplication';
import { nothingToShow, samples } from './manualRun';
import type { NodeMemory } from './nodeMemory';
import { isTransient } from './pollErrors';
import type { PollTime } from './pollTime';
import { readState, writeState } from './savedState';
import { readPollSettings } from './pollSettings';
import { readParameters, readWatch, type TriggerParameters } from './triggerParameters';
import type { RawRecord } from '../../service/read/recordList';

/** Items for the workflow; `null` if nothing changed. */
export type Items = INodeExecutionData[][] | null;

/** What a poll works with after it has read the settings and the application. */
interface Place {
  readonly client: ServiceClient;
  readonly base: string;
  /** The `from` of {@link KnownApplication}. */
  readonly from: string;
  readonly credential: string;
  readonly parameters: TriggerParameters;
}

/** One poll, or one manual run, of a trigger node. */
export class OnePoll {
  constructor(
    private readonly context: IPollFunctions,
    private readonly memory: NodeMemory,
    private readonly time: PollTime,
  ) {}

  /** @throws whatever stops it; earlier progress is kept. */
  async run(): Promise<Items> {
    const place = await this.place();
    const { known } = this.memory;
    if (known !== undefined && isStillGood(known, place.from, this.time.clock.now())) {
      try {
        return await this.poll(place, known);
      } catch (error) {
        // Parts may have been renamed or removed since. If the service is down, asking twice does not help.
        if (isTransient(error)) throw explained(error, known.application);
      }
    }
    const fresh = await this.learn(place);
    this.memory.known = fresh;
    try {
      return await this.poll(place, fresh);
    } catch (error) {
      throw explained(error, fresh.application);
    }
  }

  /** Examples of later items. */
  async show(): Promise<Items> {
    const place = await this.place();
    const known = await this.learn(place);
    try {
      const { source, settings, deliver, watch, app } = this.tools(place, known, false);
      const shown = await samples(source, settings, deliver, this.time);
      if (shown === null) throw await nothingToShow(settings, app, watch);
      return [shown];
    } catch (error) {
      throw explained(error, known.application);
    }
  }

  private async place(): Promise<Place> {
    const parameters = readParameters(this.context);
    const credential = readCredential(await this.context.getCredentials(CREDENTIAL_NAME));
    const note = credentialNote(this.context.getNode(), credential);
    const base = parseBaseUrl(credential.baseUrl).href;
    const client = await connect(this.context, undefined, {}, this.time.signal, this.time.clock.waiting);
    return { client, base, from: `${base} ${note} ${parameters.reference}`, credential: note, parameters };
  }

  private async learn({ client, from, parameters }: Place): Promise<KnownApplication> {
    return await readKnownApplication(client, from, parameters.reference, this.time);
  }

  private async poll(place: Place, known: KnownApplication): Promise<Items> {
    const { memory, time } = this;
    const data = this.context.getWorkflowStaticData('node');
    const saved = data.state;
    const warn = (message: string): void => this.warn(message);
    const { source, settings, deliver, watch } = this.tools(place, known, saved === undefined);
    const previous = await readState(saved, settings, warn);
    const outcome = await poll(previous, {
      source,
      settings,
      budget: time,
      memory: memory.poll,
      deliver,
      warn,
      now: time.clock.now(),
    });
    const { state, given } = outcome;
    for (const part of watch.test?.hidden ?? [])
      this.warn(
        `The service does not show part ${namePart(part)} of every record: such a record meets no filter on it`,
      );
    const judgement = judgePoll(outcome);
    state.failing = judgement.failing;
    const kept = previous !== null && typeof saved === 'string' ? saved : undefined;
    const text = await writeState(state, kept, warn);
    // Once, at the end, and only if it changed: n8n rewrites the workflow's database row for it.
    if (text !== saved) data.state = text;
    if (outcome.failure !== undefined) {
      const reason = explained(outcome.failure, known.application);
      if (judgement.throws) throw reason;
      this.warn(`The poll ended early and the next one continues: ${reason.message}`);
    }
    return given.length > 0 ? [given.map(({ item }) => item)] : null;
  }

  private tools(
    { client, base, credential, parameters }: Place,
    known: KnownApplication,
    isNew: boolean,
  ): {
    source: ServiceSource;
    settings: ReturnType<typeof readPollSettings>;
    deliver: Deliver<RawRecord, INodeExecutionData>;
    watch: Watch;
    app: ApplicationSession;
  } {
    const { context, memory, time } = this;
    const { application, capabilities } = known;
    const { options } = parameters;
    const watch = readWatch(parameters, application, keyModeOf(known));
    const app = sessionOf(client, known);
    const deliver = itemMaker({
      context,
      app,
      keyMode: watch.keyMode,
      options,
      watch,
      files: memory.files,
      warn: (message) => this.warn(message),
      time,
    });
    return {
      source: new ServiceSource(app, watch, capabilities, time.clock, time),
      settings: readPollSettings(
        context.getNode(),
        { base, application, credential, watch },
        parameters,
        isNew,
      ),
      deliver,
      watch,
      app,
    };
  }

  private warn(message: string): void {
    const { context } = this;
    context.logger.warn(message, { node: context.getNode().name, workflowId: context.getWorkflow().id });
  }
}
