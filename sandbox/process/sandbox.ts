import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { control } from '../control/control.ts';
import type { Addresses, Controlled } from '../control/controlled.ts';
import { defaultDialect } from '../settings/switches.ts';
import { htmlPage } from '../http/answers.ts';
import { dataModule, folder } from '../http/dataModule.ts';
import { send } from '../http/outgoing.ts';
import { page } from '../http/page.ts';
import { sleep } from '../settings/faults.ts';
import { storeSamples } from '../samples/samples.ts';
import { generate } from '../samples/large.ts';
import { Service } from '../service/service.ts';

/** How to start a sandbox. */
export interface SandboxOptions {
  /** Port of the data module; 0 for a free one. */
  readonly port: number;
  /** Address to listen on. */
  readonly host: string;
  /** Database file; `:memory:` stores nothing on disk. */
  readonly data: string;
  /** Access key of the first user. */
  readonly accessKey: string;
  /** Records of the generated application; 0 for none. */
  readonly records: number;
}

/**
 * The service with its two listeners. Control is available on both: beside the data module, for people, and at a
 * separate port, for tests that stop the data listener.
 */
export class Sandbox implements Controlled {
  readonly watchers = new Set<(what: string) => void>();
  readonly service: Service;
  readonly #options: SandboxOptions;
  readonly #front: FastifyInstance;
  readonly #back: FastifyInstance;
  #port: number;
  #controlPort = 0;

  constructor(options: SandboxOptions) {
    this.#options = options;
    this.#port = options.port;
    this.service = new Service(placeOf(options));
    this.#front = Fastify({ forceCloseConnections: true, routerOptions: { maxParamLength: 1000 } });
    this.#back = Fastify({ forceCloseConnections: true, bodyLimit: largestControlBody });
  }

  /** Creates both listeners and starts them. */
  async start(): Promise<Addresses> {
    const takeDown = (ms: number) => {
      this.restartListening(ms).catch((error: unknown) => {
        process.stderr.write(`The sandbox could not start listening again: ${String(error)}\n`);
        process.exitCode = 1;
      });
    };
    if (this.service.storage.isNew) await storeSamples(this.service.workbench, this.#options.accessKey);
    generate(this.service.workbench, this.#options.records);
    this.service.storage.records.prepare();
    await this.#front.register(dataModule(this.service, takeDown));
    await this.#front.register(page);
    await this.#front.register(control(this), { prefix: '/control' });
    await this.#back.register(control(this), { prefix: '/control' });
    const nothing = htmlPage(404, 'Not Found', 'There is nothing at this address.');
    this.#front.setNotFoundHandler(async (_request, reply) => void (await send(reply, nothing)));
    await this.#front.ready();
    await this.listen();
    await this.#back.listen({ host: '127.0.0.1', port: 0 });
    this.#controlPort = (this.#back.server.address() as AddressInfo).port;
    return this.addresses;
  }

  get addresses(): Addresses {
    return {
      baseUrl: `http://${this.#options.host}:${this.#port}${folder}`,
      accessKey: this.service.storage.people.users()[0]?.accessKey ?? this.#options.accessKey,
      controlUrl: `http://127.0.0.1:${this.#controlPort}/control`,
    };
  }

  async listen(): Promise<void> {
    const { server } = this.#front;
    if (server.listening) return;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, this.#options.host, () => {
        server.off('error', reject);
        resolve();
      });
    });
    this.#port = (server.address() as AddressInfo).port;
  }

  async stopListening(): Promise<void> {
    const { server } = this.#front;
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  async restartListening(downMs: number): Promise<void> {
    await this.stopListening();
    await sleep(downMs);
    await this.listen();
  }

  async reset(): Promise<void> {
    const { service } = this;
    Object.assign(service.dialect, defaultDialect());
    service.faults.set([]);
    service.clock.stopAt(undefined);
    service.queue.reset();
    service.log.clear();
    service.notifier.log.clear();
    service.statistics.reset();
    await storeSamples(service.workbench, this.#options.accessKey);
    generate(service.workbench, this.#options.records);
  }

  async close(): Promise<void> {
    this.service.notifier.close();
    await this.stopListening();
    await this.#back.close();
    await this.#front.close();
    this.service.storage.close();
  }
}

/** With many records, memory is too small: SQLite then stores them in a temporary file, which it deletes itself. */
function placeOf({ data, records }: SandboxOptions): string {
  const temporaryFile = '';
  return data === ':memory:' && records > 20_000 ? temporaryFile : data;
}

/** Control can create an application with many records in one call. */
const largestControlBody = 256 * 1024 * 1024;
