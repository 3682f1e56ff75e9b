import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { Pool } from 'undici';

interface Listed {
  readonly list: { readonly item: readonly Readonly<Record<string, { readonly val: string } | undefined>>[] };
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

  /** Lists records and keeps what a node has to keep: an item with one plain object for each record. */
  async items(fields: Readonly<Record<string, string>>): Promise<INodeExecutionData[]> {
    const { list } = (await this.call(fields)) as unknown as Listed;
    return list.item.map((record) => {
      const json: IDataObject = {};
      for (const key of Object.keys(record)) json[key] = record[key]?.val;
      return { json };
    });
  }

  /** Makes all calls, as many at the same time as the client allows. */
  async callAll(calls: readonly Readonly<Record<string, string>>[]): Promise<void> {
    const queue = calls.values();
    const work = async (): Promise<void> => {
      for (const fields of queue) await this.call(fields);
    };
    await Promise.all(Array.from({ length: this.inFlight }, work));
  }

  async close(): Promise<void> {
    await this.pool.close();
  }
}
