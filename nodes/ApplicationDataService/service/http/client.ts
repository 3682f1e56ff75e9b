import { readItems } from '../../parts/values/shapes';
import { unless } from '../../util/concurrently';
import { dataModuleUrl, downloadUrl } from './address';
import { type Answer, type Asked, readAnswer, readRetryAfter } from './answer';
import { asStream, type Chunks, pull, readBody } from './byteStream';
import { asWriteFailure, isRefusal, type ServiceError } from './errors';
import type { Caller, Limiters, Permit, PlannedCall } from './limiter';
import { type FormField, type FormFile, multipartBody, type MultipartBody } from './multipart';
import { type CallKind, type RetryPolicy, withRetries } from './retry';
import {
  failureOf,
  type ServiceRequest,
  type ServiceResponse,
  speaksHttps,
  type Transport,
  wantsTls,
} from './transport';
import { Waits } from './waits';

export interface ClientOptions {
  /** Directory of the modules, from `parseBaseUrl`. */
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

/** An answer whose body is read while it comes. */
export interface StreamedResponse extends ServiceResponse {
  readonly body: Chunks;
}

type Request = Omit<ServiceRequest, 'signal' | 'stream'>;

interface Call<T> {
  readonly kind: CallKind;
  readonly makeRequest: (progress: () => void) => Request;
  /** Checks an answer and reads the result from it. */
  readonly read:
    { whole(response: ServiceResponse): T } | { streamed(response: StreamedResponse): Promise<T> };
  /** The failure of a try, for whoever made the call. */
  readonly explain?: (failure: ServiceError) => ServiceError;
}

/** Makes every call to the service (interface.md, "Common request conventions"). */
export class ServiceClient {
  readonly address: string;

  /** Time zone of the service's dates and times; empty for the workflow's own. */
  readonly timeZone: string;

  /** Whether a call with this access key has succeeded. */
  keyWorks = false;

  private readonly caller: Caller;

  /** @param waits counts how long calls have waited, if several clients share a caller. */
  constructor(
    private readonly options: ClientOptions,
    private readonly waits = new Waits(),
  ) {
    this.address = dataModuleUrl(options.base, options.dataModule);
    this.timeZone = options.timeZone ?? '';
    this.caller = options.caller ?? { turn: this, urgent: false };
  }

  /**
   * Calls one action and returns its successful answer.
   * @throws ServiceError `outcomeUnknown` if a write may or may not have been done; otherwise the failure of the
   * service or the connection, after the retries that are safe.
   */
  async call(
    action: string,
    fields: readonly FormField[] = [],
    files: readonly FormFile[] = [],
    kind: CallKind = WRITES.has(action) ? 'write' : 'read',
  ): Promise<Answer> {
    const { timeoutMs } = this.options.retries;
    let multipart: MultipartBody | undefined;
    return await this.run({
      kind,
      makeRequest: (progress) => {
        // A file is read again each time it is sent.
        multipart =
          files.length > 0 ? multipartBody([['action', action], ...fields], files, progress) : undefined;
        const size = files.reduce((sum, { content }) => sum + content.size, 0);
        return { ...this.post(action, fields, multipart), timeoutMs: timeoutMs + size / SLOWEST_UPLOAD };
      },
      read: { whole: (response) => this.answerOf(response, action) },
      explain: (failure) => {
        const cause = multipart?.failure() ?? failure;
        return kind === 'write' ? asWriteFailure(cause, action) : cause;
      },
    });
  }

  /**
   * Requests an attachment (interface.md, "download_data_file"), and again if `read` finds it incomplete.
   * @param url the `url` of an attachment value, whatever host it names.
   * @param read checks the response and reads its content. The unread rest is dropped.
   */
  async download<T>(url: string, read: (response: StreamedResponse) => Promise<T>): Promise<T> {
    const address = downloadUrl(this.options.base, url);
    const { timeoutMs } = this.options.retries;
    return await this.streamed({ method: 'GET', url: address, timeoutMs }, read);
  }

  /** Calls a reading action and lets `read` read any answer as it comes, like {@link download}. */
  async stream<T>(
    action: string,
    fields: readonly FormField[],
    read: (response: StreamedResponse) => Promise<T>,
  ): Promise<T> {
    return await this.streamed(this.post(action, fields), read);
  }

  /** Like `call`, for a read with a streamed answer: afterwards, `streamOf` can make streams. */
  async callStreamed(action: string, fields: readonly FormField[]): Promise<Answer> {
    return await this.stream(action, fields, async (response) =>
      this.answerOf({ ...response, body: await readBody(response.body) }, action),
    );
  }

