import { dataModuleUrl, downloadUrl } from './address';
import { type Answer, httpFailure, queueIsFull, readAnswer } from './answer';
import { readBody } from './byteStream';
import { asWriteFailure, cancelled, isRefusal, type ServiceError, withoutSecret } from './errors';
import { type FormField, type FormFile, multipartBody, type MultipartBody } from './multipart';
import type { Admission, Caller, Limiters, Permit, PlannedCall } from './pace/limiter';
import { type RetryPolicy, withRetries } from './retry';
import {
  failureOf,
  type ServiceRequest,
  type ServiceResponse,
  speaksHttps,
  type Transport,
  wantsTls,
} from './transport';
import { readItems } from '../../parts/values/shapes';
import { unless } from '../../util/concurrently';

export interface ClientOptions {
  /** Directory of the modules, from `parseBaseUrl`. */
  readonly base: URL;
  readonly dataModule: string;
  readonly transport: Transport;
  readonly retries: RetryPolicy;
  /** The access key, so that it can be removed from errors in which the service repeats it. */
  readonly secret?: string;
  readonly caller?: Caller;
  readonly signal?: AbortSignal;
  readonly limiters: Limiters;
  readonly timeZone?: string;
}

/** Actions that change data (interface.md). They are never sent again if they may have been done. */
const WRITES = new Set(['insert_data', 'update_data', 'delete_data']);

/** Reading a large application whole takes seconds; clients of the service wait up to two minutes. */
const TIMEOUT_MS = 120_000;

/** An upload may take longer, as if at 2 megabits per second. In bytes per millisecond. */
const SLOWEST_UPLOAD = 250;

interface Call<T> extends Pick<PlannedCall, 'streams'> {
  readonly kind: 'read' | 'write';
  readonly makeRequest: () => Omit<ServiceRequest, 'signal'>;
  readonly read: Read<T>;
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
  ): Promise<Answer> {
    const kind = WRITES.has(action) ? 'write' : 'read';
    let multipart: MultipartBody | undefined;
    return await this.run({
      kind,
      streams: files.length > 0,
      makeRequest: () => {
        // A file is read again each time it is sent.
        multipart = files.length > 0 ? multipartBody([['action', action], ...fields], files) : undefined;
        const size = files.reduce((sum, { content }) => sum + content.size, 0);
        return { ...this.post(action, fields, multipart), timeoutMs: TIMEOUT_MS + size / SLOWEST_UPLOAD };
      },
      read: (response) => this.answerOf(response, action),
      explain: (failure) => {
        const cause = multipart?.failure() ?? failure;
        return kind === 'write' ? asWriteFailure(cause, action) : cause;
      },
    });
  }

  /**
   * Requests an attachment (interface.md, "download_data_file") as a stream, and again if `read` finds it incomplete.
   * @param url the `url` of an attachment value, whatever host it names.
   * @param read checks the response and reads its content. The unread rest is dropped.
   */
  async download<T>(url: string, read: (response: ServiceResponse) => Promise<T>): Promise<T> {
    const address = downloadUrl(this.options.base, url);
    return await this.streamed({ method: 'GET', url: address }, true, read);
  }

  /** Calls a reading action and lets `read` read any answer as a stream, like {@link download}. */
  async stream<T>(action: string, fields: readonly FormField[], read: Read<T>): Promise<T> {
    return await this.streamed(this.post(action, fields), false, read);
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

  /**
   * Requests that were sent and are not answered yet. Calls that wait for their turn or for another try do not count.
   */
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

  async wait(milliseconds: number): Promise<void> {
    await this.options.retries.sleep(milliseconds);
  }

  private post(
    action: string,
    fields: readonly FormField[],
    multipart?: MultipartBody,
  ): Pick<ServiceRequest, 'method' | 'url' | 'body'> {
    const pairs = [['action', action], ...fields] as [string, string][];
    return { method: 'POST', url: this.address, body: multipart?.form ?? new URLSearchParams(pairs) };
  }

  private answerOf(response: ServiceResponse, action: string): Answer {
    const answer = readAnswer(response, action, this.keyWorks);
    this.keyWorks = true;
    return answer;
  }

  private async streamed<T>(
    request: Pick<ServiceRequest, 'method' | 'url' | 'body'>,
    streams: boolean,
    read: Read<T>,
  ): Promise<T> {
    const makeRequest = () => ({ ...request, stream: true, timeoutMs: TIMEOUT_MS });
    return await this.run({ kind: 'read', streams, makeRequest, read });
  }

  private async run<T>(call: Call<T>): Promise<T> {
    const { base, secret, retries } = this.options;
    const attempt = async (): Promise<T> => {
      try {
        return await this.exchange(call);
      } catch (error) {
        const failure = failureOf(error, base.origin);
        throw withoutSecret(call.explain?.(failure) ?? failure, secret);
      }
    };
    return await withRetries(attempt, call.kind, retries);
  }

  /**
   * One exchange with the service, in its turn: waits for a permit, and again after each 429, which does not count as a
   * try. The permit is held until the answer was read or dropped, even if the caller no longer waits.
   * @throws ServiceError `cancelled`, or `busy` if the service refused everybody for too long; failures of the
   * transport and of `read`.
   */
  private async exchange<T>({ streams, makeRequest, read }: Call<T>): Promise<T> {
    const { caller, waits } = this;
    const { base, transport, signal, limiters } = this.options;
    const send = async (): Promise<ServiceResponse> => {
      const response = await transport({ ...makeRequest(), signal });
      if (wantsTls(response)) throw speaksHttps(base.origin, response.status);
      return response;
    };
    const enter = async (): Promise<Admission> =>
      await limiters.enter(base.href, { caller, streams, signal });
    let admission = await waits.count('waiting', enter);
    for (;;) {
      if (!('permit' in admission))
        throw 'refusesAll' in admission ? queueIsFull(admission.refusesAll) : cancelled();
      const { permit } = admission;
      const exchanged = await usePermit(permit, async () => await waits.count('working', send), read);
      if ('value' in exchanged) return exchanged.value;
      admission = await waits.count('waiting', async () => await permit.refused(exchanged.fullFor));
    }
  }
}

