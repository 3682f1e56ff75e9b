import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

import { type SandboxAddresses, SandboxControl } from './sandboxControl';
import type { SandboxStart } from './sandboxTypes';

export type * from './sandboxTypes';

const repository = join(__dirname, '..', '..');

/** The sandbox needs a newer Node.js than an older n8n on which the nodes are tested. */
const node = process.env.SANDBOX_NODE ?? process.execPath;

/** The sandbox in a process of its own, which ends with this one. */
export class Sandbox extends SandboxControl {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #ended: Promise<void>;

  private constructor(child: ChildProcessByStdio<Writable, Readable, null>, addresses: SandboxAddresses) {
    super(addresses);
    this.#child = child;
    this.#ended = new Promise((resolve) => child.once('exit', () => resolve()));
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
    return new Sandbox(child, JSON.parse(line) as SandboxAddresses);
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
}

function firstLine(child: ChildProcessByStdio<Writable, Readable, null>): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The sandbox ended before it was ready (${code})`)));
    createInterface(child.stdout).once('line', resolve);
  });
}
