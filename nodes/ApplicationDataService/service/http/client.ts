import { settle } from '../../util/concurrently';
import { readAnswer, type Answer } from './answer';
import { asWriteFailure, isSmallRead, kindOf, timeoutOf, TIMEOUT_MS, urlencoded } from './action';
import { dataModuleUrl, downloadUrl } from './address';
import { asStream, classOf, readBody, type ByteStream, type StreamClass } from './byteStream';
import { connectionFailure, speaksHttps, wantsTls } from './connectionFailure';
import { toServiceError, withoutSecret, type ServiceError } from './errors';
import { holdsSecret } from './secrets';
import { exchange, type Read } from './exchange';
import { multipartBody, type FormField, type FormFile, type MultipartBody } from './multipart';
import type { Gates } from './pace/gates';
import type { Caller } from './pace/line';
import { withRetries, type RetryPolicy } from './retry';
import { ConnectionError, type ServiceRequest, type ServiceResponse, type Transport } from './transport';
import { Waits } from './waits';

/** Where the service is and how to reach it. */
export interface ClientOptions {
  /** Directory of the modules, from `parseBaseUrl`. */
  readonly base: URL;
  /** File name of the application-data module. */
  readonly dataModule: string;
  readonly transport: Transport;
  readonly retries: RetryPolicy;
  /** The access key, so that it can be removed from errors in which the service repeats it. */
  readonly secret?: string;
  /** The caller. Without it, the client is its own caller. */
  readonly caller?: Caller;
  /** Aborted when the caller no longer waits. */
  readonly signal?: AbortSignal;
  /** Where calls wait for their turn. */
  readonly gates: Gates;
  /** Time zone of the service's dates and times; by default the workflow's. */
  readonly timeZone?: string;
}

/** Makes every call to the service (interface.md, "Common request conventions"). */
export class ServiceClient {
  private readonly url: string;
  private readonly caller: Caller;

  private streams: StreamClass | null = null;

  /** Whether a call with this access key has succeeded. */
  keyWorks = false;

  /** @param waits counts how long calls have waited, if several clients share a caller. */
  constructor(
    private readonly options: ClientOptions,
    private readonly waits = new Waits(),
  ) {
    this.url = dataModuleUrl(options.base, options.dataModule);
    this.caller = options.caller ?? { turn: this, urgent: false };
  }

  /** Time zone of the service's dates and times; empty for the workflow's own. */
  get timeZone(): string {
    return this.options.timeZone ?? '';
  }

  /**
   * Calls one action and returns its successful answer.
   * @throws ServiceError `outcomeUnknown` if a write may or may not have been done; otherwise the failure of the service or
   * the connection, after the retries that are safe.
   */
  async call(
    action: string,
    fields: readonly FormField[] = [],
    files: readonly FormFile[] = [],
  ): Promise<Answer> {
    const kind = kindOf(action);
    const pace = { small: isSmallRead(action, fields), streams: files.length > 0 };
    const timeoutMs = timeoutOf(files);
    const attempt = async (): Promise<Answer> => {
      let multipart: MultipartBody | undefined;
      const makeRequest = (): ServiceRequest => {
        // A file is read again each time it is sent.
        multipart = files.length > 0 ? multipartBody([['action', action], ...fields], files) : undefined;
        const body = multipart?.form ?? urlencoded(action, fields);
        return { method: 'POST', url: this.url, body, timeoutMs, signal: this.options.signal };
      };
      const answer = await settle(
        async () =>
          await this.send(makeRequest, pace, (response) => readAnswer(response, action, this.keyWorks)),
      );
      if ('value' in answer) {
        this.keyWorks = true;
        return answer.value;
      }
      const failure = this.masked(multipart?.failure() ?? answer.error);
      throw kind === 'write' ? asWriteFailure(failure, action) : failure;
    };
    return await withRetries(attempt, kind, this.options.retries);
  }

  /**
   * Requests an attachment (interface.md, "download_data_file") as a stream, and again if `read` finds it incomplete.
   * @param url the `url` of an attachment value, whatever host it names.
   * @param read checks the response and reads its content. The unread rest is dropped.
   */
  async download<T>(url: string, read: (response: ServiceResponse) => Promise<T>): Promise<T> {
    const address = downloadUrl(this.options.base, url, holdsSecret);
    return await this.streamed({ method: 'GET', url: address }, false, read);
  }

