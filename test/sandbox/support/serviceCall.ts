import { Sandbox, type SandboxStart, type StoredRecord } from '../../support/sandbox';

/** A parsed answer. Its other fields depend on `status`. */
export interface ServiceAnswer {
  readonly status: 'ok' | 'ng';
  readonly errorno?: number;
  readonly errormessage?: string;
  readonly errmsgadd?: string;
  readonly list?: { readonly item: readonly Item[] };
  readonly record?: Item;
  readonly allcnt?: string;
  readonly delete_count?: string;
  readonly ID?: string;
  readonly fields?: { readonly item: readonly Definition[] };
  readonly [key: string]: unknown;
}

export interface PartValue {
  readonly val: unknown;
  readonly deny_write?: 'on';
  readonly type?: string;
  readonly hint?: string;
  readonly error?: string;
}

/** A data record in an answer. */
export type Item = Readonly<Record<string, PartValue>>;

export interface Definition {
  readonly id: string;
  readonly name: string;
  readonly field_alias: string;
  readonly is_ref: string;
  readonly readonly: string;
  readonly system: string;
  readonly type: string;
  readonly options: string;
  readonly allow_other: string;
  readonly time_unit?: number;
  readonly child?: { readonly list: { readonly item: readonly Definition[] } };
}

/** Parameters of a call. An array is sent as a repeated parameter, a file as multipart. */
export type Parameters = Readonly<Record<string, string | Blob | readonly (string | Blob)[] | undefined>>;

export const permissions = '\\permissions';

/**
 * The client of a test file, with a separate sandbox until the last test.
 * @param samples with `kept`, a test's changes stay for the next tests.
 */
export function useClient(samples: 'reset' | 'kept' = 'reset'): ServiceClient {
  const client = new ServiceClient();
  beforeAll(async () => void client.speakTo(await Sandbox.borrow()));
  if (samples === 'reset') beforeEach(async () => await client.sandbox.reset());
  afterAll(async () => await client.sandbox.stop());
  return client;
}

/** Calls a sandbox as a plain HTTP client does, without knowing how it works. */
export class ServiceClient {
  sandbox!: Sandbox;
  /** The key that is sent; the first user's unless set. */
  accessKey!: string;

  static async start(options?: SandboxStart): Promise<ServiceClient> {
    return new ServiceClient().speakTo(
      options === undefined ? await Sandbox.borrow() : await Sandbox.start(options),
    );
  }

  speakTo(sandbox: Sandbox): this {
    this.sandbox = sandbox;
    this.accessKey = sandbox.accessKey;
    return this;
  }

  /** A record as it is stored. */
  async stored(application: string, id: string): Promise<StoredRecord> {
    const found = (await this.sandbox.records(application)).find((record) => record.id === id);
    if (!found) throw new Error(`There is no record ${id}`);
    return found;
  }

  /** A client of the same sandbox as another user. */
  as(accessKey: string): ServiceClient {
    const client = new ServiceClient().speakTo(this.sandbox);
    client.accessKey = accessKey;
    return client;
  }

  /** Sends any request to the data module. */
  fetch(init: RequestInit & { readonly query?: string } = {}): Promise<Response> {
    const { query = '', headers, ...rest } = init;
    return fetch(`${this.sandbox.dataUrl}${query}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'X-Service-Auth': this.accessKey, ...(headers as Record<string, string>) },
      ...rest,
    });
  }

  /** Calls an action. @returns the parsed body, whatever its status. */
  async call(action: string, parameters: Parameters = {}): Promise<ServiceAnswer> {
    const response = await this.fetch({ body: bodyOf({ action, ...parameters }) });
    return (await response.json()) as ServiceAnswer;
  }

  /** Calls an action that must succeed. */
  async ok(action: string, parameters: Parameters = {}): Promise<ServiceAnswer> {
    const answer = await this.call(action, parameters);
    if (answer.status !== 'ok') throw new Error(`${action}: ${JSON.stringify(answer)}`);
    return answer;
  }

  /** The items of a list action. */
  async list(action: string, parameters: Parameters = {}): Promise<readonly Item[]> {
    const { list } = await this.ok(action, parameters);
    return list?.item ?? [];
  }

  /** The values of one part in the records that `list_data` finds. */
  async column(application: string, part: string, parameters: Parameters = {}): Promise<unknown[]> {
    const items = await this.list('list_data', { app_id: application, ...parameters });
    return items.map((item) => item[part]?.val);
  }

  async record(application: string, id: string, parameters: Parameters = {}): Promise<Item> {
    const { record } = await this.ok('get_data', { app_id: application, data_id: id, ...parameters });
    if (!record) throw new Error('The answer has no record');
    return record;
  }

  /** Inserts a record. @returns its id. */
  async insert(application: string, parameters: Parameters): Promise<string> {
    const { ID } = await this.ok('insert_data', { app_id: application, ...parameters });
    if (ID === undefined) throw new Error('The answer has no ID');
    return ID;
  }

  /** Updates a record, without a revision check unless a revision is passed. */
  update(application: string, id: string, parameters: Parameters): Promise<ServiceAnswer> {
    return this.call('update_data', { app_id: application, data_id: id, '{{revision}}': '0', ...parameters });
  }
}

/** The form of a call; multipart if it contains a file. */
export function bodyOf(parameters: Parameters): URLSearchParams | FormData {
  const entries = Object.entries(parameters).flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as readonly (string | Blob)[]) : [value as string | Blob | undefined])
      .filter((one) => one !== undefined)
      .map((one) => [name, one] as const),
  );
  const texts = entries.filter((entry): entry is readonly [string, string] => typeof entry[1] === 'string');
  if (texts.length === entries.length)
    return new URLSearchParams(texts.map(([name, value]): [string, string] => [name, value]));
  const form = new FormData();
  for (const [name, value] of entries) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, value instanceof File ? value.name : 'file');
  }
  return form;
}

/** A file to upload. */
export function file(name: string, content: string | Uint8Array<ArrayBuffer>, type = 'text/plain'): File {
  return new File([content], name, { type });
}

/** The filter parameter with some conditions. */
export function filter(...item: readonly Readonly<Record<string, unknown>>[]): string {
  return JSON.stringify({ item });
}

/** The fields parameter. */
export function fields(...names: readonly string[]): string {
  return JSON.stringify(names.map((name) => ({ field_name: name })));
}

/** The `item` array inside a part value, e.g. of `attach` or `child_records`. */
export function inner(value: PartValue | undefined, container: string): Record<string, unknown>[] {
  const held = (value?.val as Record<string, { item: Record<string, unknown>[] }> | undefined)?.[container];
  return held?.item ?? [];
}
