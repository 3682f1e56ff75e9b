import { join } from 'node:path';

import { findFreePort, LOOPBACK } from '../../../demo/place/checks.ts';
import type { Child, Children } from '../../../demo/process/children.ts';
import { DemoError } from '../../../demo/process/demo-error.ts';
import { type N8nCommand, type N8nPlace, startCommand } from '../../../demo/n8n/start-n8n.ts';

/** One n8n of the cluster, and how it is started. */
interface Member {
  readonly command: N8nCommand;
  readonly place: N8nPlace;
  /** Answers when the process can be used. */
  readonly address: string;
}

interface Setting {
  readonly folder: string;
  readonly logFile: (name: string) => string;
  /** The settings that all of them share: queue, database, encryption key. */
  readonly settings: NodeJS.ProcessEnv;
}

/**
 * The n8n processes of a cluster by name: `main`, `webhook`, `worker-1` and so on. Each can be ended and started again
 * with its data.
 */
export class Members {
  readonly #children: Children;
  readonly #members: ReadonlyMap<string, Member>;
  readonly #running = new Map<string, Child>();

  constructor(children: Children, members: ReadonlyMap<string, Member>) {
    this.#children = children;
    this.#members = members;
  }

  get names(): string[] {
    return [...this.#members.keys()];
  }

  get userFolders(): string[] {
    return [...this.#members.values()].map(({ place }) => place.userFolder);
  }

  /** Starts one and waits until it can be used. */
  async start(name: string): Promise<void> {
    const { command, place, address } = this.#find(name);
    if (this.#running.has(name)) throw new DemoError(`${name} is running already.`);
    const child = await startCommand(this.#children, command, place, address);
    this.#running.set(name, child);
    void child.ended.then(() => this.#running.delete(name));
  }

  /** Ends one cleanly. */
  async stop(name: string): Promise<void> {
    await this.#end(name, 'SIGTERM');
  }

  /** Kills one, as a crash would. */
  async kill(name: string): Promise<void> {
    await this.#end(name, 'SIGKILL');
  }

  async #end(name: string, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    this.#find(name);
    const child = this.#running.get(name);
    if (!child) throw new DemoError(`${name} is not running.`);
    await child.stop(signal);
  }

  #find(name: string): Member {
    const member = this.#members.get(name);
    if (member) return member;
    throw new DemoError(`There is no "${name}", only ${this.names.join(', ')}.`);
  }
}

/** The main of a cluster, which listens on `port`. It leaves the production addresses to the webhook process. */
export function describeMain(port: number, setting: Setting): [name: string, member: Member] {
  const settings = { N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true', ...setting.settings };
  const address = `http://${LOOPBACK}:${port}/rest/settings`;
  return ['main', { command: 'start', place: placeOf('main', port, { ...setting, settings }), address }];
}

/** The webhook process of a cluster, which listens on `port`. */
export function describeWebhook(port: number, setting: Setting): [name: string, member: Member] {
  const address = `http://${LOOPBACK}:${port}/healthz/readiness`;
  return ['webhook', { command: 'webhook', place: placeOf('webhook', port, setting), address }];
}

/** A worker of a cluster whose main listens on `mainPort`. */
export async function describeWorker(
  number: number,
  mainPort: number,
  setting: Setting,
): Promise<[name: string, member: Member]> {
  const name = `worker-${number}`;
  const healthPort = await findFreePort();
  const settings = {
    ...setting.settings,
    QUEUE_HEALTH_CHECK_ACTIVE: 'true',
    QUEUE_HEALTH_CHECK_PORT: `${healthPort}`,
    N8N_WORKER_SERVER_ADDRESS: LOOPBACK,
  };
  const address = `http://${LOOPBACK}:${healthPort}/healthz/readiness`;
  return [name, { command: 'worker', place: placeOf(name, mainPort, { ...setting, settings }), address }];
}

function placeOf(name: string, port: number, { folder, logFile, settings }: Setting): N8nPlace {
  return { name, userFolder: join(folder, name), port, logFile: logFile(name), keepLog: true, settings };
}
