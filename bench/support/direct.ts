import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { Pool } from 'undici';

/** An answer; of a list with its records. */
export interface Listed {
  readonly list?: {
    readonly item: readonly Readonly<Record<string, { readonly val: string } | undefined>>[];
  };
}

/** What a node has to keep of an answer: an item with one plain object for each record of a list. */
export function itemsOf({ list, ...other }: Listed): INodeExecutionData[] {
  if (list === undefined) return [{ json: other }];
  return list.item.map((record) => {
    const json: IDataObject = {};
    for (const key of Object.keys(record)) json[key] = record[key]?.val;
    return { json };
  });
}

/** Calls the service with undici alone: only the necessary requests, and parsing. */
export class DirectClient {
  private readonly pool: Pool;

  private readonly path: string;

  constructor(
    baseUrl: string,
    private readonly accessKey: string,
    private readonly inFlight = 4,
  ) {
    const url = new URL(`${baseUrl}/appsr.cgi`);
    this.pool = new Pool(url.origin, { connections: inFlight });
    this.path = url.pathname;
  }

  async call(fields: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
    const { body } = await this.pool.request({
      path: this.path,
      method: 'POST',
      headers: { 'X-Service-Auth': this.accessKey, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });
    const answer = (await body.json()) as Record<string, unknown>;
    if (answer.status !== 'ok') throw new Error(`The service refused: ${JSON.stringify(answer)}`);
    return answer;
  }

  /** Calls, and keeps what a node has to keep. */
  async items(fields: Readonly<Record<string, string>>): Promise<INodeExecutionData[]> {
    return itemsOf(await this.call(fields));
  }

  /** Makes all calls, as many at the same time as the client allows. @returns what a node has to keep. */
  async callAll(calls: readonly Readonly<Record<string, string>>[]): Promise<INodeExecutionData[]> {
    const queue = calls.entries();
    const items: INodeExecutionData[][] = [];
    const work = async (): Promise<void> => {
      for (const [index, fields] of queue) items[index] = await this.items(fields);
    };
    await Promise.all(Array.from({ length: this.inFlight }, work));
    return items.flat();
  }

  async close(): Promise<void> {
    await this.pool.close();
  }
}
