import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';

import { DemoError } from './demo-error.ts';
import { killGroup, ownGroup } from './process-group.ts';

/** How long a child may take to end cleanly before it is killed. */
const STOP_TIMEOUT = 15_000;
const SHOWN_LOG_LINES = 15;

export interface ChildOptions {
  /** Its name for people, e.g. "n8n". */
  readonly name: string;
  /** The program, if it is not Node.js. */
  readonly command?: string;
  /** Arguments; for Node.js, the first one is the script. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The user id under which it runs, if not this process's. */
  readonly user?: number;
  readonly logFile: string;
  /** Keeps the log of earlier starts instead of replacing the file. */
  readonly keepLog?: boolean;
  /** Passes standard output to the caller instead of the log file. */
  readonly pipeOutput?: boolean;
}

export interface Child {
  readonly name: string;
  /** Standard output, with `pipeOutput`. */
  readonly output: Readable | null;
  /** Resolves when the process has ended, with the exit code or the name of the signal. */
  readonly ended: Promise<number | string>;
  /** Ends only this child. Resolves when nothing of it is left. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** How it ended, and the end of its log file. */
  describeEnd(end: number | string): string;
}

/**
 * The processes that the demo has started. Each leads a separate process group, so Ctrl-C in the terminal reaches the
 * demo alone, which then ends them cleanly. If the demo is killed without a chance to do so, the watchdog ends them.
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
   * @throws DemoError with the end of its log if it fails.
   */
  async run(options: ChildOptions): Promise<void> {
    const child = this.start(options);
    const end = await child.ended;
    if (end !== 0) throw new DemoError(child.describeEnd(end));
  }

  /** Resolves when one of the current children ends without having been stopped, with how it ended. */
  async firstEnd(): Promise<string> {
    return await new Promise((resolve) => {
      for (const child of this.#running.keys())
        void child.ended.then((end) => {
          if (!this.#stopped.has(child)) resolve(child.describeEnd(end));
        });
    });
  }

  /** Registers work to do after all of them have ended. */
  afterStop(cleanup: () => void): void {
    this.#cleanups.push(cleanup);
  }

  /** Ends all of them, the last started first. Resolves when none is left. No other can be started from then on. */
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
    // Also kills what the process itself had started and left behind.
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
