import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type StartedDemo, startDemo } from './demo';
import { logIn, N8n } from './n8n';
import { emptyLogFolder } from './paths';
import { findFreePort } from './port';

/** A separate n8n for one story, which can stop it and start it again with its data. */
export class OwnN8n {
  readonly #folder = mkdtempSync(join(tmpdir(), 'application-data-service-own-'));
  readonly #logFolder: string;
  #args: readonly string[] | undefined;
  #started: { readonly demo: StartedDemo; readonly rest: N8n } | undefined;

  /** @param name of the folder in the run's artifacts for its logs */
  constructor(name: string) {
    this.#logFolder = emptyLogFolder(name);
  }

  /** Starts it with its data. n8n starts its active workflows by itself. */
  async start(): Promise<void> {
    this.#args ??= await this.#chooseArguments();
    const demo = await startDemo(this.#args);
    this.#started = { demo, rest: new N8n(demo.demo.n8nUrl, await logIn(demo.demo)) };
  }

  /** @throws Error if it does not end cleanly. */
  async stop(): Promise<void> {
    const exitCode = await this.#started?.demo.stop();
    if (this.#started && exitCode !== 0) throw new Error(`The demo ended with exit code ${exitCode}.`);
    this.#started = undefined;
  }

  /** Ends it and removes its data. */
  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Its REST interface, logged in. */
  get rest(): N8n {
    if (!this.#started) throw new Error('This n8n is not running.');
    return this.#started.rest;
  }

  /** Its address. */
  get url(): string {
    if (!this.#started) throw new Error('This n8n is not running.');
    return this.#started.demo.demo.n8nUrl;
  }

  /** The file of n8n's database. Read it only while n8n does not run. */
  get databaseFile(): string {
    return join(this.#folder, 'n8n', '.n8n', 'database.sqlite');
  }

  /** What n8n has logged since it was started last. */
  readLog(): string {
    return readFileSync(join(this.#logFolder, 'n8n.log'), 'utf8');
  }

  async #chooseArguments(): Promise<string[]> {
    const [n8nPort, sandboxPort] = [await findFreePort(), await findFreePort()];
    return [
      ...['--data-folder', this.#folder, '--log-folder', this.#logFolder],
      ...['--n8n-port', `${n8nPort}`, '--sandbox-port', `${sandboxPort}`],
    ];
  }
}
