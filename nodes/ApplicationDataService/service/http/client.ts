import { settle } from '../../util/concurrently';
import { connectionFailure, readAnswer, type Answer } from './answer';
import { dataModuleUrl, downloadUrl } from './address';
import { ServiceError, toServiceError, wasNotDone, withoutSecret } from './errors';
import { multipartBody, type FormField, type FormFile } from './multipart';
import { withRetries, type RetryPolicy } from './retry';
import { ConnectionError, type ServiceRequest, type ServiceResponse, type Transport } from './transport';

/** Reading a large application whole takes seconds; clients of the service wait up to two minutes. */
const TIMEOUT_MS = 120_000;

/** An upload may take longer: as long as at 2 megabits a second, in bytes a millisecond. */
const SLOWEST_UPLOAD = 250;

/** Actions that change data: never sent again once they may have been done. */
const WRITES = new Set(['insert_data', 'update_data', 'delete_data']);

export type { FileContent, FormField, FormFile } from './multipart';

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
}

/** Makes every call to the service (interface.md, "Common request conventions"). */
export class ServiceClient {
  private readonly url: string;

  /** Whether a call with this access key has succeeded. */
  keyWorks = false;

  constructor(private readonly options: ClientOptions) {
    this.url = dataModuleUrl(options.base, options.dataModule);
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
    const kind = WRITES.has(action) ? 'write' : 'read';
    const attempt = async (): Promise<Answer> => {
      const multipart = files.length > 0 ? multipartBody([['action', action], ...fields], files) : null;
      const body = multipart?.form ?? urlencoded(action, fields);
      const timeoutMs = TIMEOUT_MS + sizeOf(files) / SLOWEST_UPLOAD;
      const request = { method: 'POST', url: this.url, body, timeoutMs } as const;
      const answer = await settle(async () => readAnswer(await this.send(request), action, this.keyWorks));
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
   * @param read judges the response and takes its content.
   */
  async download<T>(url: string, read: (response: ServiceResponse) => Promise<T>): Promise<T> {
    const request = {
      method: 'GET',
      url: downloadUrl(this.options.base, url),
      stream: true,
      timeoutMs: TIMEOUT_MS,
    } as const;
    return await withRetries(
      async () => {
        try {
          return await read(await this.send(request));
        } catch (error) {
          throw this.masked(error);
        }
      },
      'read',
      this.options.retries,
    );
  }

  /** Calls a reading action and returns the answer as a stream, whatever it is. */
  async stream(action: string, fields: readonly FormField[]): Promise<ServiceResponse> {
    const request = {
      method: 'POST',
      url: this.url,
      body: urlencoded(action, fields),
      stream: true,
      timeoutMs: TIMEOUT_MS,
    } as const;
    return await withRetries(async () => await this.send(request), 'read', this.options.retries);
  }

  /** Address of the data module: identifies the service. */
  get address(): string {
    return this.url;
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

  private async send(request: ServiceRequest): Promise<ServiceResponse> {
    try {
      return await this.options.transport(request);
    } catch (error) {
      throw error instanceof ConnectionError
        ? connectionFailure(error, this.options.base.origin)
        : toServiceError(error);
    }
  }
}

/** A write whose answer is missing may have been done: the caller has to find out, or report an unknown outcome. */
function asWriteFailure(error: ServiceError, action: string): ServiceError {
  if (wasNotDone(error)) return error;
  return new ServiceError(
    'outcomeUnknown',
    `It is not known whether the service did it (outcome unknown): ${error.message.charAt(0).toLowerCase()}${error.message.slice(1)}`,
    'Nothing was sent a second time. Look in the application whether the change is there before you run this item again.',
    { ...error.details, action },
  );
}

function urlencoded(action: string, fields: readonly FormField[]): URLSearchParams {
  const body = new URLSearchParams([['action', action]]);
  for (const [name, value] of fields) body.append(name, value);
  return body;
}

function sizeOf(files: readonly FormFile[]): number {
  return files.reduce((sum, { content }) => sum + content.size, 0);
}
