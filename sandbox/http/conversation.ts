import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer } from '../actions/action.ts';
import { Parameters } from '../call/call.ts';
import { refusals, ServiceError } from '../call/refusals.ts';
import { delay, delayForItems, hold, type Fault } from '../settings/faults.ts';
import { Overloaded } from '../service/queue.ts';
import type { OutgoingNotification } from '../service/notifier.ts';
import type { IncomingCall, Service } from '../service/service.ts';
import type { User } from '../storage/people.ts';
import { basicChallenge, htmlPage, refusalAnswer, successAnswer } from './answers.ts';
import { effectOf } from './effects.ts';
import { receive, type Received } from './incoming.ts';
import { drop, send, type Outgoing } from './outgoing.ts';

/** Stops the data listener for a while. */
export type TakeDown = (ms: number) => void;

/** One call, from its arrival to its answer and its line in the log. */
export class Conversation {
  readonly #service: Service;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #module: IncomingCall['module'];
  readonly #takeDown: TakeDown;
  readonly #number: number;
  readonly #at = new Date();
  #received: Received = { parameters: new Parameters([]), files: [] };
  #faults: readonly Fault[] = [];
  #userId = '';
  #notification: OutgoingNotification | undefined;
  #outcome = 'ok';
  #errorno: number | undefined;
  #waitedMs = 0;
  #workMs = 0;
  #listed = 0;

  constructor(
    service: Service,
    module: IncomingCall['module'],
    request: FastifyRequest,
    reply: FastifyReply,
    takeDown: TakeDown,
  ) {
    this.#service = service;
    this.#module = module;
    this.#request = request;
    this.#reply = reply;
    this.#takeDown = takeDown;
    this.#number = service.log.next();
  }

