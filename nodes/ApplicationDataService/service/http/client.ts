import { readItems } from '../../parts/values/shapes';
import { nullIf } from '../../util/concurrently';
import { dataModuleUrl, downloadUrl } from './address';
import { type Answer, type Asked, readAnswer, readRetryAfter } from './answer';
import { asStream, type Chunks, pull, readBody, readHead } from './byteStream';
import { asWriteFailure, isRefusal, isTooSlow, type ServiceError, toServiceError } from './errors';
import type { Caller, Limiters, Permit, PlannedCall } from './limiter';
import { type FormField, type FormFile, multipartBody, type MultipartBody } from './multipart';
import type { ServiceRequest, ServiceResponse, Transport } from './transport';

interface RetryPolicy {
  readonly tries: number;
  readonly firstWaitMs: number;
  /** How long an answer may take. Clients of the service wait up to two minutes (service-facts). */
  readonly timeoutMs: number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** Waits of 0.5 to 8 seconds, less up to a third so that callers spread out: together they outlast a restart. */
export const RETRIES = { tries: 6, firstWaitMs: 500, timeoutMs: 120_000 } as const;
const MAX_WAIT_MS = 120_000;
/** Tries of a call that ends because nothing comes: each takes minutes. */
const MAX_SLOW_TRIES = 2;
/** A `write` is sent again only when nothing was done; a slow `page` is not: its caller asks for less at once. */
export type CallKind = 'read' | 'page' | 'write';

export interface ClientOptions {
  readonly base: URL;
  readonly dataModule: string;
  readonly transport: Transport;
  readonly retries: RetryPolicy;
  readonly caller?: Caller;
  readonly signal?: AbortSignal;
  readonly limiters: Limiters;
  readonly timeZone?: string;
}

/** Actions that change data (interface.md). They are never sent again if they may have been done. */
const WRITES = new Set(['insert_data', 'update_data', 'delete_data']);
/** An upload may take longer, as if at 2 megabits per second. In bytes per millisecond. */
const SLOWEST_UPLOAD = 250;

export interface StreamedResponse extends ServiceResponse {
  readonly body: Chunks;
}

type Request = Omit<ServiceRequest, 'signal'>;

interface Exchange<T> {
  readonly request: (progress: () => void) => Request;
  readonly read: (response: ServiceResponse, progress: () => void) => T | Promise<T>;
}

/** Makes every call to the service (interface.md, "Common request conventions"). */
export class ServiceClient {
  readonly address: string;
  readonly timeZone: string;
  private readonly caller: Caller;

  /** @param shared by clients of one key, see `until`: whether it has worked, and how many calls are being made */
  constructor(
    private readonly options: ClientOptions,
    readonly shared = { keyWorks: false, underWay: 0 },
  ) {
    this.address = dataModuleUrl(options.base, options.dataModule);
    this.timeZone = options.timeZone ?? '';
    this.caller = options.caller ?? { turn: this, urgent: false };
  }

  /** The answer of one action, after the tries that are safe. @throws ServiceError `inDoubt` for a lost write */
  async call(
    action: string,
    fields: readonly FormField[] = [],
    files: readonly FormFile[] = [],
  ): Promise<Answer> {
    const kind = WRITES.has(action) ? 'write' : 'read';
    const size = files.reduce((sum, { content }) => sum + content.size, 0);
    let multipart: MultipartBody | undefined;
    try {
      return await this.send(kind, {
        request: (progress) => {
          // A file is read again each time it is sent.
          if (files.length > 0) multipart = multipartBody([['action', action], ...fields], files, progress);
          return this.post(action, fields, multipart?.form, size / SLOWEST_UPLOAD);
        },
        read: (response) => this.answerOf(response, action),
      });
    } catch (error) {
      const failure = multipart?.failure() ?? toServiceError(error);
      throw kind === 'write' ? asWriteFailure(failure, action) : failure;
    }
  }

  /** Requests an attachment by its `url`, and again if `read` finds it incomplete ("download_data_file"). */
  async download<T>(url: string, read: (response: StreamedResponse) => Promise<T>): Promise<T> {
    const address = downloadUrl(this.options.base, url);
    const { timeoutMs } = this.options.retries;
    return await this.sendStreamed('read', { method: 'GET', url: address, timeoutMs }, read);
  }

  /**
   * Like `call`, for a read with a streamed answer. Of a long one, n8n's helper would keep all bytes twice, beside its
   * text, and V8 would collect everything again and again. The answer may pause for as long as a buffered one may take.
   * Afterwards, `streamOf` can make streams.
   */
  async callStreamed(
    action: string,
    fields: readonly FormField[],
    kind: 'read' | 'page' = 'read',
  ): Promise<Answer> {
    const request = this.post(action, fields);
    const read = async (response: StreamedResponse): Promise<Answer> =>
      this.answerOf({ ...response, body: await readBody(response.body) }, action);
    return await this.sendStreamed(kind, request, read, request.timeoutMs);
  }

  until(signal: AbortSignal): ServiceClient {
    const { options, caller, shared } = this;
    const ends = options.signal === undefined ? signal : AbortSignal.any([options.signal, signal]);
    return new ServiceClient({ ...options, caller, signal: ends }, shared);
  }

