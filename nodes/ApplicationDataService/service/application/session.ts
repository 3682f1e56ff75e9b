import { detectKeyMode } from '../../parts/model/lookup';
import type { KeyMode } from '../../parts/model/part';
import { callForList, type ServiceClient } from '../http/client';
import { isRefusal } from '../http/errors';
import { filled } from '../http/multipart';
import { type Application, fetchApplication } from './definition';

/** How many calls of one run are under way at the same time. The service handles them one by one. */
export const CALLS_AT_ONCE = 4;

const MAX_ANSWERS = 200;

/** What one run knows about the service: definitions and key modes are read once, however many items use them. */
export class ServiceSession {
  private readonly applications = new Map<string, Promise<ApplicationSession>>();
  /** By ID: one application may be named by its ID and by its identifier. */
  private readonly byId = new Map<string, ApplicationSession>();
  /** Answers of small reads, by their question: the latest ones. */
  private readonly answers = new Map<string, Promise<unknown>>();

  constructor(readonly client: ServiceClient) {}

  async application(reference: string, asStream = false): Promise<ApplicationSession> {
    const opened = this.applications.get(reference);
    if (opened !== undefined) return await opened;
    const opening = fetchApplication(this.client, reference, asStream).then((application) => {
      const { id } = application;
      const session = this.byId.get(id) ?? new ApplicationSession(this.client, reference, application);
      if (id !== '') this.byId.set(id, session);
      return session;
    });
    this.applications.set(reference, opening);
    // A refusal stays one; a service that did not answer may do so for the next item.
    opening.catch((error: unknown) => {
      if (!isRefusal(error)) this.applications.delete(reference);
    });
    return await opening;
  }

  /** Makes identical reads of several items once in a run, unless they fail. Only for small answers. */
  async once<T>(question: readonly unknown[], read: () => Promise<T>): Promise<T> {
    const key = JSON.stringify(question);
    const given = this.answers.get(key);
    if (given !== undefined) return (await given) as T;
    const answer = read();
    this.answers.set(key, answer);
    const [oldest = key] = this.answers.keys();
    if (this.answers.size > MAX_ANSWERS) this.answers.delete(oldest);
    answer.catch(() => {
      if (this.answers.get(key) === answer) this.answers.delete(key);
    });
    return await answer;
  }
}

/** An application that was not read: enough for a call that needs none of its parts. */
export interface NamedApplication {
  readonly client: ServiceClient;
  readonly reference: string;
}

/** What was learned about the lists of an application; absent if it is not known yet. */
interface ListAbilities {
  /** `revision` may be asked for by name. */
  revisionByName?: boolean;
  /** Lists narrowed by `fields` carry the revision. */
  revisionInLists?: boolean;
  /** The ID part cannot be filtered by several IDs at once. */
  refusesIds?: true;
}

export class ApplicationSession implements NamedApplication {
  private reading: Promise<void> | undefined;

  /** The key mode, if it is known without a request; else `null`. */
  knownKeyMode: KeyMode | null = null;

  /** There was no record to show whether `fields` takes names or identifiers, so lists are requested without it. */
  lacksKeys = false;

  constructor(
    readonly client: ServiceClient,
    readonly reference: string,
    readonly application: Application,
    readonly abilities: ListAbilities = {},
  ) {}

  /** How parts are keyed; `null` if nothing tells: the application has identifiers, and no record. */
  async readKeyMode(): Promise<KeyMode | null> {
    if (this.knownKeyMode !== null) return this.knownKeyMode;
    this.reading ??= this.fetchKeyMode();
    await this.reading.catch((error: unknown) => {
      if (!isRefusal(error)) this.reading = undefined;
      throw error;
    });
    return this.knownKeyMode;
  }

  /** How to list. If nothing tells, there is no record, so either one returns nothing. */
  async readListMode(): Promise<KeyMode> {
    return (await this.readKeyMode()) ?? 'name';
  }

  /** The interface does not say it, so a record's keys are checked, unless the part definitions allow only one. */
  private async fetchKeyMode(): Promise<void> {
    const { parts } = this.application;
    let mode = detectKeyMode(undefined, parts);
    if (mode === null) {
      const fields = filled({ app_id: this.reference, limit: '1' });
      const [record] = await callForList(this.client, 'list_data', fields);
      mode = detectKeyMode(record, parts);
      this.lacksKeys = this.knownKeyMode === null && record === undefined;
    }
    // A record that was read meanwhile may have shown it.
    this.knownKeyMode ??= mode;
  }

  /** Works on one record run one after the other. IDs seen so far are numbers: a service may read `012` as `12`. */
  serialKey(recordId: string): string {
    const id = recordId.replace(/^0+(?=\d)/, '');
    return JSON.stringify([this.client.address, this.application.id, id]);
  }

  until(signal: AbortSignal): ApplicationSession {
    const { client, reference, application, abilities, knownKeyMode, lacksKeys } = this;
    const session = new ApplicationSession(client.until(signal), reference, application, abilities);
    return Object.assign(session, { knownKeyMode, lacksKeys });
  }

  learnKeyMode(mode: KeyMode): void {
    this.knownKeyMode = mode;
    this.lacksKeys = false;
  }
}
