import { Engine } from '../support/engine';
import type { INodeParameters } from 'n8n-workflow';

import { condition, listCalls, listing, useTickets } from './support/tickets';

const place = useTickets();
const { getAll, titles } = listing(place);

describe('filters', () => {
  test.each<[string, INodeParameters, string[]]>([
    ['equals by default', { part: 'Title', value: 'Beta' }, ['Beta']],
    ['equals, several values', { part: 'Title', operator: 'equals', value: 'Beta\n=1+2' }, ['Beta', '=1+2']],
    ['a number', { part: 'Hours', operator: 'gte', value: '1.50' }, ['Acme Engineering', 'Beta']],
    ['a number with an expression', { part: 'Hours', operator: 'gte', value: '={{ 20 }}' }, ['Beta']],
    ['a date', { part: 'Due', operator: 'gte', value: '2026-03-15' }, ['Beta']],
    ['a time', { part: 'From', value: '9:30' }, ['Acme Engineering']],
    ['a date/time with an offset', { part: 'Meeting', value: '2026-03-01T00:30:00Z' }, ['Acme Engineering']],
    ['is null', { part: 'Meeting', operator: 'isNull', value: 'left over' }, ['Beta']],
    ['contains', { part: 'Marks', operator: 'contains', value: 'blue' }, ['Acme Engineering']],
    ['ids', { part: 'Owner', operator: 'contains', value: ['1002', '1003'], valueType: 'id' }, ['Beta']],
    ['names', { part: 'Owner', operator: 'contains', value: 'Aiko Mori' }, ['Acme Engineering']],
    [
      'values as a read returns them',
      { part: 'Owner', operator: 'contains', value: '={{ [{ id: "1002", name: "x" }] }}', valueType: 'id' },
      ['Beta'],
    ],
    ['a chosen option', { part: 'Kind', value: 'Wish', valueType: 'option' }, ['Beta']],
    ['a custom operator', { part: 'Hours', operator: 'custom', customOperator: '<=', value: '0' }, ['=1+2']],
    [
      'a custom operator without a value',
      { part: 'Due', operator: 'custom', customOperator: 'is_not_null' },
      ['Acme Engineering', 'Beta'],
    ],
  ])('filters: %s', async (_, saved, expected) => {
    expect(await titles(condition(saved))).toEqual(expected);
  });

  test('a table part without rows is told by the node: the service is not asked about it', async () => {
    expect(await titles(condition({ part: 'Lines', operator: 'isNull' }))).toEqual(['Beta', '=1+2']);
    expect((await place.sent('list_data')).map(({ filter }) => filter)).toEqual([undefined]);
  });

  test('all conditions and the filter JSON hold together', async () => {
    const filterJson = JSON.stringify({
      item: [{ field_id: place.app.parts.Hours, operator: '>=', value: '1' }],
    });
    expect(await titles({ ...condition({ part: 'Kind', value: 'Bug' }), options: { filterJson } })).toEqual([
      'Acme Engineering',
    ]);
    expect(await titles({ options: { filterJson } })).toEqual(['Acme Engineering', 'Beta']);
    expect(await titles({ options: { filterJson: '{"item":[]}' } })).toHaveLength(3);
  });

  test('the keyword is searched in all parts, whatever is returned', async () => {
    const parameters = { options: { keyword: 'steel', partsToReturn: ['Title'] } };
    const { json } = await getAll(parameters);
    expect(json.map(({ Title }) => Title)).toEqual(['Beta']);
    expect(Object.keys(json[0] ?? {})).toEqual(['id', 'Title', 'revision', 'canWrite', 'canDelete']);
    const { json: raw } = await getAll({ ...parameters, simplify: false });
    expect(Object.keys(raw[0] ?? {}).sort()).toEqual(['ID', 'Title', '\\permissions', 'revision'].sort());
  });

  test('keyword parts are searched in addition to the returned parts', async () => {
    const search = async (keywordParts: string[]): Promise<unknown[]> =>
      await titles({ options: { keyword: 'steel', keywordParts, partsToReturn: ['Title'] } });
    expect(await search(['Text'])).toEqual(['Beta']);
    expect(await search(['Kind'])).toEqual([]);
  });

  test.each([
    ['asc', ['=1+2', 'Acme Engineering', 'Beta']],
    ['desc', ['Beta', 'Acme Engineering', '=1+2']],
  ])('sorts %s', async (order, expected) => {
    expect(await titles({ sort: { by: { part: 'Hours', order } } })).toEqual(expected);
  });
});