  asked(action: string): Asked {
    return { action, address: this.address, keyWorks: this.shared.keyWorks };
  }

  async wait(milliseconds: number): Promise<void> {
    await this.options.retries.sleep(milliseconds);
  }

  private post(action: string, fields: readonly FormField[], form?: FormData, moreMs = 0): Request {
    const pairs = [['action', action], ...fields] as [string, string][];
    const timeoutMs = this.options.retries.timeoutMs + moreMs;
    return { method: 'POST', url: this.address, body: form ?? new URLSearchParams(pairs), timeoutMs };
  }

  private answerOf(response: ServiceResponse, action: string): Answer {
    const answer = readAnswer(response, this.asked(action));
    this.shared.keyWorks = true;
    return answer;
  }

  private async sendStreamed<T>(
    kind: 'read' | 'page',
    request: Request,
    read: (response: StreamedResponse) => Promise<T>,
    idleMs?: number,
  ): Promise<T> {
    return await this.send(kind, {
      request: () => ({ ...request, stream: true }),
      read: async (response, progress) =>
        await read({ ...response, body: pull(asStream(response.body), progress, idleMs) }),
    });
  }

  /** Makes a call, in its turn, as often as it may be tried. A 429 counts as no try: it waits for its turn again. */
  private async send<T>(kind: CallKind, exchange: Exchange<T>): Promise<T> {
    const { base, limiters, retries, signal } = this.options;
    const attempt = async (): Promise<T> => {
      const planned: PlannedCall = { ...this.caller, signal };
      for (;;) {
        const result = await this.sendOnce(exchange, await limiters.enter(base.href, planned));
        if (result !== 'full') return result.value;
      }
    };
    return await withRetries(attempt, kind, retries);
  }

  /** Holds the permit until the answer was read, even if the caller no longer waits. @returns `full` for a 429 */
  private async sendOnce<T>({ request, read }: Exchange<T>, permit: Permit): Promise<{ value: T } | 'full'> {
    const { transport, signal } = this.options;
    let streamed: unknown;
    this.shared.underWay++;
    try {
      const asked = request(permit.progress);
      const response = await transport({ ...asked, signal });
      const { status, headers, body } = response;
      if (asked.stream === true) streamed = body;
      if (status === 429) {
        permit.refused(readRetryAfter(headers['retry-after']));
        // Where nobody has begun to read, what n8n's helper returns keeps its connection, even if it is destroyed.
        if (asked.stream === true) await readHead(pull(asStream(body), () => undefined));
        return 'full';
      }
      // The answer of a proxy does not show that the service's queue has room.
      if (status < 502) permit.accepted();
      return { value: await read(response, permit.progress) };
    } finally {
      this.shared.underWay--;
      permit.end();
      (streamed as { destroy?(): void } | undefined)?.destroy?.();
    }
  }
}

function mayRepeat(error: ServiceError, kind: CallKind): boolean {
  const { status = 0 } = error.details;
  // A refused connection may be a restart.
  if (error.kind === 'unreachable') return error.details.isLasting !== true;
  if (kind === 'write' || (kind === 'page' && isTooSlow(error))) return false;
  if (error.kind === 'badAnswer') return status < 400 || status >= 500;
  // After a 429, the limiter has already waited in vain.
  return error.kind === 'lost' || (error.kind === 'busy' && status !== 429);
}

/** @throws ServiceError the last failure; after several tries its message includes their number. */
async function withRetries<T>(attempt: () => Promise<T>, kind: CallKind, policy: RetryPolicy): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (thrown) {
      const error = toServiceError(thrown);
      // Not sooner than the service asks. If it asks for too little time, the doubling outlasts it.
      const ownWaitMs = policy.firstWaitMs * 2 ** (tries - 1) * (0.65 + 0.35 * Math.random());
      const waitMs = Math.max(error.details.retryAfterMs ?? 0, ownWaitMs);
      const maxTries = error.details.isSlow === true ? Math.min(MAX_SLOW_TRIES, policy.tries) : policy.tries;
      if (!mayRepeat(error, kind) || tries >= maxTries || waitMs > MAX_WAIT_MS)
        throw tries === 1 ? error : error.reworded(`${error.message} (tried ${tries} times)`);
      await policy.sleep(waitMs);
    }
  }
}

/** Lists contain at most this many items, also by default (interface.md, "Limits"). */
export const MAX_LIST_LENGTH = 5000;
/** `errorno` of "no matching data": some services send it instead of an empty list. */
export const NO_MATCHING_DATA = -110;

export async function callForList(
  client: ServiceClient,
  action: string,
  fields: readonly FormField[],
  kind?: 'page',
): Promise<unknown[]> {
  const call = kind === 'page' ? client.callStreamed(action, fields, kind) : client.call(action, fields);
  return readItems((await nullIfNothingMatches(call))?.list);
}

export async function nullIfNothingMatches<T>(call: Promise<T>): Promise<T | null> {
  return await nullIf((error) => isRefusal(error) && error.details.errorNumber === NO_MATCHING_DATA, call);
}
