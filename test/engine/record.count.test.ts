import type { INodeParameters } from 'n8n-workflow';

import type { EngineOptions, EngineResult } from '../support/engine';
import type { Sandbox } from '../support/sandbox';
import { condition, numberedTickets, recordParameters, tickets, useTickets } from './support/tickets';
import { useQuickRetries } from './support/quickRetries';

useQuickRetries();

const place = useTickets();

async function count(parameters: INodeParameters = {}, options: EngineOptions = {}): Promise<EngineResult> {
  return await place.run('count', parameters, options);
}

async function countCalls(): Promise<Readonly<Record<string, string>>[]> {
  const calls = (await place.sandbox.log()).filter(({ action }) => action === 'count_data');
  return calls.map(({ parameters }) => Object.fromEntries(parameters) as Record<string, string>);
}

test('counts all records with one request', async () => {
  const { json, error } = await count();
  expect([json, error]).toEqual([[{ count: 3 }], undefined]);
  expect(await countCalls()).toEqual([{ action: 'count_data', app_id: place.app.id }]);
});

test('counts many', async () => {
  const many = await place.sandbox.createApplication(
    tickets({ name: 'Many', identifier: 'many', records: numberedTickets(10_001) }),
  );
  const { json } = await place.engine.run(recordParameters('count', many));
  expect(json).toEqual([{ count: 10_001 }]);
});

test.each<[string, INodeParameters, number]>([
  ['a filter', condition({ part: 'Kind', value: 'Bug' }), 2],
  ['a filter that no record meets', condition({ part: 'Kind', value: 'Question' }), 0],
  ['a null test', condition({ part: 'Due', operator: 'isNull' }), 1],
  [
    'a date/time of another zone',
    condition({ part: 'Meeting', operator: 'gte', value: '2026-03-01T15:00:00Z' }),
    1,
  ],
  ['filter JSON', { options: { filterJson: { item: { operator: 'is_null', field_id: '106' } } } }, 1],
  ['a keyword', { options: { keyword: 'steel' } }, 1],
  ['a keyword in one part', { options: { keyword: 'steel', keywordParts: ['Title'] } }, 0],
  ['keyword and filter', { ...condition({ part: 'Kind', value: 'Bug' }), options: { keyword: 'steel' } }, 0],
])('counts by %s', async (_, parameters, expected) => {
  const { json, error } = await count(parameters);
  expect([json, error]).toEqual([[{ count: expected }], undefined]);
});

test('requests the parts to search only with a keyword', async () => {
  await count({ options: { keywordParts: ['Title'] } });
  await count({ options: { keyword: 'x', keywordParts: [place.app.parts.Title!, 'Text'] } });
  const [without, withKeyword] = await countCalls();
  expect(without).not.toHaveProperty('fields');
  expect(JSON.parse(withKeyword?.fields ?? '')).toEqual([{ field_name: 'Title' }, { field_name: 'Text' }]);
});

test.each([
  ['texts', { counts: 'string' }],
  ['numbers', { counts: 'number' }],
  ['an error for no data, as 0', { emptyList: 'error' }],
])('reads %s', async (_, dialect) => {
  await place.sandbox.setDialect(dialect);
  expect((await count()).json).toEqual([{ count: 3 }]);
  expect((await count(condition({ part: 'Kind', value: 'Question' }))).json).toEqual([{ count: 0 }]);
});

test('counts in part identifier mode', async () => {
  const keyed = await place.sandbox.createApplication(
    tickets({ name: 'Keyed', identifier: 'keyed', partIdentifierMode: true }),
  );
  const { json } = await place.engine.run(
    recordParameters('count', keyed, { options: { keyword: 'steel', keywordParts: ['Text'] } }),
  );
  expect(json).toEqual([{ count: 1 }]);
  expect((await countCalls()).at(-1)?.fields).toBe('[{"field_alias":"text"}]');
});

test('counts once for each item, and the same question only once', async () => {
  const input = ['Bug', 'Wish', 'Bug', 'Bug'].map((kind) => ({ json: { kind } }));
  const { json, items } = await count(condition({ part: 'Kind', value: '={{ $json.kind }}' }), { input });
  expect(json).toEqual([{ count: 2 }, { count: 1 }, { count: 2 }, { count: 2 }]);
  expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2, 3].map((item) => ({ item })));
  expect(await countCalls()).toHaveLength(2);
});

test('Continue On Fail returns the failed item in its place', async () => {
  const input = [{ json: { part: 'Titel' } }, { json: { part: 'Title' } }];
  const { items } = await count(condition({ part: '={{ $json.part }}', value: 'Beta' }), {
    input,
    node: { onError: 'continueRegularOutput' },
  });
  expect(items.map(({ json, pairedItem }) => [json, pairedItem])).toEqual([
    [{ error: 'Filter 1: There is no part "Titel"' }, { item: 0 }],
    [{ count: 1 }, { item: 1 }],
  ]);
});

test('a failed question is asked again for the items after those that waited for it', async () => {
  await place.sandbox.setFaults([
    { kind: 'ng', errorno: -1, message: 'Not now', action: 'count_data', times: 1 },
  ]);
  const input = Array.from({ length: 5 }, () => ({ json: {} }));
  const { json } = await count({}, { input, node: { onError: 'continueRegularOutput' } });
  const refused: unknown = expect.objectContaining({ error: expect.stringMatching(/Not now/) as string });
  expect(json).toEqual([refused, refused, refused, refused, { count: 3 }]);
});

test.each<[string, Parameters<Sandbox['setFaults']>[0][number]]>([
  ['a full queue', { kind: 'status', status: 429, retryAfter: 0, times: 2 }],
  ['a dropped connection', { kind: 'drop', when: 'after', times: 1 }],
  ['cut JSON', { kind: 'cut', times: 1 }],
])('succeeds despite %s', async (_, fault) => {
  await place.sandbox.setFaults([{ ...fault, action: 'count_data' }]);
  expect((await count()).json).toEqual([{ count: 3 }]);
});

test('Retry On Fail counts again', async () => {
  await place.sandbox.setFaults([{ kind: 'status', status: 500, action: 'count_data', times: 1 }]);
  const { json, error } = await count({}, { node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 } });
  expect([json, error]).toEqual([[{ count: 3 }], undefined]);
});