  async hold(): Promise<void> {
    const { statistics, storage } = this.#service;
    statistics.callArrived();
    let httpStatus = 0;
    try {
      httpStatus = await this.#answer();
    } finally {
      storage.files.removeUnowned(this.#received.files.map(({ file }) => file.id));
      this.#writeLog(httpStatus);
      statistics.callEnded(this.#action);
      await this.#notify();
    }
  }

  get #action(): string {
    return this.#received.parameters.get('action') ?? '';
  }

  async #answer(): Promise<number> {
    try {
      this.#received = await receive(this.#request, this.#service);
    } catch (error) {
      return this.#send(this.#failure(error), { connection: 'close' });
    }
    if (!this.#passesWebServer()) return this.#send(basicChallenge());
    this.#faults = this.#service.faults.take(this.#action);
    await delay(this.#faults, 'network');
    await this.#hold('before');
    const interference = this.#interfere('before');
    if (interference === 'drop') return drop(this.#reply);
    if (interference) return this.#send(interference);
    const outgoing = await this.#work();
    await this.#hold('after');
    const afterwards = this.#interfere('after');
    if (afterwards === 'drop') return drop(this.#reply);
    return this.#send(afterwards ?? outgoing);
  }

  #passesWebServer(): boolean {
    const { basicAuth } = this.#service.dialect;
    if (basicAuth === 'none') return true;
    return this.#request.headers.authorization === `Basic ${Buffer.from(basicAuth).toString('base64')}`;
  }

  async #hold(when: 'before' | 'after'): Promise<void> {
    const record = this.#received.parameters.get('data_id') ?? '';
    await hold(this.#faults, { when, action: this.#action, record });
  }

  async #work(): Promise<Outgoing> {
    const service = this.#service;
    const arrived = performance.now();
    try {
      const user = service.authenticate(this.#accessKey());
      this.#userId = user.id;
      const incoming = { module: this.#module, ...this.#received, baseUrl: this.#baseUrl() };
      return await service.queue.run(async () => {
        this.#waitedMs = performance.now() - arrived;
        await delay(this.#faults, 'work');
        const outgoing = this.#timed(() => this.#perform(incoming, user));
        await delayForItems(this.#faults, this.#listed);
        if (service.dialect.notifications === 'inside') await this.#notify();
        return outgoing;
      });
    } catch (error) {
      return this.#failure(error);
    }
  }

  #perform(incoming: IncomingCall, user: User): Answer {
    const answer = this.#service.perform(incoming, user);
    if ('members' in answer) this.#listed = answer.listed ?? 0;
    if ('body' in answer && answer.written !== undefined) {
      this.#notification = this.#service.notifier.compose(answer.written, incoming.baseUrl);
    }
    return answer;
  }

  /** Sends the notifications of the call, once. */
  async #notify(): Promise<void> {
    const notification = this.#notification;
    this.#notification = undefined;
    if (notification !== undefined) await this.#service.notifier.send(notification);
  }

  /** Does the work and writes its answer. Both count as the service's own time. */
  #timed(work: () => Answer): Outgoing {
    const start = performance.now();
    try {
      return successAnswer(work(), this.#service);
    } finally {
      this.#workMs = performance.now() - start;
    }
  }

  #failure(error: unknown): Outgoing {
    const { dialect } = this.#service;
    if (error instanceof Overloaded) {
      this.#outcome = 'overloaded';
      return htmlPage(429, 'Too Many Requests', 'The service is busy. Please try again later.');
    }
    this.#outcome = 'ng';
    if (error instanceof ServiceError) {
      this.#errorno = refusals[error.refusal];
      return refusalAnswer(error, dialect);
    }
    process.stderr.write(`Call ${this.#number} failed: ${String((error as Error).stack ?? error)}\n`);
    this.#errorno = refusals.internal;
    return refusalAnswer(new ServiceError('internal', 'The service failed'), dialect);
  }

  /** The effect of a fault that replaces the work or its answer. */
  #interfere(when: 'before' | 'after'): Outgoing | 'drop' | undefined {
    for (const fault of this.#faults) {
      const effect = effectOf(fault, when, this.#service.dialect);
      if (!effect) continue;
      this.#outcome = fault.kind;
      if (fault.kind === 'ng') this.#errorno = fault.errorno;
      if (fault.kind === 'down') this.#takeDown(fault.ms);
      return effect;
    }
    return undefined;
  }

  #send(outgoing: Outgoing, headers: Record<string, string> = {}): Promise<number> {
    return send(this.#reply, { ...outgoing, headers: { ...outgoing.headers, ...headers } }, this.#faults);
  }

  #accessKey(): string | undefined {
    const { dialect } = this.#service;
    const header = this.#request.headers[dialect.headerName.toLowerCase()];
    return typeof header === 'string' ? header : this.#received.parameters.get(keyParameter);
  }

  #baseUrl(): string {
    const folder = this.#request.url.split('?', 1)[0]?.replace(/\/[^/]*$/, '') ?? '';
    return `http://${this.#request.host}${folder}`;
  }

  #writeLog(httpStatus: number): void {
    const { log } = this.#service;
    const { parameters, files } = this.#received;
    log.add({
      number: this.#number,
      at: this.#at.toISOString(),
      method: this.#request.method,
      path: this.#request.url.split('?', 1)[0] ?? '',
      action: this.#action,
      parameters: parameters
        .entries()
        .filter(([name]) => name !== keyParameter)
        .map(([name, value]) => [name, value.length > longest ? `${value.slice(0, longest)}…` : value]),
      files: files.map(({ field, file }) => ({ field, name: file.name, size: file.size })),
      user: this.#userId,
      httpStatus,
      outcome: this.#outcome,
      errorno: this.#errorno,
      faults: this.#faults.map(({ kind }) => kind),
      waitedMs: this.#waitedMs,
      workMs: this.#workMs,
    });
  }
}

/** The parameter that can carry the access key instead of the header (service facts, "Authentication"). */
const keyParameter = 'access_key';

/** Longest parameter value in the log, in characters. */
const longest = 10_000;
