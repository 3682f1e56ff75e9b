import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { join } from 'node:path';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

import { Holds, type HeldCall, type HeldCalls } from './holds';
import { type SandboxAddresses, SandboxControl } from './sandboxControl';
import type { Fault, SandboxStart } from './sandboxTypes';

export type * from './sandboxTypes';

declare global {
  /** Sandboxes that test files of this process no longer use. jest's environment keeps them: test/jest. */
  var idleSandboxes: Running[] | undefined;
}

const repository = join(__dirname, '..', '..');

/** The sandbox needs a newer Node.js than the older versions of n8n. */
const node = process.env.SANDBOX_NODE ?? process.execPath;

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** The process of a sandbox. */
interface Running {
  readonly child: Child;
  readonly ended: Promise<void>;
  readonly addresses: SandboxAddresses;
}

/** A sandbox in a separate process, which ends with this one. */
export class Sandbox extends SandboxControl {
  readonly #running: Running;
  readonly #holds = new Holds();
  #borrowed = false;

  private constructor(running: Running) {
    super(running.addresses);
    this.#running = running;
  }

  /** Starts a sandbox with the sample applications and waits until it accepts calls. */
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
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const addresses = JSON.parse(await firstLine(child)) as SandboxAddresses;
    return new Sandbox({ child, ended, addresses });
  }

  /**
   * Returns a sandbox with the sample applications, if possible one that an earlier test file of this process used: its
   * code is warm, so it starts much faster.
   */
  static async borrow(): Promise<Sandbox> {
    const idle = globalThis.idleSandboxes?.pop();
    const sandbox = idle === undefined ? await Sandbox.start() : new Sandbox(idle);
    sandbox.#borrowed = true;
    return sandbox;
  }

  /**
   * Returns a fault that holds each call it applies to until `act` is done. `count` numbers these calls from 1. If `act`
   * throws, {@link reset} and {@link stop} throw the error.
   */
  async holdDuring(which: HeldCalls, act: (count: number, call: HeldCall) => unknown): Promise<Fault> {
    return await this.#holds.during(which, act);
  }

  override async reset(): Promise<void> {
    await super.reset();
    await this.#holds.end();
  }

  /** Ends the sandbox cleanly, or keeps a borrowed one for the next test file. */
  async stop(): Promise<void> {
    await this.#holds.end();
    const { idleSandboxes } = globalThis;
    if (idleSandboxes !== undefined && this.#borrowed && (await this.#isAsNew())) {
      unref(this.#running.child);
      idleSandboxes.push(this.#running);
      return;
    }
    await this.#end('SIGTERM');
  }

  /** Kills the sandbox, as a crash would. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    this.#running.child.kill(signal);
    await this.#running.ended;
  }

  /** Whether the sandbox answers and is as new. A test may have left calls in progress. */
  async #isAsNew(): Promise<boolean> {
    const everything = async (): Promise<boolean> => {
      await this.startListening();
      await this.reset();
      const answered = (await this.call('list_apps')).status === 'ok';
      await this.reset();
      return answered && (await this.statistics()).inFlight === 0;
    };
    const tooLate = new Promise<false>((resolve) => setTimeout(resolve, 1000, false).unref());
    return await Promise.race([everything().catch(() => false), tooLate]);
  }
}

/** Keeps the sandbox from keeping this process alive. */
function unref(child: Child): void {
  child.unref();
  for (const pipe of [child.stdin, child.stdout]) (pipe as Partial<Socket>).unref?.();
}

function firstLine(child: Child): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The sandbox ended before it was ready (${code})`)));
    createInterface(child.stdout).once('line', resolve);
  });
}
