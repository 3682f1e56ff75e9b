import { settle } from '../../util/concurrently';
import { readAnswer, type Answer } from './answer';
import { asWriteFailure, isSmallRead, kindOf, timeoutOf, TIMEOUT_MS, urlencoded } from './action';
import { dataModuleUrl, downloadUrl } from './address';
import { asStream, classOf, readBody, type ByteStream, type StreamClass } from './byteStream';
import { connectionFailure, speaksHttps, wantsTls } from './connectionFailure';
import { toServiceError, withoutSecret, type ServiceError } from './errors';
import { exchange, type Read } from './exchange';
import { multipartBody, type FormField, type FormFile, type MultipartBody } from './multipart';
import type { Gates } from './pace/gates';
import type { Caller } from './pace/line';
import { withRetries, type RetryPolicy } from './retry';
import { ConnectionError, type ServiceRequest, type ServiceResponse, type Transport } from './transport';
import { Waits } from './waits';

export type { FileContent, FormField, FormFile } from './multipart';
export type { Caller } from './pace/line';

/** Where the service is and how it is reached. */
export interface ClientOptions {
  /** Directory of the modules, from `parseBaseUrl`. */
  readonly base: URL;
  /** File name of the application-data module. */
  readonly dataModule: string;
  readonly transport: Transport;
  readonly retries: RetryPolicy;
  /** The access key, so that it can be kept out of errors in which the service repeats it. */
  readonly secret?: string;
  /** Whose calls they are; without it, nobody else's. */
  readonly caller?: Caller;
  /** Aborted when the caller waits no longer. */
  readonly signal?: AbortSignal;
  /** Where calls wait for their turn. */
  readonly gates: Gates;
}

/** Makes every call to the service (interface.md, "Common request conventions"). */
export class ServiceClient {
  private readonly url: string;
  private readonly caller: Caller;

  private streams: StreamClass | null = null;

  /** Whether a call with this access key has succeeded. */
  keyWorks = false;

  /** @param waits how long calls have waited, where other clients count for the same caller. */
  constructor(
    private readonly options: ClientOptions,
    private readonly waits = new Waits(),
  ) {
    this.url = dataModuleUrl(options.base, options.dataModule);
    this.caller = options.caller ?? { turn: this, urgent: false };
  }

  /**
   * Calls one action and returns its successful answer.
   * @throws ServiceError `outcomeUnknown` when a write may or may not have been done; otherwise as the service or
   * the connection failed, after the retries that are safe.
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
   * Requests an attachment (interface.md, "download_data_file") as a stream, and again if `read` finds it cut off.
   * @param url the `url` of an attachment value, whatever host it names.
   * @param read judges the response and takes its content; whatever of it is left then is dropped.
   */
  async download<T>(url: string, read: (response: ServiceResponse) => Promise<T>): Promise<T> {
    const address = downloadUrl(this.options.base, url);
    return await this.streamed({ method: 'GET', url: address }, false, read);
  }

  /** Calls a reading action and has its answer read as a stream, whatever it is, as by {@link download}. */
  async stream<T>(action: string, fields: readonly FormField[], read: Read<T>): Promise<T> {
    const body = urlencoded(action, fields);
    return await this.streamed({ method: 'POST', url: this.url, body }, isSmallRead(action, fields), read);
  }

  /**
   * Like `call`, for a read whose answer is to come as a stream: after it, {@link streamOf} can make others.
   * @throws ServiceError
   */
  async callStreamed(action: string, fields: readonly FormField[]): Promise<Answer> {
    return await this.stream(action, fields, async (response) => {
      const stream = asStream(response.body);
      this.streams = classOf(stream);
      const body = await readBody(stream, TIMEOUT_MS);
      const answer = readAnswer({ ...response, body }, action, this.keyWorks);
      this.keyWorks = true;
      return answer;
    });
  }

  /**
   * A stream of chunks, which are pulled one by one as they are wanted.
   * @throws ServiceError if no answer has come as a stream yet.
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

  /** The same client for calls that are broken off with a signal. */
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

  /** Requests that were sent and are not answered yet; not those that wait for their turn, or before another try. */
  get underWay(): number {
    return this.waits.working;
  }

  /**
   * Milliseconds in which calls have waited for their turn, and none was under way, so far: what a page cost is the time it
   * took less these.
   */
  get waitedMs(): number {
    return this.waits.milliseconds;
  }

  /** Waits up to so many milliseconds, at random, so that callers in each other's way spread out. */
  async pause(milliseconds: number): Promise<void> {
    await this.options.retries.sleep(milliseconds * Math.random());
  }

  /** Waits so many milliseconds, for what takes the service a while. */
  async wait(milliseconds: number): Promise<void> {
    await this.options.retries.sleep(milliseconds);
  }

  private masked(error: unknown): ServiceError {
    return withoutSecret(toServiceError(error), this.options.secret ?? '');
  }

  /** @param makeRequest a request to send; called again where the service's queue was full. */
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
