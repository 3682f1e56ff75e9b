import { createHash } from 'node:crypto';
import { inspect } from 'node:util';

import type { IBinaryKeyData, IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { Engine, type EngineResult } from '../../support/engine';
import type { Ledger, Request } from '../ledger/ledger';
import { outcomeOf, resultsOf, type ReportedOutcome } from '../ledger/outcome';
import { fileAdded } from '../ledger/traces';
import type { Random } from '../util/random';
import { lanesOf } from '../world/application';
import type { SoakService } from '../world/soakService';
import type { Pool } from './pool';

/** One item to write: what it asks for, and its input item. */
export interface Order extends Request {
  readonly json: IDataObject;
  readonly binary?: IBinaryKeyData;
}

/** The workplace of one writer: it runs the action node, and records the results in the ledger. */
export class Desk {
  private readonly engine: Engine;
  private orders = 0;

  constructor(
    private readonly name: string,
    private readonly service: SoakService,
    readonly pool: Pool,
    readonly random: Random,
    private readonly ledger: Ledger,
  ) {
    this.engine = new Engine(service.credential);
  }

  /** A text that no other item has. */
  token(): string {
    return `${this.name}-${++this.orders}`;
  }

  /** A text that another item of this desk may have, too. */
  key(): string {
    return `${this.name}-key-${this.random.integer(1, 40)}`;
  }

  /** Files of random bytes, by the names of their binary fields, and their traces. */
  files(token: string, count: number): { binary: IBinaryKeyData; fields: string; adds: string[] } {
    const made = Array.from({ length: count }, (_, index) => {
      const bytes = this.random.bytes(this.random.integer(1, this.random.chance(0.1) ? 200_000 : 4000));
      return { bytes, fileName: `${token}.${index}.${sha256(bytes)}.bin` };
    });
    const binary = Object.fromEntries(
      made.map(({ bytes, fileName }, index) => [
        `file${index}`,
        { data: bytes.toString('base64'), mimeType: 'application/octet-stream', fileName },
      ]),
    );
    const adds = made.map(({ fileName }) => fileAdded(fileName));
    return { binary, fields: Object.keys(binary).join(','), adds };
  }

  /**
   * Runs a write for several items, with Continue On Fail and Retry On Fail in all combinations, and records what the
   * node reported about each. @returns the outcomes in one word
   * @param operation resource and operation
   */
  async write(
    operation: string,
    parameters: INodeParameters,
    orders: readonly Order[],
  ): Promise<ReportedOutcome[]> {
    if (orders.length === 0) return [];
    const { random } = this;
    const items = orders.map(({ binary = {}, ...request }) => ({
      input: { json: request.json, binary },
      request,
    }));
    const input = items.map((item) => item.input);
    const result = await this.run(operation, parameters, input, {
      ...(random.chance(0.5) && { onError: 'continueRegularOutput' as const }),
      ...(random.chance(0.5) && {
        retryOnFail: true,
        maxTries: random.integer(2, 4),
        waitBetweenTries: random.integer(1, 300),
      }),
    });
    return resultsOf(result, orders.length).map((itemResult, index) => {
      const { json, message } = itemResult;
      const id = json?.id ?? json?.recordId;
      const reported = outcomeOf(itemResult);
      const told = { ...(typeof id === 'string' && { id }), ...(message !== undefined && { message }) };
      this.ledger.add('lines', { operation, ...items[index]!.request, reported, ...told });
      if (reported === 'created' && typeof id === 'string') this.pool.add(id);
      return reported;
    });
  }

  /** Runs a read; items that failed are left out. @param operation resource and operation */
  async read(
    operation: string,
    parameters: INodeParameters,
    items: readonly IDataObject[] = [{}],
  ): Promise<INodeExecutionData[]> {
    const input = items.map((json) => ({ json }));
    const result = await this.run(operation, parameters, input, { onError: 'continueRegularOutput' });
    const all = result.error === undefined ? result.items : [];
    const good = all.filter(({ json }) => json.error === undefined);
    for (const { json } of good) {
      if (typeof json.id !== 'string' || typeof json.revision !== 'number' || !('State' in json)) continue;
      this.ledger.add('seen', { id: json.id, revision: json.revision, lanes: lanesOf(json) });
    }
    recordFiles(good, this.ledger);
    return good;
  }

  private async run(
    operation: string,
    parameters: INodeParameters,
    input: readonly INodeExecutionData[],
    node: Partial<INode>,
  ): Promise<EngineResult> {
    const [resource, name] = operation.split(' ') as [string, string];
    const application = { __rl: true, mode: 'id', value: this.service.app.id };
    const all = { application, options: {}, resource, operation: name, ...parameters };
    const result = await this.engine.run(all, { input, node });
    // No text that n8n saves or shows contains the access key.
    const { error, hints } = result;
    const items = error === undefined ? result.items : [];
    const errors = items.map(({ json }) => json.error).filter((each) => each !== undefined);
    recordLeak([error, errors, hints], this.service, this.ledger);
    return result;
  }
}

/** Records what contains the access key. */
export function recordLeak(shown: unknown, { credential }: SoakService, ledger: Ledger): void {
  const text = inspect(shown, { depth: 8 });
  if (text.includes(credential.accessKey)) ledger.add('leaks', text);
}

/** Records the content of files that a node output. */
export function recordFiles(items: readonly INodeExecutionData[], ledger: Ledger): void {
  for (const { binary = {} } of items)
    for (const { fileName = '', data } of Object.values(binary))
      if (fileName.endsWith('.bin'))
        ledger.add('seenFiles', { name: fileName, sha256: sha256(Buffer.from(data, 'base64')) });
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * The text in a field of an output item.
 * @throws Error if there is none: then the output is not as documented.
 */
export function textIn(json: Readonly<Record<string, unknown>>, key: string): string {
  const value = json[key];
  if (typeof value === 'string') return value;
  throw new Error(`An output item has no text "${key}": ${JSON.stringify(json)}`);
}

/** Expression for a key of the item's json. */
export function fromItem(key: string): string {
  return `={{ $json.${key} }}`;
}

/** Saved parameters of a write: values of the mapper by part name. */
export function mapped(
  value: Readonly<Record<string, string>>,
  matchingColumns: readonly string[] = [],
): INodeParameters {
  return { mappingMode: 'defineBelow', value, matchingColumns: [...matchingColumns], schema: [] };
}