/** Checks an answer and reads the result from it. */
export type Read<T> = (response: ServiceResponse) => Promise<T> | T;

async function usePermit<T>(
  permit: Permit,
  send: () => Promise<ServiceResponse>,
  read: Read<T>,
): Promise<{ readonly value: T } | { readonly fullFor: number | undefined }> {
  let response: ServiceResponse | undefined;
  let isFull = false;
  try {
    response = await send();
    isFull = response.status === 429;
    if (isFull) return { fullFor: httpFailure(response, '').details.retryAfterMs };
    // The answer of a proxy does not show that the service's queue has room.
    if (response.status < 502) permit.accepted();
    return { value: await read(response) };
  } finally {
    drop(response?.body);
    if (!isFull) permit.end();
  }
}

function drop(body: unknown): void {
  if (typeof body !== 'object' || body === null || !('destroy' in body)) return;
  (body as { destroy(): void }).destroy();
}

/** How long a caller's calls have waited for their turn while none of its calls was running. */
export class Waits {
  private readonly calls = { waiting: 0, working: 0 };
  private sum = 0;
  private since = 0;

  /** @param now milliseconds since an arbitrary start. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  get working(): number {
    return this.calls.working;
  }

  get milliseconds(): number {
    const { waiting, working } = this.calls;
    return waiting > 0 && working === 0 ? this.sum + this.now() - this.since : this.sum;
  }

  /** Waits for what decides on a turn, or does what it is for. */
  async count<T>(kind: 'waiting' | 'working', task: () => Promise<T>): Promise<T> {
    this.change(kind, 1);
    try {
      return await task();
    } finally {
      this.change(kind, -1);
    }
  }

  private change(kind: 'waiting' | 'working', by: number): void {
    this.sum = this.milliseconds;
    this.since = this.now();
    this.calls[kind] += by;
  }
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
): Promise<unknown[]> {
  const answer = await unlessNothingMatches(async () => await client.call(action, fields));
  return readItems(answer?.list);
}

/** The result of a call; `null` if the service refuses it because nothing matches. */
export async function unlessNothingMatches<T>(call: () => Promise<T>): Promise<T | null> {
  return await unless((error) => isRefusal(error) && error.details.errorNumber === NO_MATCHING_DATA, call);
}
