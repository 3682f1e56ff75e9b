import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';

import { DemoError } from './demo-error.ts';
import { killGroup, ownGroup } from './process-group.ts';

/** How long a child may take to end in order before it is killed. */
const STOP_TIMEOUT = 15_000;
const SHOWN_LOG_LINES = 15;

export interface ChildOptions {
  /** What a person calls it, e.g. "n8n". */
  readonly name: string;
  /** Another program than Node.js. */
  readonly command?: string;
  /** Arguments; the first one of Node.js is the script. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Whose rights it has, if they are not this process's: the id of a user. */
  readonly user?: number;
  readonly logFile: string;
  /** What earlier starts have logged stays, instead of a file written again. */
  readonly keepLog?: boolean;
  /** Standard output is given to the caller instead of the log file. */
  readonly pipeOutput?: boolean;
}

export interface Child {
  readonly name: string;
  /** Standard output, with `pipeOutput`. */
  readonly output: Readable | null;
  /** Resolves when the process has ended: the exit code, or the name of the signal. */
  readonly ended: Promise<number | string>;
  /** Ends it alone; resolves when nothing is left of it. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** How it ended and the end of its log file, for a person. */
  describeEnd(end: number | string): string;
}

/**
 * The processes the demo has started. Each leads a process group of its own: Ctrl-C in the terminal reaches the demo
 * alone, which then ends them in order. Should the demo be killed without a chance to do so, the watchdog ends them.
 */
export class Children {
  readonly #running = new Map<Child, ChildProcess>();
  readonly #stopped = new Set<Child>();
  readonly #cleanups: (() => void)[] = [];
  #watchdog: ChildProcess | undefined;
  #stopping = false;

  start(options: ChildOptions): Child {
    if (this.#stopping) throw new DemoError('The demo is being stopped.');
    const { name, command = process.execPath, args, cwd, env, user, logFile, pipeOutput = false } = options;
    mkdirSync(dirname(logFile), { recursive: true });
    const log = openSync(logFile, options.keepLog ? 'a' : 'w');
    const process_ = spawn(command, args, {
      cwd,
      env,
      uid: user,
      stdio: ['ignore', pipeOutput ? 'pipe' : log, log],
      ...ownGroup,
    });
    closeSync(log);
    const ended = new Promise<number | string>((resolve) => {
      process_.once('error', (error) => resolve(error.message));
      process_.once('exit', (code, signal) => {
        this.#forget(child);
        resolve(code ?? signal ?? 'unknown');
      });
    });
    const child: Child = {
      name,
      output: process_.stdout,
      ended,
      stop: async (signal) => await this.#stop(child, process_, signal),
      describeEnd: (end) =>
        `${name} ended with ${typeof end === 'number' ? `exit code ${end}` : end}. ` +
        `The end of ${logFile}:\n${lastLines(logFile)}`,
    };
    this.#running.set(child, process_);
    this.#tellWatchdog(`+${process_.pid}`);
    return child;
  }

  /**
   * Runs a command to its end.
   * @throws DemoError with the end of its log when it fails.
   */
  async run(options: ChildOptions): Promise<void> {
    const child = this.start(options);
    const end = await child.ended;
    if (end !== 0) throw new DemoError(child.describeEnd(end));
  }

  /** Resolves when one of those that run now ends without having been stopped: how it ended. */
  async firstEnd(): Promise<string> {
    return await new Promise((resolve) => {
      for (const child of this.#running.keys())
        void child.ended.then((end) => {
          if (!this.#stopped.has(child)) resolve(child.describeEnd(end));
        });
    });
  }

  /** Something to be done once all of them have ended. */
  afterStop(cleanup: () => void): void {
    this.#cleanups.push(cleanup);
  }

  /** Ends all of them, the last started first; resolves when none is left. No other can be started from then on. */
  async stopAll(): Promise<void> {
    this.#stopping = true;
    for (const child of [...this.#running.keys()].reverse()) await child.stop();
    this.#watchdog?.stdin?.end();
    this.#watchdog = undefined;
    for (const cleanup of this.#cleanups.reverse()) cleanup();
  }

  async #stop(
    child: Child,
    process_: ChildProcess,
    signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM',
  ): Promise<void> {
    this.#stopped.add(child);
    const timer = setTimeout(() => killGroup(process_.pid), STOP_TIMEOUT);
    process_.kill(signal);
    await child.ended;
    clearTimeout(timer);
    // What the process itself had started and left.
    killGroup(process_.pid);
  }

  #forget(child: Child): void {
    const process_ = this.#running.get(child);
    this.#running.delete(child);
    if (process_ && this.#watchdog) this.#tellWatchdog(`-${process_.pid}`);
  }

  #tellWatchdog(line: string): void {
    if (!this.#watchdog) {
      this.#watchdog = spawn(process.execPath, [join(import.meta.dirname, 'watchdog.ts')], {
        stdio: ['pipe', 'ignore', 'ignore'],
        ...ownGroup,
      });
      this.#watchdog.unref();
    }
    this.#watchdog.stdin?.write(`${line}\n`);
  }
}

function lastLines(file: string): string {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines
    .slice(-SHOWN_LOG_LINES)
    .map((line) => `  ${line}`)
    .join('\n');
}
