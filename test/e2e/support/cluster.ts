import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

import type { Demo } from './demo';
import { logIn, N8n } from './n8n';
import { ownLogsFolder, repository } from './paths';

export type Member = 'main' | 'webhook' | 'worker-1' | 'worker-2';

export const WORKERS = ['worker-1', 'worker-2'] as const;

/** `webhookUrl`: where the process for webhooks answers. */
type ClusterAddress = Omit<Demo, 'filesFolder'> & { readonly webhookUrl: string };

/** What `node demo/cluster.ts --json` answers to a line. */
interface Obeyed {
  readonly command: string;
  readonly failure?: string;
}

/** An n8n in queue mode of a story's own: a main, a process for webhooks and two workers, each to be ended and started again. */
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
   * Starts it, with a setting for every n8n in it.
   * @throws Error when it ends before it is up; why is on the error output
   */
  static async start(settings: Readonly<Record<string, string | number>> = {}): Promise<Cluster> {
    rmSync(logFolder, { recursive: true, force: true });
    const env = Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    const args = ['--json', '--workers', `${WORKERS.length}`, '--log-folder', logFolder, ...env];
    const process_ = spawn(process.execPath, ['demo/cluster.ts', ...args], {
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

  /** Ends members as a crash would. */
  async kill(...members: readonly Member[]): Promise<void> {
    await this.#command('kill', members);
  }

  /** The workers that took up an execution, one entry for each time that one did; in the workers' order. */
  workersOf(executionId: string): Member[] {
    const line = `Worker started execution ${executionId} `;
    return WORKERS.flatMap((worker) => this.log(worker).split(line).slice(1).fill(worker) as Member[]);
  }

  /** What a member has logged since the cluster was started. */
  log(member: Member): string {
    return readFileSync(join(logFolder, `${member}.log`), 'utf8');
  }

  /** Ends all of it. */
  async end(): Promise<void> {
    this.#process.stdin.end();
    const [exitCode] = await this.#ended;
    if (exitCode !== 0) throw new Error(`The cluster ended with exit code ${String(exitCode)}.`);
  }

  async #command(verb: string, members: readonly Member[]): Promise<void> {
    this.#process.stdin.write(`${[verb, ...members].join(' ')}\n`);
    const { failure } = (await nextLine(this.#lines)) as Obeyed;
    if (failure !== undefined) throw new Error(failure);
  }
}

const logFolder = join(ownLogsFolder, 'cluster');

async function nextLine(lines: AsyncIterator<string>): Promise<unknown> {
  const { done, value } = (await lines.next()) as { done?: boolean; value: string };
  if (done) throw new Error('The cluster ended: why is said above.');
  return JSON.parse(value);
}