  /** Calls a reading action and lets `read` read any answer as a stream, like {@link download}. */
  async stream<T>(action: string, fields: readonly FormField[], read: Read<T>): Promise<T> {
    const body = urlencoded(action, fields);
    return await this.streamed({ method: 'POST', url: this.url, body }, isSmallRead(action, fields), read);
  }

  /**
   * Like `call`, for a read with a streamed answer. Afterwards, {@link streamOf} can make other streams.
   * @throws ServiceError
   */
  async callStreamed(action: string, fields: readonly FormField[]): Promise<Answer> {
    return await this.stream(action, fields, async (response) => {
      const stream = asStream(response.body);
      this.streams = classOf(stream);
      const body = await readBody(stream);
      const answer = readAnswer({ ...response, body }, action, this.keyWorks);
      this.keyWorks = true;
      return answer;
    });
  }

  /**
   * A stream of chunks, which are pulled one by one as needed.
   * @throws ServiceError if no answer was streamed before.
   */
  streamOf(chunks: AsyncIterable<Uint8Array>): ByteStream {
    return this.streams === null ? asStream(null) : this.streams.from(chunks);
  }

  private async streamed<T>(
    request: Pick<ServiceRequest, 'method' | 'url' | 'body'>,
    small: boolean,
    read: Read<T>,
  ): Promise<T> {
    const { signal } = this.options;
    const makeRequest = (): ServiceRequest => ({ ...request, stream: true, timeoutMs: TIMEOUT_MS, signal });
    const attempt = async (): Promise<T> => {
      try {
        return await this.send(makeRequest, { small, streams: !small }, read);
      } catch (error) {
        throw this.masked(error);
      }
    };
    return await withRetries(attempt, 'read', this.options.retries);
  }

  /** The same client for calls that a signal can abort. */
  until(signal: AbortSignal): ServiceClient {
    const { options, caller, waits } = this;
    const ends = options.signal === undefined ? signal : AbortSignal.any([options.signal, signal]);
    const client = new ServiceClient({ ...options, caller, signal: ends }, waits);
    client.keyWorks = this.keyWorks;
    return client;
  }

  /** Address of the data module: identifies the service. */
  get address(): string {
    return this.url;
  }

  /** Requests that were sent and are not answered yet. Calls that wait for their turn or for another try do not count. */
  get underWay(): number {
    return this.waits.working;
  }

  /**
   * Milliseconds so far in which calls waited for their turn and none was running. The cost of a page is its duration
   * without these.
   */
  get waitedMs(): number {
    return this.waits.milliseconds;
  }

  /** Waits a random time up to this many milliseconds, so that competing callers spread out. */
  async pause(milliseconds: number): Promise<void> {
    await this.options.retries.sleep(milliseconds * Math.random());
  }

  /** Waits this many milliseconds, for something that takes the service a while. */
  async wait(milliseconds: number): Promise<void> {
    await this.options.retries.sleep(milliseconds);
  }

  private masked(error: unknown): ServiceError {
    return withoutSecret(toServiceError(error), this.options.secret);
  }

  /** @param makeRequest makes the request to send; called again if the service's queue was full. */
  private async send<T>(
    makeRequest: () => ServiceRequest,
    pace: { readonly small: boolean; readonly streams: boolean },
    read: Read<T>,
  ): Promise<T> {
    const { base, transport, signal, gates } = this.options;
    const send = async (): Promise<ServiceResponse> => {
      const sent = await settle(async () => {
        const response = await this.waits.work(async () => await transport(makeRequest()));
        if (wantsTls(response)) throw speaksHttps(base.origin, response.status);
        return response;
      });
      if ('value' in sent) return sent.value;
      const { error } = sent;
      throw error instanceof ConnectionError ? connectionFailure(error, base.origin) : toServiceError(error);
    };
    const wish = { caller: this.caller, ...pace, signal };
    return await exchange({ gates, service: base.href, waits: this.waits }, wish, send, read);
  }
}