  /** The same client for calls that a signal can abort. */
  until(signal: AbortSignal): ServiceClient {
    const { options, caller, waits } = this;
    const ends = options.signal === undefined ? signal : AbortSignal.any([options.signal, signal]);
    const client = new ServiceClient({ ...options, caller, signal: ends }, waits);
    client.keyWorks = this.keyWorks;
    return client;
  }

  /** What an answer to an action is judged by. */
  asked(action: string): Asked {
    return { action, address: this.address, keyWorks: this.keyWorks };
  }

  /**
   * Calls that are being made, their bodies included. Calls that wait for their turn or for another try do not count.
   */
  get underWay(): number {
    return this.waits.working;
  }

  /**
   * Milliseconds so far in which calls waited for their turn and none was being made. The cost of a page is its
   * duration without these.
   */
  get waitedMs(): number {
    return this.waits.milliseconds;
  }

  async wait(milliseconds: number): Promise<void> {
    await this.options.retries.sleep(milliseconds);
  }

  private post(action: string, fields: readonly FormField[], multipart?: MultipartBody): Request {
    const pairs = [['action', action], ...fields] as [string, string][];
    const body = multipart?.form ?? new URLSearchParams(pairs);
    return { method: 'POST', url: this.address, body, timeoutMs: this.options.retries.timeoutMs };
  }

  private answerOf(response: ServiceResponse, action: string): Answer {
    const answer = readAnswer(response, this.asked(action));
    this.keyWorks = true;
    return answer;
  }

  private async streamed<T>(request: Request, read: (response: StreamedResponse) => Promise<T>): Promise<T> {
    return await this.run({ kind: 'read', makeRequest: () => request, read: { streamed: read } });
  }

  private async run<T>(call: Call<T>): Promise<T> {
    const { base, retries } = this.options;
    const attempt = async (): Promise<T> => {
      try {
        return await this.exchange(call);
      } catch (error) {
        const failure = failureOf(error, base);
        throw call.explain?.(failure) ?? failure;
      }
    };
    return await withRetries(attempt, call.kind, retries);
  }

  /**
   * One exchange with the service, in its turn: waits for a permit, and again after each 429, which does not count as a
   * try. The permit is held until the answer was read or dropped, even if the caller no longer waits.
   * @throws ServiceError as the limiter; failures of the transport and of `read`.
   */
  private async exchange<T>(call: Call<T>): Promise<T> {
    const { base, signal, limiters } = this.options;
    const planned: PlannedCall = { caller: this.caller, signal };
    for (;;) {
      const permit = await this.waits.count('waiting', async () => await limiters.enter(base.href, planned));
      const answered = await this.waits.count('working', async () => await this.use(permit, call));
      if (answered !== null) return answered.value;
    }
  }

  /** @returns null for a 429. */
  private async use<T>(
    permit: Permit,
    { makeRequest, read }: Call<T>,
  ): Promise<{ readonly value: T } | null> {
    const { base, transport, signal } = this.options;
    let response: ServiceResponse | undefined;
    try {
      const progress = (): void => permit.progress();
      response = await transport({ ...makeRequest(progress), stream: 'streamed' in read, signal });
      const { status, headers, body } = response;
      if (status === 429) {
        permit.refused(readRetryAfter(headers['retry-after']));
        return null;
      }
      // The answer of a proxy does not show that the service's queue has room.
      if (status < 502) permit.accepted();
      if (wantsTls(response)) throw speaksHttps(base, status);
      if ('whole' in read) return { value: read.whole(response) };
      return { value: await read.streamed({ ...response, body: pull(asStream(body), progress) }) };
    } finally {
      permit.end();
      if ('streamed' in read) drop(response?.body);
    }
  }
}

function drop(body: unknown): void {
  if (typeof body !== 'object' || body === null || !('destroy' in body)) return;
  (body as { destroy(): void }).destroy();
}

/** Lists contain at most this many items, also by default (interface.md, "Limits"). */
export const MAX_LIST_LENGTH = 5000;

/** `errorno` of "no matching data": some services send it instead of an empty list. */
export const NO_MATCHING_DATA = -110;

/** The items of an action that answers with a list; none if the service says that nothing matches. */
export async function callForList(
  client: ServiceClient,
  action: string,
  fields: readonly FormField[],
  kind?: 'page',
): Promise<unknown[]> {
  const answer = await unlessNothingMatches(async () => await client.call(action, fields, [], kind));
  return readItems(answer?.list);
}

/** The result of a call; `null` if the service refuses it because nothing matches. */
export async function unlessNothingMatches<T>(call: () => Promise<T>): Promise<T | null> {
  return await unless((error) => isRefusal(error) && error.details.errorNumber === NO_MATCHING_DATA, call);
}
