import type { KeyMode } from '../../parts/model/part';
import { fetchApplication, type Application } from './definition';
import type { ServiceClient } from '../http/client';
import { findKeyMode } from './findKeyMode';

/**
 * What one run knows of the service. Each application's definition, and which key names its parts, is read once,
 * however many items use it.
 */
export class ServiceSession {
  private readonly applications = new Map<string, Promise<ApplicationSession>>();

  /** By ID: one application may be named by its ID and by its identifier. */
  private readonly known = new Map<string, ApplicationSession>();

  constructor(readonly client: ServiceClient) {}

  /**
   * @param reference application id, or `@` and its identifier.
   * @param asStream its definition is to come as a stream, so that the client can make others.
   */
  async application(reference: string, asStream = false): Promise<ApplicationSession> {
    let session = this.applications.get(reference);
    if (session === undefined) {
      session = this.open(reference, asStream);
      this.applications.set(reference, session);
    }
    return await session;
  }

  private async open(reference: string, asStream: boolean): Promise<ApplicationSession> {
    const application = await fetchApplication(this.client, reference, asStream);
    const session =
      this.known.get(application.id) ?? new ApplicationSession(this.client, reference, application);
    if (application.id !== '') this.known.set(application.id, session);
    return session;
  }
}

/** What was learned of a service's lists; absent is not known yet. */
export interface ListAbilities {
  /** `revision` may be asked for by name. */
  revisionByName?: boolean;
}

/** An application of which nothing is known: enough for a call that needs none of its parts. */
export interface NamedApplication {
  readonly client: ServiceClient;
  /** `app_id` as the service takes it. */
  readonly reference: string;
}

/** One application in one run. */
export class ApplicationSession implements NamedApplication {
  private foundKeyMode: Promise<KeyMode | null> | undefined;

  /** Which key names a part, as far as it is known without asking; `null` if it is not. */
  knownKeyMode: KeyMode | null = null;

  /** Lists that are being read, page by page. */
  listsUnderWay = 0;

  constructor(
    readonly client: ServiceClient,
    /** `app_id` as the service takes it. */
    readonly reference: string,
    readonly application: Application,
    readonly abilities: ListAbilities = {},
  ) {}

  /**
   * Whether parts are keyed by name or by identifier; `null` when that cannot be found out, because the application has
   * identifiers and no record to look at.
   */
  async keyMode(): Promise<KeyMode | null> {
    if (this.knownKeyMode !== null) return this.knownKeyMode;
    this.foundKeyMode ??= findKeyMode(this.client, this.reference, this.application.parts);
    this.knownKeyMode ??= await this.foundKeyMode;
    return this.knownKeyMode;
  }

  /** The same application for calls that are broken off with a signal. */
  until(signal: AbortSignal): ApplicationSession {
    const { client, reference, application, abilities, knownKeyMode } = this;
    const session = new ApplicationSession(client.until(signal), reference, application, abilities);
    session.knownKeyMode = knownKeyMode;
    return session;
  }

  /** Records were read: if the key mode was not known, they tell it. */
  learnKeyMode(mode: KeyMode): void {
    this.knownKeyMode = mode;
  }
}
