import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';

import { DemoError } from './demo-error.ts';
import { demoFolder } from './paths.ts';
import { killGroup, ownGroup } from './process-group.ts';

/** How long a child may take to end in order before it is killed. */
const STOP_TIMEOUT = 15_000;
const SHOWN_LOG_LINES = 15;

export interface ChildOptions {
  /** What a person calls it, e.g. "n8n". */
  readonly name: string;
  /** Arguments of Node.js; the first one is the script. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Written anew at each start. */
  readonly logFile: string;
  /** Standard output is given to the caller instead of the log file. */
  readonly pipeOutput?: boolean;
}

export interface Child {
  readonly name: string;
  /** Standard output, with `pipeOutput`. */
  readonly output: Readable | null;
  /** Resolves when the process has ended: the exit code, or the name of the signal. */
  readonly ended: Promise<number | string>;
  /** How it ended and the end of its log file, for a person. */
  describeEnd(end: number | string): string;
}

/**
 * The processes the demo has started. Each leads a process group of its own: Ctrl-C in the terminal reaches the demo
 * alone, which then ends them in order. Should the demo be killed without a chance to do so, the watchdog ends them.
 */
export class Children {
  readonly #running = new Map<Child, ChildProcess>();
  readonly #cleanups: (() => void)[] = [];
  #watchdog: ChildProcess | undefined;
  #stopping = false;

  start(options: ChildOptions): Child {
    if (this.#stopping) throw new DemoError('The demo is being stopped.');
    const { name, args, cwd, env, logFile, pipeOutput = false } = options;
    mkdirSync(dirname(logFile), { recursive: true });
    const log = openSync(logFile, 'w');
    const process_ = spawn(process.execPath, args, {
      cwd,
      env,
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

  /** Resolves when one of those that run now ends: how it ended. */
  async firstEnd(): Promise<string> {
    return await Promise.race(
      [...this.#running.keys()].map(async (child) => child.describeEnd(await child.ended)),
    );
  }

  /** Something to be done once all of them have ended. */
  afterStop(cleanup: () => void): void {
    this.#cleanups.push(cleanup);
  }

  /** Ends all of them, the last started first; resolves when none is left. No other can be started from then on. */
  async stopAll(): Promise<void> {
    this.#stopping = true;
    for (const [child, process_] of [...this.#running].reverse()) {
      const timer = setTimeout(() => killGroup(process_.pid), STOP_TIMEOUT);
      process_.kill('SIGTERM');
      await child.ended;
      clearTimeout(timer);
      // What the process itself had started and left.
      killGroup(process_.pid);
    }
    this.#watchdog?.stdin?.end();
    this.#watchdog = undefined;
    for (const cleanup of this.#cleanups.reverse()) cleanup();
  }

  #forget(child: Child): void {
    const process_ = this.#running.get(child);
    this.#running.delete(child);
    if (process_ && this.#watchdog) this.#tellWatchdog(`-${process_.pid}`);
  }

  #tellWatchdog(line: string): void {
    if (!this.#watchdog) {
      this.#watchdog = spawn(process.execPath, [join(demoFolder, 'watchdog.ts')], {
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
