import { connectionFailure, httpFailure, readAnswer, type Answer } from './answer';
import { dataModuleUrl, downloadUrl } from './address';
import { ServiceError, toServiceError, wasNotDone } from './errors';
import { withRetries, type RetryPolicy } from './retry';
import { ConnectionError, type ServiceRequest, type ServiceResponse, type Transport } from './transport';

/** Reading a large application whole takes seconds; clients of the service wait up to two minutes. */
const TIMEOUT_MS = 120_000;

/** Actions that change data: never sent again once they may have been done. */
const WRITES = new Set(['insert_data', 'update_data', 'delete_data']);

/** One form field; the same name may occur several times. */
export type FormField = readonly [name: string, value: string];

/** A file to upload under a part's field name. */
export interface FormFile {
  /** Form field name, e.g. `{{Photo}}`. */
  readonly name: string;
  readonly fileName: string;
  readonly content: Blob;
}

/** Where the service is and how it is reached. */
export interface ClientOptions {
  /** Directory of the modules, from `parseBaseUrl`. */
  readonly base: URL;
  /** File name of the application-data module. */
  readonly dataModule: string;
  readonly transport: Transport;
  readonly retries: RetryPolicy;
}

/** Makes every call to the service (interface.md, "Common request conventions"). */
export class ServiceClient {
  private readonly url: string;

  constructor(private readonly options: ClientOptions) {
    this.url = dataModuleUrl(options.base, options.dataModule);
  }

  /**
   * Calls one action and gives its successful answer.
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
      const body = files.length > 0 ? multipart(action, fields, files) : urlencoded(action, fields);
      try {
        return readAnswer(
          await this.send({ method: 'POST', url: this.url, body, timeoutMs: TIMEOUT_MS }),
          action,
        );
      } catch (error) {
        throw kind === 'write' ? asWriteFailure(toServiceError(error)) : toServiceError(error);
      }
    };
    return await withRetries(attempt, kind, this.options.retries);
  }

  /**
   * Requests an attachment (interface.md, "download_data_file") as a stream.
   * @param url the `url` of an attachment value, whatever host it names.
   */
  async download(url: string): Promise<ServiceResponse> {
    const request = {
      method: 'GET',
      url: downloadUrl(this.options.base, url),
      stream: true,
      timeoutMs: TIMEOUT_MS,
    } as const;
    return await withRetries(
      async () => {
        const response = await this.send(request);
        if (response.status !== 200) throw httpFailure(response, 'download_data_file');
        return response;
      },
      'read',
      this.options.retries,
    );
  }

  /** Calls a reading action and gives the answer unread, whatever it is, as a stream. */
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

  /** Waits up to so many milliseconds, at random, so that callers in each other's way spread out. */
  async pause(milliseconds: number): Promise<void> {
    await this.options.retries.sleep(milliseconds * Math.random());
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

/** A write whose answer is missing is not a failed write: the caller has to find out, or say that it is not known. */
function asWriteFailure(error: ServiceError): ServiceError {
  if (wasNotDone(error)) return error;
  return new ServiceError(
    'outcomeUnknown',
    `It is not known whether the service did it: ${error.message.charAt(0).toLowerCase()}${error.message.slice(1)}`,
    'Nothing was sent a second time. Look in the application whether the change is there before you run this item again.',
    error.details,
  );
}

function urlencoded(action: string, fields: readonly FormField[]): URLSearchParams {
  const body = new URLSearchParams([['action', action]]);
  for (const [name, value] of fields) body.append(name, value);
  return body;
}

function multipart(action: string, fields: readonly FormField[], files: readonly FormFile[]): FormData {
  const body = new FormData();
  body.append('action', action);
  for (const [name, value] of fields) body.append(name, value);
  for (const { name, content, fileName } of files) body.append(name, content, fileName);
  return body;
}
