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

/** As the sandbox prints them at its start. */
export interface SandboxAddresses {
  readonly baseUrl: string;
  readonly accessKey: string;
  readonly controlUrl: string;
}

/** A sandbox that runs somewhere on this machine: what can be asked of it and done to it. */
export class SandboxControl {
  /** Folder of the modules; the data module is `<baseUrl>/appsr.cgi`. */
  readonly baseUrl: string;
  /** Key of the first user, who may do everything. */
  readonly accessKey: string;
  readonly controlUrl: string;

  constructor({ baseUrl, accessKey, controlUrl }: SandboxAddresses) {
    this.baseUrl = baseUrl;
    this.accessKey = accessKey;
    this.controlUrl = controlUrl;
  }

  /** Address of the data module. */
  get dataUrl(): string {
    return `${this.baseUrl}/appsr.cgi`;
  }

  /**
   * One plain call of the data module, for tests of what is stored: form-urlencoded, as the first user.
   * Gives the parsed body, whatever its `status`.
   */
  async call(
    action: string,
    parameters: Readonly<Record<string, string>> = {},
  ): Promise<Record<string, unknown>> {
    const response = await fetch(this.dataUrl, {
      method: 'POST',
      headers: { 'X-Service-Auth': this.accessKey },
      body: new URLSearchParams({ action, ...parameters }),
    });
    return (await response.json()) as Record<string, unknown>;
  }

  /** Back to the samples, the default dialect, no faults, an empty log. */
  async reset(): Promise<void> {
    await this.#control('POST', '/reset');
  }

  /** Creates an application; applications go on until {@link reset} or {@link removeApplication}. */
  createApplication(definition: ApplicationDefinition): Promise<CreatedApplication> {
    return this.#control('POST', '/applications', definition);
  }

  /** Changes an application: name, status, settings, parts. */
  changeApplication(
    application: string,
    change: ApplicationChange,
  ): Promise<Omit<CreatedApplication, 'records'>> {
    return this.#control('PATCH', `/applications/${application}`, change);
  }

  async removeApplication(application: string): Promise<void> {
    await this.#control('DELETE', `/applications/${application}`);
  }

  /** Ids of an application's parts by name. */
  async partIds(application: string): Promise<Readonly<Record<string, string>>> {
    return (await this.changeApplication(application, {})).parts;
  }

  /** An application's records, straight from storage, in order of their ids. */
  records(application: string, { offset = 0, limit = 5000 } = {}): Promise<StoredRecord[]> {
    return this.#control('GET', `/applications/${application}/records?offset=${offset}&limit=${limit}`);
  }

  /** Adds records as a user would, the application's creator unless told otherwise; gives their ids. */
  addRecords(
    application: string,
    records: readonly Readonly<Record<string, unknown>>[],
    as?: string,
  ): Promise<string[]> {
    return this.#control('POST', `/applications/${application}/records`, { records, as });
  }

  /** Changes a record behind the back of whoever works with it; `quietly` leaves "updated at" alone. */
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

  /** Changes some dialect switches; the others stay. */
  async setDialect(changes: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#control('PATCH', '/dialect', changes);
  }

  /** Every dialect switch, with what it can be set to. */
  switches(): Promise<Readonly<Record<string, DialectSwitch>>> {
    return this.#control('GET', '/dialect/switches');
  }

  /** All dialect switches back to their defaults. */
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

  /** Adds or changes a user; what is left out stays. */
  setUser(id: string, user: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
    return this.#control('PUT', `/users/${id}`, user);
  }

  /** Calls that have ended, with a number above `since`. */
  log(since = 0): Promise<LoggedCall[]> {
    return this.#control('GET', `/log?since=${since}`);
  }

  /** The highest number in the log, 0 while it is empty: calls that run at the same time end in any order. */
  async lastCall(): Promise<number> {
    return Math.max(0, ...(await this.log()).map(({ number }) => number));
  }

  async clearLog(): Promise<void> {
    await this.#control('DELETE', '/log');
  }

  /** Notifications that have ended, with a number above `since`. */
  notifications(since = 0): Promise<LoggedNotification[]> {
    return this.#control('GET', `/notifications?since=${since}`);
  }

  /** Those to one address: the end-to-end stories share a sandbox, and each has an address of its own. */
  async notificationsTo(address: string): Promise<LoggedNotification[]> {
    return (await this.notifications()).filter((each) => each.address === address);
  }

  /** Adds or renames a group. */
  async setGroup(id: string, name: string): Promise<void> {
    await this.#control('PUT', `/groups/${id}`, { name });
  }

  /** Adds a label, or changes the one of this name. */
  async setLabel(name: string, settings: { color?: string; parent?: string | null } = {}): Promise<void> {
    await this.#control('PUT', '/labels', { name, ...settings });
  }

  statistics(): Promise<SandboxStatistics> {
    return this.#control('GET', '/statistics');
  }

  async clearStatistics(): Promise<void> {
    await this.#control('DELETE', '/statistics');
  }

  /** Sets the service's clock, standing or running from there; without a time it follows the machine again. */
  async setClock(at?: string, { running = false } = {}): Promise<void> {
    await this.#control('PUT', '/clock', { at: at ?? null, running });
  }

  /** Refuses connections until {@link startListening}; open ones are broken. */
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
