import type { INodeParameters } from 'n8n-workflow';

import { Engine, type EngineResult } from '../support/engine';
import type { CreatedApplication } from '../support/sandbox';
import {
  condition,
  listCalls,
  numberedTickets,
  parameterOf,
  recordParameters,
  tickets,
  useTickets,
} from './support/tickets';

const place = useTickets();

async function run(operation: string, parameters: INodeParameters, of = place.app): Promise<EngineResult> {
  const result = await place.engine.run(recordParameters(operation, of, { returnAll: true, ...parameters }));
  if (result.error) throw result.error;
  return result;
}

const titlesOf = ({ json }: EngineResult): unknown[] => json.map(({ Title }) => Title);

const any = (...conditions: INodeParameters[]): INodeParameters => ({
  match: 'any',
  filters: { condition: conditions },
});

const ACME = 'Acme Engineering';
const OWN = { part: 'Hours', operator: 'lt', value: '0' };
const ASKED = { part: 'Title', operator: 'equals', value: 'Beta' };

describe('operators that the node checks', () => {
  test.each<[INodeParameters, string[]]>([
    [{ part: 'Title', operator: 'notEquals', value: 'Beta' }, [ACME, '=1+2']],
    [{ part: 'Hours', operator: 'gt', value: '1.5' }, ['Beta']],
    [{ part: 'Owner', operator: 'notEquals', value: '1001', valueType: 'id' }, ['Beta', '=1+2']],
    [{ part: 'Lines', operator: 'isNotNull' }, [ACME]],
  ])('%j', async (saved, expected) => {
    const result = await run('getAll', condition(saved));
    expect(titlesOf(result)).toEqual(expected);
    expect((await run('count', condition(saved))).json).toEqual([{ count: expected.length }]);
    expect(result.hints).toEqual([]);
  });

  test('together with one that the service checks, it reads fewer records', async () => {
    const both = { filters: { condition: [{ part: 'Kind', value: 'Bug' }, OWN] } };
    const result = await run('getAll', both);
    expect(titlesOf(result)).toEqual(['=1+2']);
    expect(result.hints).toEqual([]);
    const [call] = await listCalls(place.sandbox);
    expect(JSON.parse(parameterOf(call, 'filter') ?? '')).toEqual({
      item: [{ field_id: place.app.parts.Kind, operator: '=', value: 'Bug' }],
    });
  });

  test.each(['simplified', 'raw'])(
    'parts that only a condition needs are not returned: %s',
    async (output) => {
      const { json } = await run('getAll', {
        ...condition(OWN),
        options: { partsToReturn: ['Title'], output },
      });
      expect(json).toHaveLength(1);
      expect(json[0]).toHaveProperty('Title');
      expect(json[0]).not.toHaveProperty('Hours');
    },
  );

  test('a keyword is searched in the parts that a condition reads, too: the service searches what it is asked for', async () => {
    const search = async (keywordParts: string[], operator: string): Promise<unknown> =>
      (
        await run('count', {
          ...condition({ part: 'Text', operator }),
          options: { keyword: 'steel', keywordParts },
        })
      ).json[0]?.count;
    expect(await search(['Title'], 'isNotNull')).toBe(1);
    expect(await search(['Files'], 'isNotNull')).toBe(1);
    expect(await search(['Text'], 'isNotNull')).toBe(1);
    const { json } = await run('getAll', {
      ...any({ part: 'Text', operator: 'isNotNull' }, { part: 'Hours', operator: 'gte', value: '20' }),
      options: {
        keyword: 'a',
        keywordParts: ['Title'],
        partsToReturn: ['Kind'],
      },
      sort: { by: { part: 'Due', order: 'desc' } },
    });
    expect(json.map(({ id, Kind }) => [id, Kind])).toEqual([
      [place.app.records[1], 'Wish'],
      [place.app.records[0], 'Bug'],
    ]);
    expect(Object.keys(json[0] ?? {})).not.toContain('Due');
  });

  test('a hidden part meets no condition, and a hint says so', async () => {
    await place.sandbox.setUser('1050', {
      name: 'Limited',
      accessKey: 'limited-key',
      rights: { tickets: { access: true, parts: { Hours: 'none' } } },
    });
    const as = new Engine({ baseUrl: place.sandbox.baseUrl, accessKey: 'limited-key' });
    const read = async (...conditions: INodeParameters[]): Promise<EngineResult> =>
      await as.run(recordParameters('getAll', place.app, { returnAll: true, ...any(...conditions) }));
    const { json, hints } = await read({ part: 'Hours', operator: 'notEquals', value: '7' }, ASKED);
    expect(json.map(({ Title }) => Title)).toEqual(['Beta']);
    expect(hints.map(({ message }) => message)[0]).toMatch(/^The service does not show part "Hours"/);
  });
});

