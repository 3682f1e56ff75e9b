import type { IDataObject } from 'n8n-workflow';

import { useQuickRetries } from './support/quickRetries';
import { eight, most, named, NAMES, recordsOf, removingNamed, untouched } from './support/syncRuns';
import { CONTINUE, each, http, ng, testTable, type Rows } from './support/table';
import { useWorkplace } from './support/workplace';

useQuickRetries();

/** What Sync refuses, also with Continue On Fail, before anything is written. How a guard decides: removal.ts. */
const place = useWorkplace(null);

const rest = named(...NAMES.slice(1));
const refused = { ...untouched, node: CONTINUE };
const keep = { missing: 'keep' };
const five = '1 "Bolt"; 2 "Nut"; 3 "Cap"; 4 "Hat"; 5 "Pin"';
const cases = (rows: Rows) => testTable(place, removingNamed, rows, eight);
const without = (operator: string, value: unknown, part = 'Name') => ({
  filters: { condition: [{ part, operator, value } as IDataObject as never] },
});

describe('the number of removals', () => {
  cases({
    'more than Max Removals: how many, the first five, and why': {
      ...{ run: { ...most, maxRemovals: 6 }, items: named('Axe'), ...refused },
      error: `Sync refused to remove 7 records (${five}; and 2 more): Max Removals is 6`,
      advice: /\nNothing was written\.$/,
    },
    'as many as Max Removals': { run: { ...most, maxRemovals: 7 }, items: named('Axe'), left: ['8'] },
    'none with 0': {
      ...{ run: { maxRemovals: 0 }, items: rest, ...refused },
      error: /^Sync refused to remove 1 record \(1 "Bolt"\): Max Removals is 0$/,
    },
    'more than half of those in scope': {
      ...{ items: named('Axe', 'Rod', 'Cog'), ...refused },
      error: `Sync refused to remove 5 records (${five}): that is more than half of the 8 records that may be removed`,
    },
    'half of them': { items: named('Axe', 'Rod', 'Cog', 'Pin'), left: ['5', '6', '7', '8'] },
    ...each(['', 'many'])('an unreadable limit is not read as 100: %s', (maxRemovals) => ({
      ...{ run: { maxRemovals }, items: rest, error: /^"Max Removals" /, ...untouched },
    })),
    'settings that differ between items': {
      run: { missing: '={{ $json.n === "Nut" ? "keep" : "delete" }}' },
      ...{ items: named(...NAMES), ...refused },
      error: /^The items 0 and 1 differ in "Records Not in the Input"$/,
    },
    'a dry run lists what would be removed, and says that it would be refused': {
      ...{ run: { maxRemovals: 0, options: { dryRun: true } }, items: rest, ...untouched },
      hints: [
        'Dry run: nothing was written',
        'Without Dry Run this would be refused: Sync refused to remove 1 record (1 "Bolt"): Max Removals is 0',
        '7 would be updated, 1 would be removed (1 "Bolt")',
      ],
      after: (_, { json }) => {
        const request = { action: 'delete_data', app_id: place.app.id, data_id: '1' };
        // First, with its key beside the outcome.
        expect(Object.keys(json[0]!)).toEqual(['id', 'outcome', 'Name', 'dryRun', 'request']);
        expect(json[0]).toEqual({ id: '1', outcome: 'deleted', Name: 'Bolt', dryRun: true, request });
        expect(json).toHaveLength(8);
      },
    },
  });
});

