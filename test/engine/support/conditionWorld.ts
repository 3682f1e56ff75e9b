import { BINARY_ENCODING, type IDataObject, type INodeParameters } from 'n8n-workflow';

import { recordParameters, tickets } from './tickets';
import {
  expectedPlaces,
  KEYWORD_PARTS,
  type ModelQuery,
  type StoredTicket,
  type TicketPart,
} from './conditionModel';
import type { Asked, ConditionRun } from './conditionRuns';
import { Engine } from '../../support/engine';
import { Sandbox, type CreatedApplication } from '../../support/sandbox';

/** A sandbox for random queries, whose results are compared with the plain evaluation. */
export class ConditionWorld {
  private constructor(
    private readonly sandbox: Sandbox,
    private readonly engine: Engine,
  ) {}

  static async start(): Promise<ConditionWorld> {
    const sandbox = await Sandbox.borrow();
    return new ConditionWorld(
      sandbox,
      new Engine({ baseUrl: sandbox.baseUrl, accessKey: sandbox.accessKey }),
    );
  }

  async stop(): Promise<void> {
    await this.sandbox.stop();
  }

  /** The results of each query, and the expected ones: IDs or counts. */
  async run({
    records,
    dialect: changes,
    byIdentifier,
    asked: queries,
  }: ConditionRun): Promise<[unknown, unknown][]> {
    await this.sandbox.setDialect(changes);
    const definition = tickets({
      identifier: '',
      records: records.map((each) => ({ ...each })),
      partIdentifierMode: byIdentifier,
      systemIdentifiers: { id: 'no' },
    });
    const app = await this.sandbox.createApplication(definition);
    const results: [unknown, unknown][] = [];
    for (const each of queries) results.push(await this.ask(app, each, records, byIdentifier));
    await this.sandbox.resetDialect();
    await this.sandbox.removeApplication(app.id);
    return results;
  }

  private async ask(
    app: CreatedApplication,
    { operation, query, narrow, raw }: Asked,
    records: readonly StoredTicket[],
    byIdentifier: boolean,
  ): Promise<[unknown, unknown]> {
    const model = modelOf(operation, query, narrow);
    const { json, items, error } = await this.engine.run(
      recordParameters(operation, app, saved(operation, query, narrow, raw)),
    );
    if (error) throw error;
    const places = expectedPlaces(records, model);
    const ids = places.map((place) => app.records[place]);
    if (operation === 'count') return [json, [{ count: ids.length }]];
    if (operation === 'export') {
      const text = Buffer.from(items[0]?.binary?.data?.data ?? '', BINARY_ENCODING).toString('utf8');
      const lines = text.split('\n').filter((line) => line !== '');
      return [lines.map((line) => (JSON.parse(line) as { id: string }).id), ids];
    }
    // A dialect may write ids as numbers.
    const idOf = (item: IDataObject): number =>
      Number(raw ? (item[byIdentifier ? 'no' : 'ID'] as IDataObject).val : item.id);
    const keys = narrow ? json.flatMap((item) => Object.keys(item)) : [];
    const unwanted = keys.filter((key) => /^(hours|due|text|marks)$/i.test(key));
    return [
      [json.map(idOf), unwanted],
      [ids.map(Number), []],
    ];
  }
}

/** The query as an operation understands it: Count has no order and no limit, and searches only its keyword parts. */
function modelOf(
  operation: string,
  { keyword, limit, sort, ...query }: ModelQuery,
  narrow: boolean,
): ModelQuery {
  const narrowed: readonly TicketPart[] = operation === 'count' ? ['Title'] : ['Title', 'Kind'];
  return {
    ...query,
    ...(keyword && { keyword: { ...keyword, parts: narrow ? narrowed : KEYWORD_PARTS } }),
    ...(sort && operation !== 'count' && { sort }),
    ...(limit !== undefined && operation === 'getAll' && { limit }),
  };
}

function saved(operation: string, query: ModelQuery, narrow: boolean, raw: boolean): INodeParameters {
  const { match, conditions, keyword, sort, limit } = query;
  const lists = operation !== 'count';
  const options = {
    ...(keyword && { keyword: keyword.text }),
    ...(keyword && narrow && { keywordParts: ['Title'] }),
    ...(lists && narrow && { partsToReturn: ['Kind'] }),
  };
  const condition = conditions.map(({ part, operator, written, byId }) => ({
    part,
    operator,
    value: written.length === 1 ? written[0]! : [...written],
    valueType: byId ? 'id' : 'value',
  }));
  return {
    match,
    filters: { condition },
    options,
    ...(lists && sort && { sort: { by: sort } }),
    ...(operation === 'getAll' && raw && { simplify: false }),
    ...(operation === 'getAll' && { returnAll: limit === undefined, ...(limit !== undefined && { limit }) }),
    ...(operation === 'export' && { format: 'ndjson', binaryPropertyName: 'data' }),
  };
}