describe('any condition', () => {
  test('is requested for each condition, and joined by ID', async () => {
    const result = await run(
      'getAll',
      any(OWN, ASKED, { part: 'Kind', value: 'Bug' }, { part: 'Hours', operator: 'lte', value: '-3' }),
    );
    expect(titlesOf(result)).toEqual([ACME, 'Beta', '=1+2']);
    const filters = (await listCalls(place.sandbox)).map((call) => parameterOf(call, 'filter'));
    expect(filters).toHaveLength(3);
    expect(filters.filter((filter) => filter === undefined)).toHaveLength(1);
  });

  test('a single one needs one list', async () => {
    expect(titlesOf(await run('getAll', any(ASKED)))).toEqual(['Beta']);
    expect(titlesOf(await run('getAll', any(OWN)))).toEqual(['=1+2']);
    expect(titlesOf(await run('getAll', any()))).toHaveLength(3);
    expect(await listCalls(place.sandbox)).toHaveLength(3);
  });

  test('the result is sorted and limited by the node', async () => {
    const saved = any(OWN, { part: 'Kind', value: 'Bug' }, ASKED);
    const sorted = async (by: INodeParameters, limit = 9): Promise<unknown[]> =>
      titlesOf(await run('getAll', { ...saved, returnAll: false, limit, sort: { by } }));
    expect(await sorted({ part: 'Hours' })).toEqual(['=1+2', ACME, 'Beta']);
    expect(await sorted({ part: 'Hours', order: 'desc' }, 2)).toEqual(['Beta', ACME]);
    expect(await sorted({ part: 'Due' })).toEqual(['=1+2', ACME, 'Beta']);
    expect(await sorted({ part: 'Due', order: 'desc' }, 1)).toEqual(['Beta']);
    expect(titlesOf(await run('getAll', { ...saved, returnAll: false, limit: 2 }))).toEqual([ACME, 'Beta']);
  });

  test('each record is counted once', async () => {
    expect((await run('count', any(OWN, ASKED, { part: 'Kind', value: 'Bug' }))).json).toEqual([
      { count: 3 },
    ]);
    expect((await run('count', any(ASKED))).json).toEqual([{ count: 1 }]);
  });

  test('filter JSON and keyword apply as well', async () => {
    const filterJson = JSON.stringify({
      item: [{ field_id: place.app.parts.Kind, operator: '=', value: 'Bug' }],
    });
    const saved = any(OWN, ASKED);
    expect(titlesOf(await run('getAll', { ...saved, options: { filterJson } }))).toEqual(['=1+2']);
    expect(titlesOf(await run('getAll', { ...saved, options: { keyword: 'steel' } }))).toEqual(['Beta']);
  });

  test('another match is refused', async () => {
    const { error } = await place.run('getAll', { match: 'some' });
    expect(error?.message).toMatch(/"Must Match" must be one of: all, any, not "some"/);
  });
});

describe('many records', () => {
  let many: CreatedApplication;

  beforeAll(async () => {
    many = await place.sandbox.createApplication(
      tickets({ name: 'Many', identifier: 'many', records: numberedTickets(6001) }),
    );
  });

  test('reads page after page until there are enough, and no further', async () => {
    const limited = async (limit: number, value: string): Promise<EngineResult> =>
      await run(
        'getAll',
        { ...condition({ part: 'Hours', operator: 'lt', value }), returnAll: false, limit },
        many,
      );
    expect(titlesOf(await limited(3, '1'))).toEqual(['T0', 'T10', 'T20']);
    expect((await listCalls(place.sandbox)).map((call) => parameterOf(call, 'limit'))).toEqual(['250']);
    await place.sandbox.clearLog();
    expect(titlesOf(await limited(50, '1')).at(-1)).toBe('T490');
    expect((await listCalls(place.sandbox)).map((call) => parameterOf(call, 'limit'))).toEqual([
      '250',
      '5000',
    ]);
    const all = await limited(1000, '1');
    expect([all.json.length, all.hints]).toEqual([601, []]);
  });

  test('any, exported in order of the IDs', async () => {
    const saved = any(
      { part: 'Hours', operator: 'lt', value: '2' },
      { part: 'Hours', operator: 'gte', value: '8' },
    );
    const { items } = await run('export', { ...saved, format: 'ndjson', binaryPropertyName: 'data' }, many);
    expect(items[0]?.json).toEqual({ count: 2401 });
  });
});
