import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

import type { Demo } from './demo';
import { logIn, N8n } from './n8n';
import { emptyLogFolder, ownLogsFolder, repository } from './paths';

export type Member = 'main' | 'webhook' | 'worker-1' | 'worker-2';

export const WORKERS = ['worker-1', 'worker-2'] as const;

/** `webhookUrl`: the address of the webhook process. */
type ClusterAddress = Omit<Demo, 'filesFolder'> & { readonly webhookUrl: string };

/** The answer of `node test/run/cluster.ts --json` to a line. */
interface CommandResult {
  readonly command: string;
  readonly failure?: string;
}

/**
 * A separate n8n in queue mode for one story: a main, a webhook process and two workers. A story can stop and start
 * each.
 */
export class Cluster {
  readonly demo: ClusterAddress;
  /** The main's REST interface, logged in. */
  readonly rest: N8n;
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;
  readonly #ended: Promise<unknown[]>;

  private constructor(
    process_: ChildProcessByStdio<Writable, Readable, null>,
    lines: AsyncIterator<string>,
    { demo, rest }: { demo: ClusterAddress; rest: N8n },
  ) {
    this.#process = process_;
    this.#lines = lines;
    this.#ended = once(process_, 'exit');
    this.demo = demo;
    this.rest = rest;
  }

  /**
   * Starts it, with settings for every n8n in it.
   * @throws Error when it ends before it is ready; the error output says why
   */
  static async start(settings: Readonly<Record<string, string | number>> = {}): Promise<Cluster> {
    const logFolder = emptyLogFolder('cluster');
    const env = Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    const args = ['--json', '--workers', `${WORKERS.length}`, '--log-folder', logFolder, ...env];
    const process_ = spawn(process.execPath, ['test/run/cluster.ts', ...args], {
      cwd: repository,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: process_.stdout })[Symbol.asyncIterator]();
    const demo = (await nextLine(lines)) as ClusterAddress;
    return new Cluster(process_, lines, { demo, rest: new N8n(demo.n8nUrl, await logIn(demo)) });
  }

  /** Starts members again and waits until they can be used. */
  async start(...members: readonly Member[]): Promise<void> {
    await this.#command('start', members);
  }

  /** Ends members in order. */
  async stop(...members: readonly Member[]): Promise<void> {
    await this.#command('stop', members);
  }

  /** Does something while members are stopped. They are started again, whatever comes of it, for the stories after. */
  async without<T>(
    members: readonly Member[],
    act: () => Promise<T>,
    end: 'stop' | 'kill' = 'stop',
  ): Promise<T> {
    await this[end](...members);
    try {
      return await act();
    } finally {
      await this.start(...members);
    }
  }

  /** Kills members, as a crash would. */
  async kill(...members: readonly Member[]): Promise<void> {
    await this.#command('kill', members);
  }

  /** The workers that ran an execution, one entry for each run; in the order of the workers. */
  workersOf(executionId: string): Member[] {
    const line = `Worker started execution ${executionId} `;
    return WORKERS.flatMap((worker) => this.log(worker).split(line).slice(1).fill(worker) as Member[]);
  }

  /** What a member has logged since the cluster was started. */
  log(member: Member): string {
    return readFileSync(join(ownLogsFolder, 'cluster', `${member}.log`), 'utf8');
  }

  /** Ends the whole cluster. */
  async end(): Promise<void> {
    this.#process.stdin.end();
    const [exitCode] = await this.#ended;
    if (exitCode !== 0) throw new Error(`The cluster ended with exit code ${String(exitCode)}.`);
  }

  async #command(verb: string, members: readonly Member[]): Promise<void> {
    this.#process.stdin.write(`${[verb, ...members].join(' ')}\n`);
    const { failure } = (await nextLine(this.#lines)) as CommandResult;
    if (failure !== undefined) throw new Error(failure);
  }
}

async function nextLine(lines: AsyncIterator<string>): Promise<unknown> {
  const { done, value } = (await lines.next()) as { done?: boolean; value: string };
  if (done) throw new Error('The cluster ended: why is said above.');
  return JSON.parse(value);
}