describe('keys', () => {
  cases({
    ...each([
      ['an empty key', named('Bolt', ' 　'), 'Item 1 has no value for "Name"'],
      ['no key at all', [{ n: 'Bolt' }, {}], 'Item 1 has no value for "Name"'],
      ['a key in two items', named('Bolt', 'Nut', 'Bolt'), 'The items 0 and 2 have the same key: "Name"'],
    ] as const)('%s, also with Keep', ([, items, error]) => ({
      ...{ run: keep, items, ...refused, error },
      // Else n8n shows "[item 0]" behind a refusal of the whole list.
      after: (_, result) => expect(result.error?.context?.itemIndex).toBeUndefined(),
    })),
    'a key that two records have': {
      ...{ ...recordsOf('Bolt', 'Bolt', 'Nut', 'Nut', 'Cap'), run: keep, items: named('Nut'), ...refused },
      error: /^2 records have the key of item 0, "Name" \(ID \d+\) = "Nut": 3, 4$/,
    },
    'not two records alike without an item': {
      ...{ ...recordsOf('Bolt', 'Bolt', 'Nut', 'Nut', 'Cap'), run: keep, items: named('Cap') },
      output: [{ id: '5', outcome: 'updated' }],
    },
    'a hidden key part': {
      ...{ rights: { parts: { Name: 'none' } }, run: keep, items: named('Bolt'), ...refused },
      error: /^The record 1 does not show "Name"/,
    },
    // What is nearly the same: test/unit/parts/values/likeness.test.ts.
    'a record to remove whose key is nearly that of an item': {
      ...{ items: named('bolt', ...NAMES.slice(1)), ...refused },
      error: 'the key of record 1, "Bolt", is nearly the same as that of an item, "bolt"',
    },
    'not with Keep': { run: keep, items: named('bolt', ...NAMES.slice(1)), sent: { insert_data: 1 } },
    'nor among items, and for records that stay or have an item': {
      ...{ ...recordsOf('bolt', 'BOLT', 'Nut', 'nut', 'Cap'), run: { ...most, ...without('equals', 'Cap') } },
      items: named('bolt', 'Bolt', 'Nut', 'NUT'),
      outcomes: ['updated', 'created', 'updated', 'created', 'deleted'],
      left: ['1', '2', '3', '4', '6', '7'],
    },
  });
});

describe('reading all of them', () => {
  const LISTS = [
    ...[http(500, 'list_data'), ng('list_data'), http(500, 'count_data'), ng('get_app', { skip: 1 })],
    ng('list_data', { errorno: -110, message: 'W:no matching data [W110]' }),
  ];
  cases({
    ...each(LISTS)('what cannot be read ends the run: %s', (fault) => ({
      ...{ faults: [fault], items: rest, ...refused, error: /./ },
    })),
    'an application that is not running afterwards': {
      meanwhile: [
        { action: 'count_data', when: 'after' },
        ({ sandbox, app }) => sandbox.changeApplication(app.id, { status: 'maintenance' }),
      ],
      ...{ items: rest, ...refused, error: /is not running|The service refused/ },
    },
  });
});

describe('which records may be removed', () => {
  const both = {
    filters: { condition: ['Bolt', 'Nut'].map((value) => ({ part: 'Name', operator: 'equals', value })) },
  };
  cases({
    'only those that meet the conditions, as the node checks them': {
      before: async () => await place.change({ Price: '5' }),
      ...{ run: { ...most, ...without('gt', '4', 'Price') }, items: named('Axe') },
      shows: [{ outcome: 'updated' }, { id: '1', outcome: 'deleted', Name: 'Bolt' }],
      hints: ['1 updated, 1 removed, 6 kept'],
      after: async () =>
        expect((await place.sent('list_data')).every(({ filter }) => filter === undefined)).toBe(true),
    },
    'not with all of several': { run: { ...most, ...both }, items: named('Axe'), outcomes: ['updated'] },
    'with any of several': {
      ...{ run: { ...most, match: 'any', ...both }, items: named('Axe') },
      ...{ outcomes: ['updated', 'deleted', 'deleted'], left: ['3', '4', '5', '6', '7', '8'] },
    },
    'not because of a hidden part, and a hint says so': {
      rights: { parts: { Kind: 'none' } },
      ...{ run: { ...most, ...without('isNull', '', 'Kind') }, items: named('Axe'), outcomes: ['updated'] },
      hints: ['does not show part "Kind"', /7 kept$/],
    },
    ...each([{}, CONTINUE])('an operator of the service alone is refused: %s', (node) => ({
      run: {
        filters: { condition: [{ part: 'Name', operator: 'custom', customOperator: '!=', value: 'x' }] },
      },
      ...{ items: named(...NAMES), ...untouched, node },
      error: /^Filter 1: The operator "Custom" cannot be used here/,
    })),
  });
});