describe('bad input', () => {
  test.each<[string, INodeParameters, RegExp, RegExp]>([
    [
      'an unknown part',
      condition({ part: 'Titel', value: 'x' }),
      /Filter 1: There is no part "Titel"/,
      /Did you mean "Title"/,
    ],
    ['no part', condition({ part: '', value: 'x' }), /Filter 1: No part is selected/, /remove this filter/],
    [
      'an empty value',
      condition({ part: 'Title', value: '={{ $json.missing }}' }),
      /no value to compare part "Title"/,
      /Is Empty/,
    ],
    [
      'a text for a number',
      condition({ part: 'Hours', value: 'many' }),
      /"Hours" .* does not accept "many"/,
      /a number/,
    ],
    [
      'a reference list',
      condition({ part: 'Related', value: 'x' }),
      /does not filter by parts of type Reference list/,
      /another part/,
    ],
    [
      'an unknown operator',
      condition({ part: 'Title', operator: 'like', value: 'x' }),
      /no operator "like"/,
      /custom/,
    ],
    [
      'no custom operator',
      condition({ part: 'Title', operator: 'custom', value: 'x' }),
      /custom operator is empty/,
      /spells it/,
    ],
    ['broken JSON', { options: { filterJson: '{"item":' } }, /not valid JSON/, /"item"/],
    [
      'a bare condition',
      { options: { filterJson: '{"field_id":"101"}' } },
      /no list of conditions/,
      /"item"/,
    ],
    ['an unsortable part', { sort: { by: { part: 'Text' } } }, /cannot be sorted by part "Text"/, /Title/],
    [
      'an unsearchable part',
      { options: { keyword: 'x', keywordParts: ['Hours'] } },
      /cannot be searched by keyword/,
      /filter/,
    ],
    [
      'an unknown part to return',
      { options: { partsToReturn: ['Nope'] } },
      /There is no part "Nope"/,
      /Title/,
    ],
    [
      'a limit of 0',
      { returnAll: false, limit: 0 },
      /^"Limit" must be a whole number of 1 or more, not 0$/,
      /the expression/,
    ],
  ])('refuses %s without reading', async (_, parameters, message, description) => {
    const { error } = await getAll(parameters);
    expect(error?.message).toMatch(message);
    expect(error?.description).toMatch(description);
    expect(await listCalls(place.sandbox)).toEqual([]);
  });

  test('refuses a time zone that does not exist without calling the service', async () => {
    const { baseUrl, accessKey } = place.sandbox;
    const before = (await place.sandbox.log()).length;
    const engine = new Engine({ baseUrl, accessKey, timeZone: 'Mars' });
    const { error } = await engine.run({ resource: 'label', operation: 'getAll' });
    expect(error?.message).toMatch(/^"Time Zone" of the credential must be the name of a time zone/);
    expect((await place.sandbox.log()).length).toBe(before);
  });

  test('Continue On Fail returns the failed item in its place', async () => {
    const input = [{ json: { value: 'Beta' } }, { json: { value: '' } }, { json: { value: '=1+2' } }];
    const { items } = await getAll(condition({ part: 'Title', value: '={{ $json.value }}' }), {
      input,
      node: { onError: 'continueRegularOutput' },
    });
    expect(items.map(({ json, pairedItem }) => [json.Title ?? json.error, pairedItem])).toEqual([
      ['Beta', { item: 0 }],
      [expect.stringMatching(/^Filter 1: There is no value/), { item: 1 }],
      ['=1+2', { item: 2 }],
    ]);
  });
});
