import type {
  StoredRecord,
  CreatedApplication,
  DialectSwitch,
  ApplicationDefinition,
  Fault,
  LoggedCall,
  LoggedNotification,
  SandboxStatistics,
  ApplicationChange,
} from './sandboxTypes';

/** The addresses that the sandbox prints when it starts. */
export interface SandboxAddresses {
  readonly baseUrl: string;
  readonly accessKey: string;
  readonly controlUrl: string;
}

/** Controls a sandbox that runs somewhere on this machine. */
export class SandboxControl {
  /** Folder of the modules; the data module is `<baseUrl>/appsr.cgi`. */
  readonly baseUrl: string;
  /** The key of the first user, who has all permissions. */
  readonly accessKey: string;
  readonly controlUrl: string;

  constructor({ baseUrl, accessKey, controlUrl }: SandboxAddresses) {
    this.baseUrl = baseUrl;
    this.accessKey = accessKey;
    this.controlUrl = controlUrl;
  }

  /** The address of the data module. */
  get dataUrl(): string {
    return `${this.baseUrl}/appsr.cgi`;
  }

  /**
   * Sends one form-urlencoded call to the data module as the first user, to check what is stored. @returns the parsed
   * body, whatever its `status`.
   */
  async call<T = Record<string, unknown>>(
    action: string,
    parameters: Readonly<Record<string, string>> = {},
  ): Promise<T> {
    const response = await fetch(this.dataUrl, {
      method: 'POST',
      headers: { 'X-Service-Auth': this.accessKey },
      body: new URLSearchParams({ action, ...parameters }),
    });
    return (await response.json()) as T;
  }

  /** Restores the samples and the default dialect, and removes faults and log. */
  async reset(): Promise<void> {
    await this.#control('POST', '/reset');
  }

  /** Creates an application, which exists until {@link reset} or {@link removeApplication}. */
  createApplication(definition: ApplicationDefinition): Promise<CreatedApplication> {
    return this.#control('POST', '/applications', definition);
  }

  /** Changes the name, status, settings or parts of an application. */
  changeApplication(
    application: string,
    change: ApplicationChange,
  ): Promise<Omit<CreatedApplication, 'records'>> {
    return this.#control('PATCH', `/applications/${application}`, change);
  }

  async removeApplication(application: string): Promise<void> {
    await this.#control('DELETE', `/applications/${application}`);
  }

  /** The ids of an application's parts by name. */
  async partIds(application: string): Promise<Readonly<Record<string, string>>> {
    return (await this.changeApplication(application, {})).parts;
  }

  /** The records of an application as they are stored, in order of ids. */
  records(application: string, { offset = 0, limit = 5000 } = {}): Promise<StoredRecord[]> {
    return this.#control('GET', `/applications/${application}/records?offset=${offset}&limit=${limit}`);
  }

  /** Adds records as a user would; without a user, as the application's creator. @returns their ids. */
  addRecords(
    application: string,
    records: readonly Readonly<Record<string, unknown>>[],
    as?: string,
  ): Promise<string[]> {
    return this.#control('POST', `/applications/${application}/records`, { records, as });
  }

  /** Changes a record while others work with it. `quietly` keeps "updated at". */
  changeRecord(
    application: string,
    record: string,
    values: Readonly<Record<string, unknown>>,
    { as, quietly }: { as?: string; quietly?: boolean } = {},
  ): Promise<StoredRecord> {
    return this.#control('PATCH', `/applications/${application}/records/${record}`, { values, as, quietly });
  }

  async removeRecord(application: string, record: string): Promise<void> {
    await this.#control('DELETE', `/applications/${application}/records/${record}`);
  }

  /** Sets some dialect switches and keeps the others. */
  async setDialect(changes: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#control('PATCH', '/dialect', changes);
  }

  /** All dialect switches with their possible values. */
  switches(): Promise<Readonly<Record<string, DialectSwitch>>> {
    return this.#control('GET', '/dialect/switches');
  }

  /** Resets all dialect switches to their defaults. */
  async resetDialect(): Promise<void> {
    await this.#control('DELETE', '/dialect');
  }

  /** Replaces all faults. */
  async setFaults(faults: readonly Fault[]): Promise<void> {
    await this.#control('PUT', '/faults', faults);
  }

  async clearFaults(): Promise<void> {
    await this.#control('DELETE', '/faults');
  }

  /** Adds or changes a user. Fields that are left out keep their values. */
  setUser(id: string, user: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
    return this.#control('PUT', `/users/${id}`, user);
  }

  /** The calls with a number above `since` that have ended. */
  log(since = 0): Promise<LoggedCall[]> {
    return this.#control('GET', `/log?since=${since}`);
  }

  /** The highest number in the log, or 0. Calls that run at the same time end in any order. */
  async lastCall(): Promise<number> {
    return Math.max(0, ...(await this.log()).map(({ number }) => number));
  }

  async clearLog(): Promise<void> {
    await this.#control('DELETE', '/log');
  }

  /** The notifications with a number above `since` that have ended. */
  notifications(since = 0): Promise<LoggedNotification[]> {
    return this.#control('GET', `/notifications?since=${since}`);
  }

  /** The notifications to one address. End-to-end stories share a sandbox, and each has an address of its own. */
  async notificationsTo(address: string): Promise<LoggedNotification[]> {
    return (await this.notifications()).filter((each) => each.address === address);
  }

  statistics(): Promise<SandboxStatistics> {
    return this.#control('GET', '/statistics');
  }

  async clearStatistics(): Promise<void> {
    await this.#control('DELETE', '/statistics');
  }

  /** Stops the service's clock at a time. Without a time, it follows the machine again. */
  async setClock(at?: string): Promise<void> {
    await this.#control('PUT', '/clock', { at: at ?? null });
  }

  /** Refuses connections until {@link startListening}, and closes open ones. */
  async stopListening(): Promise<void> {
    await this.#control('POST', '/stop');
  }

  async startListening(): Promise<void> {
    await this.#control('POST', '/start');
  }

  async #control<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${this.controlUrl}${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer as T;
  }
}
