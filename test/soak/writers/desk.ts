import { inspect } from 'node:util';

import type { INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { Engine, type EngineResult } from '../../support/engine';
import type { Ledger } from '../ledger/ledger';
import type { Line, Operation, Request } from '../ledger/line';
import { resultsOf, outcomeOf, type ItemResult } from '../ledger/outcome';
import type { Random } from '../util/random';
import { LANES, type Lanes } from '../world/application';
import type { SoakService } from '../world/soakService';
import type { Pool } from './pool';

/** One item to write: what it asks for, and its input item. */
export interface Order extends Request {
  readonly input: INodeExecutionData;
}

/** The workplace of one writer: it runs the action node, and records the results in the ledger. */
export class Desk {
  private readonly engine: Engine;
  private orders = 0;

  constructor(
    readonly name: string,
    readonly service: SoakService,
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

  /** Runs a write for several items and records what the node reported about each. */
  async write(
    operation: Operation,
    parameters: INodeParameters,
    orders: readonly Order[],
  ): Promise<readonly Line[]> {
    if (orders.length === 0) return [];
    const settings = this.settings();
    const result = await this.run(
      parameters,
      orders.map(({ input }) => input),
      settings,
    );
    return resultsOf(result, orders.length).map((itemResult, index) => {
      const line = toLine(operation, orders[index]!, itemResult);
      this.ledger.add('lines', line);
      this.learn(line);
      return line;
    });
  }

  /** Runs a read; items that failed are left out. */
  async read(
    parameters: INodeParameters,
    input: readonly INodeExecutionData[] = [{ json: {} }],
  ): Promise<INodeExecutionData[]> {
    const result = await this.run(parameters, input, { onError: 'continueRegularOutput' });
    const good = (result.error === undefined ? result.items : []).filter(
      ({ json }) => json.error === undefined,
    );
    for (const { json } of good) {
      if (typeof json.id !== 'string' || typeof json.revision !== 'number' || !('State' in json)) continue;
      this.ledger.add('seen', {
        by: this.name,
        id: json.id,
        revision: json.revision,
        lanes: lanesOf(json),
      });
    }
    return good;
  }

  sawFile(name: string, sha256: string): void {
    this.ledger.add('seenFiles', { by: this.name, name, sha256 });
  }

  private async run(
    parameters: INodeParameters,
    input: readonly INodeExecutionData[],
    node: Partial<INode>,
  ): Promise<EngineResult> {
    const application = { __rl: true, mode: 'id', value: this.service.app.id };
    const result = await this.engine.run({ application, options: {}, ...parameters }, { input, node });
    this.lookForKey(result);
    return result;
  }

  /** Continue On Fail and Retry On Fail, in all combinations. */
  private settings(): Partial<INode> {
    return {
      ...(this.random.chance(0.5) && { onError: 'continueRegularOutput' as const }),
      ...(this.random.chance(0.5) && {
        retryOnFail: true,
        maxTries: this.random.integer(2, 4),
        waitBetweenTries: this.random.integer(1, 300),
      }),
    };
  }

  /** Checks that no text that n8n saves or shows contains the access key. */
  private lookForKey(result: EngineResult): void {
    const { error, hints } = result;
    const items = error === undefined ? result.items : [];
    const errors = items.map(({ json }) => json.error).filter((each) => each !== undefined);
    if (error === undefined && errors.length === 0 && hints.length === 0) return;
    const text = inspect([error, errors, hints], { depth: 8 });
    if (text.includes(this.service.credential.accessKey)) this.ledger.add('leaks', text);
  }

  private learn(line: Line): void {
    if (line.reported === 'created' && line.id !== undefined) this.pool.add(line.id);
    if (line.reported !== 'refused') for (const id of line.deleted ?? []) this.pool.remove(id);
  }
}

/** Values of the lanes in a record that one of our nodes output. */
export function lanesOf(json: Readonly<Record<string, unknown>>): Lanes {
  return Object.fromEntries(LANES.flatMap((lane) => (json[lane] ? [[lane, json[lane]]] : [])));
}

function toLine(operation: Operation, { input, ...request }: Order, result: ItemResult): Line {
  void input;
  const { json, message } = result;
  const id = json?.id ?? json?.recordId;
  return {
    operation,
    ...request,
    reported: outcomeOf(result),
    ...(typeof id === 'string' && { id }),
    ...(Array.isArray(json?.ids) && { deletedIds: json.ids.map(String) }),
    ...(Array.isArray(json?.notFound) && { missingIds: json.notFound.map(String) }),
    ...(message !== undefined && { message }),
  };
}
