import type { INodeParameters } from 'n8n-workflow';

import { TriggerEngine } from '../support/triggerEngine';
import { type Row, testTable } from './support/table';
import { type RunSettings, useWorkplace } from './support/workplace';

/** What is found is what was asked: conditions mean the same whoever checks them, and none is lost. */
const APPLICATION = {
  parts: [
    { name: 'Name', type: 'textbox' },
    { name: 'Tags', type: 'checkbox', options: ['red', 'blue', 'green', '1', '[1]'] },
    { name: 'Owner', type: 'users' },
    { name: 'Team', type: 'groups' },
    { name: 'Kind', type: 'select', options: ['1', '[1]', 'x'] },
    { name: 'Price', type: 'number' },
    { name: 'Due', type: 'date' },
    { name: 'Seen', type: 'datetime' },
    { name: 'Sum', type: 'expression', formula: '{Price} * 2', resultType: 'number' },
  ],
  records: [
    { Name: 'a', Tags: ['red', 'blue'], Owner: ['1001', '1002'], Team: ['201'], Kind: '[1]', Price: '600' },
    { Name: 'b', Tags: ['red'], Owner: ['1001'], Kind: '1', Price: '7', Due: '2026-03-02' },
    { Name: 'c', Tags: ['green'], Owner: ['1002'], Seen: '2026-03-01T09:00' },
    { Name: 'd' },
  ],
} as const;

const place = useWorkplace(APPLICATION);

type Filter = Readonly<Record<string, unknown>>;

const filters = (...condition: readonly Filter[]): RunSettings => ({ filters: { condition } });

const asked = (base: RunSettings, rows: readonly Row[]): void =>
  testTable(place, base, rows, { application: APPLICATION });

/** The names of the records that are found. */
const found = (condition: Filter, names: string, more: Partial<Row> = {}): Row => ({
  name: `${JSON.stringify(condition)} finds ${names || 'nothing'}`,
  run: { ...filters(condition), ...more.run },
  after: (_, { json }) => {
    expect(json.map(({ Name }) => Name)).toEqual([...names]);
  },
  ...(more.sent !== undefined && { sent: more.sent }),
  ...(more.engine !== undefined && { engine: more.engine }),
});

const refused = (condition: Filter, error: RegExp, more: Partial<Row> = {}): Row => ({
  name: `${JSON.stringify(condition)} is refused`,
  run: filters(condition),
  error,
  sent: { list_data: 0, count_data: 0 },
  ...more,
});

const GET_MANY = { operation: 'getAll', returnAll: true };

describe('Equals on parts of several values', () => {
  asked(GET_MANY, [
    found({ part: 'Tags', operator: 'equals', value: 'red' }, 'ab'),
    found({ part: 'Tags', operator: 'equals', value: 'blue, green' }, 'ac'),
    found({ part: 'Owner', operator: 'equals', value: '1001, 1002', valueType: 'id' }, 'abc'),
    found({ part: 'Team', operator: 'notEquals', value: '201', valueType: 'id' }, 'bcd'),
    {
      ...found({ part: 'Tags', operator: 'equals', value: 'red' }, 'abc'),
      name: 'under Any, too',
      run: {
        match: 'any',
        ...filters(
          { part: 'Tags', operator: 'equals', value: 'red' },
          { part: 'Name', operator: 'equals', value: 'c' },
        ),
      },
    },
    {
      name: 'the service is asked which records contain it',
      run: filters({ part: 'Tags', operator: 'equals', value: 'red' }),
      after: async ({ sent, part }) => {
        const [call] = await sent.call(place, 'list_data');
        expect(JSON.parse(call?.filter ?? '')).toEqual({
          item: [{ field_id: part.call(place, 'Tags'), operator: 'contains', value: 'red' }],
        });
      },
    },
  ]);
  asked({ operation: 'count' }, [
    {
      name: 'Count counts the same',
      run: filters({ part: 'Tags', operator: 'equals', value: 'red' }),
      output: [{ count: 2 }],
    },
  ]);
});

