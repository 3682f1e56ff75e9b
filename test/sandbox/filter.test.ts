import { useEverything } from './support/everything';
import { containing } from './support/matchers';
import { filter, useClient } from './support/serviceCall';

/** interface.md, "list_data": `filter`; service facts, "Filter". */
const client = useClient('kept');
const app = useEverything(client);
const ids = (parameters: Readonly<Record<string, string>>) => client.column(app.id, 'ID', parameters);
const found = (part: string, operator: string, value?: string, type?: string) =>
  ids({ filter: filter({ field_id: app.parts[part], operator, value, type }) });

it.each([
  ['Text', '=', 'Banana', ['2']],
  ['Text', '=', 'banana', []],
  ['Text', '=', 'Banana\tcherry', ['2', '3']],
  ['Text', '=', '', ['4']],
  ['Text', '>=', 'b', ['3']],
  ['Text', 'contains', 'AN', ['2']],
  ['Text', 'contains', 'pie\tcherry', ['1', '3']],
  ['Long', 'contains', 'sweet', ['1']],
  ['Rich', 'contains', 'baked', ['1']],
  ['Check', 'contains', 'green', ['1', '2']],
  ['Check', 'contains', 'red\tblue', ['1', '3']],
  ['Check', 'contains', 'gre', []],
  ['Check', '=', 'green\tred', ['1']],
  ['Check', '=', 'green', ['2']],
  ['List', 'contains', 'y', ['2']],
  ['Radio', '=', 'A', ['2']],
  ['Select', '=', 'one\ttwo', ['1', '2']],
  ['Number', '=', '9.0', ['2']],
  ['Number', '>=', '9', ['1', '2']],
  ['Date', '=', '2026-01-31', ['1']],
  ['Date', '>=', '2026-01-01', ['1']],
  ['Time', '>=', '7200', ['2']],
  ['Moment', '>=', '2026-01-01T00:00', ['1']],
  ['Files', 'contains', 'recipe', ['1']],
  ['Files', 'contains', 'secret', []],
  ['Double', '=', '18', ['2']],
  ['Double', '>=', '18', ['1', '2']],
  ['People', 'contains', 'Tanaka', ['2']],
  ['People', '=', 'Aiko Mori', ['1']],
  ['Groups', 'contains', 'Sales', ['1']],
  ['ID', '>=', '3', ['3', '4']],
  ['ID', '=', '2\t4', ['2', '4']],
  ['Created by', 'contains', 'Mori', ['1', '2', '3', '4']],
  ['Rows.Cell', '=', 'b', ['3']],
  ['Rows.Cell', 'contains', 'need', ['1']],
])('%s %s "%s"', async (part, operator, value, expected) => {
  expect(await found(part, operator, value)).toEqual(expected);
});

it.each([
  ['Text', ['4']],
  ['Check', ['4']],
  ['Number', ['4']],
  ['Date', ['3', '4']],
  ['Files', ['2', '3', '4']],
  ['People', ['3', '4']],
  ['Rows', ['2', '4']],
  ['Company', ['1', '2', '4']],
])('%s is_null, without a value', async (part, expected) => {
  expect(await found(part, 'is_null')).toEqual(expected);
});

it('with type id compares ids instead of names, several joined by tabs', async () => {
  expect(await found('People', 'contains', '1002\t7', 'id')).toEqual(['2']);
  expect(await found('People', '=', '1001\t1002', 'id')).toEqual(['2']);
  expect(await found('Groups', 'contains', '201', 'id')).toEqual(['1']);
  expect(await found('People', 'contains', '1002')).toEqual([]);
});

it.each([
  ['Number', '!=', '9', ['1', '3', '4']],
  ['Number', '<=', '9', ['2', '3']],
  ['Number', '<', '9', ['3']],
  ['Number', '>', '9', ['1']],
  ['Text', 'not_contains', 'an', ['1', '3', '4']],
  ['Text', 'is_not_null', undefined, ['1', '2', '3']],
])('invented by the sandbox: %s %s %s', async (part, operator, value, expected) => {
  expect(await found(part, operator, value)).toEqual(expected);
});

it('requires all conditions', async () => {
  const both = filter(
    { field_id: app.parts.Number, operator: '>=', value: '9' },
    { field_id: app.parts.Check, operator: 'contains', value: 'red' },
  );
  expect(await ids({ filter: both })).toEqual(['1']);
  expect(await ids({ filter: filter() })).toHaveLength(4);
});

it('compares the value that a reference part shows', async () => {
  expect(await found('Company', '=', 'Birch & Sons')).toEqual(['3']);
});

it('cannot filter by a reference list', async () => {
  const answer = await client.call('list_data', {
    app_id: app.id,
    filter: filter({ field_id: app.parts.Related, operator: 'is_null' }),
  });
  expect(answer).toMatchObject({ status: 'ng', errormessage: containing('filter') });
});
