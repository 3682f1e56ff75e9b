import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

import type {
  SandboxStart,
  StoredRecord,
  CreatedApplication,
  ApplicationDefinition,
  Fault,
  LoggedCall,
  SandboxStatistics,
  ApplicationChange,
} from './sandboxTypes';

export type * from './sandboxTypes';

const repository = join(__dirname, '..', '..');

/** The sandbox needs a newer Node.js than an older n8n on which the nodes are tested. */
const node = process.env.SANDBOX_NODE ?? process.execPath;

/** The sandbox in a process of its own, which ends with this one. */
export class Sandbox {
  /** Folder of the modules; the data module is `<baseUrl>/appsr.cgi`. */
  readonly baseUrl: string;
  /** Key of the first user, who may do everything. */
  readonly accessKey: string;
  readonly controlUrl: string;
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #ended: Promise<void>;

  private constructor(
    child: ChildProcessByStdio<Writable, Readable, null>,
    addresses: { baseUrl: string; accessKey: string; controlUrl: string },
  ) {
    this.#child = child;
    this.#ended = new Promise((resolve) => child.once('exit', () => resolve()));
    this.baseUrl = addresses.baseUrl;
    this.accessKey = addresses.accessKey;
    this.controlUrl = addresses.controlUrl;
  }

  /** Starts a sandbox with the sample applications and waits until it takes calls. */
  static async start({ data, port = 0, records, dialect = {} }: SandboxStart = {}): Promise<Sandbox> {
    const args = [
      join(repository, 'sandbox', 'main.ts'),
      '--port',
      String(port),
      '--json',
      '--exit-with-parent',
    ];
    if (data !== undefined) args.push('--data', data);
    if (records !== undefined) args.push('--records', String(records));
    for (const [name, value] of Object.entries(dialect)) args.push('--dialect', `${name}=${String(value)}`);
    const child = spawn(node, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const line = await firstLine(child);
    return new Sandbox(child, JSON.parse(line) as { baseUrl: string; accessKey: string; controlUrl: string });
  }

  /** Ends the sandbox cleanly. */
  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.#ended;
  }

  /** Ends the sandbox the hard way, as a crash would. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
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

  async clearLog(): Promise<void> {
    await this.#control('DELETE', '/log');
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

function firstLine(child: ChildProcessByStdio<Writable, Readable, null>): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The sandbox ended before it was ready (${code})`)));
    createInterface(child.stdout).once('line', resolve);
  });
}