describe('a condition of which an expression returns nothing', () => {
  const whole = { part: 'Name', operator: 'equals', customOperator: '', value: 'a', valueType: 'value' };
  const without = ['part', 'operator', 'value', 'valueType'].flatMap((key) =>
    ['undefined', 'null'].map((nothing) => ({ ...whole, [key]: `={{ ${nothing} }}` })),
  );
  const custom = { ...whole, operator: 'custom', customOperator: '={{ $json.x }}' };
  const customValue = { ...whole, operator: 'custom', customOperator: 'like', value: '={{ $json.x }}' };
  const empty = /^Filter 1: (Its "\w+" is empty|There is no value to compare .*)$/;
  asked(
    GET_MANY,
    [...without, custom, customValue].map((condition) => refused(condition, empty)),
  );
  asked({ operation: 'sync', matchBy: ['Name'], values: { Name: '={{ $json.n }}' }, missing: 'delete' }, [
    {
      name: 'as the scope of Sync removes nothing',
      items: [{ n: 'd' }],
      run: {
        ...filters({ part: 'Tags', operator: '={{ $json.operator }}', value: 'red' }),
        options: { allowMostRemovals: true },
      },
      error: empty,
      sent: { delete_data: 0, insert_data: 0 },
    },
    {
      name: 'a list of conditions that is none neither',
      items: [{ n: 'd' }],
      run: { filters: { condition: '={{ $json.x }}' }, options: { allowMostRemovals: true } },
      // n8n fills such a condition with defaults.
      error: 'Filter 1: No part is selected',
      sent: { delete_data: 0 },
    },
  ]);
  asked(GET_MANY, [
    ...(['keyword', 'keywordParts', 'filterJson'] as const).flatMap((option) =>
      ['undefined', 'null'].map((nothing) => ({
        name: `${option} that is ${nothing} is refused`,
        run: { options: { [option]: `={{ ${nothing} }}` } },
        error: /is empty$/,
        sent: { list_data: 0 },
      })),
    ),
    ...['undefined', 'null'].map((nothing) => ({
      name: `limit that is ${nothing} is refused`,
      run: { returnAll: false, limit: `={{ ${nothing} }}` },
      error: '"Limit" is empty',
      sent: { list_data: 0 },
    })),
    { ...found(whole, 'abcd'), name: 'an empty keyword is none', run: { options: { keyword: '={{ "" }}' } } },
  ]);
  asked({ operation: 'update', recordId: '1', values: { Name: 'x' } }, [
    {
      name: 'a conflict policy that is nothing is refused',
      run: { conflictPolicy: '={{ $json.x }}', revision: '1' },
      error: /is empty$/,
      sent: { update_data: 0 },
    },
  ]);
});

describe('in a trigger, an empty text is nothing, too', () => {
  const condition = { part: 'Name', operator: 'equals', value: 'a' };
  test.each<[string, INodeParameters]>([
    ['a value', { filters: { condition: [{ ...condition, value: '={{ "" }}' }] } }],
    ['an operator', { filters: { condition: [{ ...condition, operator: '={{ "" }}' }] } }],
    ['a keyword', { options: { keyword: '={{ "" }}' } }],
    ['a filter', { options: { filterJson: '={{ "" }}' } }],
    ['parts to search', { options: { keyword: 'x', keywordParts: '={{ "" }}' } }],
    ['parts to watch', { watchParts: '={{ "" }}' }],
    ['where to start', { options: { startFrom: '={{ undefined }}' } }],
    ['how conditions are joined', { match: '={{ "" }}' }],
  ])('%s', async (_, more) => {
    const { baseUrl, accessKey } = place.sandbox;
    const application = { __rl: true, mode: 'id', value: place.app.id };
    const trigger = new TriggerEngine({ baseUrl, accessKey }, { application, ...more });
    await expect(trigger.activate()).rejects.toThrow(/is empty/);
  });
});

describe('Does Not Contain and its kind on several choices', () => {
  asked(GET_MANY, [
    found({ part: 'Tags', operator: 'notContains', value: 'red, blue' }, 'cd'),
    refused(
      { part: 'Tags', operator: 'contains', value: 'red, pink' },
      /does not accept "pink": it is not one of/,
    ),
  ]);
  asked({ operation: 'sync', matchBy: ['Name'], values: { Name: 'd' }, missing: 'delete' }, [
    {
      name: 'as the scope of Sync it spares what it names',
      run: {
        ...filters({ part: 'Tags', operator: 'notContains', value: 'red, green' }),
        options: { allowMostRemovals: true },
      },
      stored: APPLICATION.records.map(({ Name }) => ({ Name })),
    },
  ]);
});

describe('one reader of values, whoever checks them', () => {
  const tokyo = { engine: { timezone: 'Asia/Tokyo' } };
  asked(
    GET_MANY,
    ['gte', 'gt'].flatMap((operator) => [
      found({ part: 'Sum', operator, value: '1,100' }, 'a'),
      found({ part: 'Due', operator, value: '2026-02-28T20:00:00Z' }, 'b', tokyo),
      refused({ part: 'Price', operator, value: '1\n2' }, /by greater or less with 2 values$/),
      refused({ part: 'Sum', operator, value: '2026-02-30' }, /it cannot be put in order$/),
    ]),
  );
  asked(
    GET_MANY,
    ['equals', 'oneOf'].flatMap((operator) => [
      found({ part: 'ID', operator, value: ' 2 ' }, 'b'),
      found({ part: 'Kind', operator, value: '[1]' }, 'a'),
      found({ part: 'Owner', operator, value: ' Aiko Mori' }, 'ab'),
      refused(
        { part: 'Due', operator, value: '2026-02-30' },
        /names a day or a time of day that does not exist$/,
      ),
      refused({ part: 'Price', operator, value: '  ' }, /it is not a value to compare with$/),
      refused({ part: 'Owner', operator, value: ' ' }, /There is no value to compare part "Owner"/),
    ]),
  );
});
