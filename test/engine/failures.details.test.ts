import { partsOf } from '../support/parts';
import { anyText, like } from './support/like';
import { LINES, rowOf } from './support/rows';
import { CONTINUE, each, http, ng, testTable, type Row, type Rows } from './support/table';
import { type RunSettings, useWorkplace } from './support/workplace';

const place = useWorkplace(null);

const APPLICATION = {
  parts: [
    ...partsOf({ Name: 'textbox', Price: 'number', Owner: 'users' }),
    { name: 'Total', type: 'number', readonly: true },
    { name: 'Photo', type: 'files' },
    LINES,
  ],
  records: [
    { Name: 'Order', Lines: [{ Item: 'a', Qty: '1' }], Photo: [{ name: 'a.png', text: 'x' }] },
    { Name: 'Empty' },
  ],
} as const;
const rows = (base: RunSettings, list: Rows, common: Row = {}): void =>
  testTable(place, { recordId: '1', ...base }, list, { application: APPLICATION, ...common });
const RETURN = { values: { Price: 4 }, options: { returnRecord: true } };
const FAIL = { options: { failIfNotFound: true } };

rows(
  { operation: 'update', ...rowOf({ Qty: 9 }, { rowId: '={{ $json.r }}', ...FAIL }) },
  {
    'an item whose row does not exist is not told as written together with the others of its record': {
      error: 'has no row 99',
      advice: 'Written, with their IDs: items 0 (1).',
    },
    'it is not done': {
      node: CONTINUE,
      output: [
        { recordId: '1', rowId: '1', outcome: 'updated' },
        {
          error: like('has no row 99'),
          details: { outcome: 'notDone', ids: ['1'], hint: like('turn off "Fail If Not Found"') },
        },
      ],
    },
  },
  { items: [{ r: '1' }, { r: '99' }] },
);

rows(
  { operation: 'update' },
  {
    ...each([
      ['create', '3'],
      ['update', '1'],
    ])('what was written and refuses to be read is not refused: %s', ([operation, id]) => ({
      ...{ run: { operation, ...RETURN }, faults: [ng('get_data')] },
      output: [
        {
          error: like('could not be read afterwards'),
          details: { ids: [id], hint: like('do not repeat it') },
        },
      ],
    })),
    ...each([
      ['update', { values: { Price: 'many' }, recordId: '2' }, ['2']],
      ['get', { recordId: '98' }, ['98']],
      ['delete', { recordId: '98,99', ...FAIL }, ['98', '99']],
      ['upsert', { values: { Name: 'Order', Price: 1 }, matchBy: ['Name'] }, ['1']],
    ] satisfies [string, RunSettings, string[]][])('its records are named: %s', ([operation, run, ids]) => ({
      ...{ run: { operation, ...run }, faults: [http(400, 'update_data')] },
      shows: [{ details: { ids } }],
    })),
    'a conflict names its record': {
      before: async () => await place.change({ Price: '5' }),
      run: { values: { Price: 6 }, conflictPolicy: 'fail', revision: 1 },
      output: [{ error: anyText, details: { outcome: 'conflict', ids: ['1'], hint: like('') } }],
    },
    ...each([
      ['a part that does not accept it', { Price: 'much' }, 'Price', 'Accepted: '],
      ['a child part that does not exist', { Lines: [{ Itm: 1 }] }, 'Lines', 'Did you mean "Item"? '],
      ['a file that is not there', { Photo: 'nope' }, 'Photo', 'under "Binary" in the input'],
      ['two of them', { Price: 'much', Name: ['x'] }, undefined, '"Price": Accepted: '],
    ] as const)('a refused value names its part, and what to do: %s', ([, values, part, hint]) => ({
      run: { values },
      output: [
        {
          error: anyText,
          details: { outcome: 'notDone', ids: ['1'], ...(part && { part }), hint: like(hint) },
        },
      ],
    })),
  },
  { node: CONTINUE },
);

const byId = { rowId: '={{ $json.id }}' };
const photo = { resource: 'attachment', attachmentPart: 'Photo', attachmentIds: '={{ $json.id }}' };

describe.each<[string, RunSettings, string, string]>([
  ['Delete', { recordId: '={{ $json.id }}' }, 'Records', 'There is no record 99998 in Goods'],
  ['Table Row > Update', rowOf({ Item: 'b' }, byId), 'Rows', 'Record 1 has no row 99998 in "Lines"'],
  ['Table Row > Delete', rowOf(null, byId), 'Rows', 'Record 1 has no row 99998 in "Lines"'],
  ['Attachment > Delete', photo, 'Files', 'Record 1 has no file 99998 in "Photo"'],
])('%s of something missing', (name, run, what, refusal) => {
  const update = name.endsWith('Update');
  rows(
    { operation: update ? 'update' : 'delete', ...run },
    {
      'has the outcome notFound and is counted above the output': {
        outcomes: ['notFound', 'notFound'],
        hints: [`${what} not found, so there was nothing to ${update ? 'change' : 'delete'}: 2`],
      },
      'fails with Fail If Not Found': {
        ...{ run: FAIL, error: refusal, item: 0 },
        advice: 'Check the ID, or turn off "Fail If Not Found"',
      },
      'is an error of each item then': {
        ...{ run: FAIL, node: CONTINUE },
        shows: [{ error: like(refusal) }, { error: like('99999') }],
      },
    },
    { items: [{ id: '99998' }, { id: '99999' }] },
  );
});

rows(
  { operation: 'delete' },
  {
    'Fail If Not Found names several that are missing': {
      ...{ run: { recordId: '98,99', ...FAIL }, error: 'There are no records 98, 99 in Goods' },
    },
    'Fail If Not Found accepts items of which only some are missing': {
      run: { recordId: '1,99', ...FAIL },
      output: [{ deleted: true, ids: ['1'], notFound: ['99'], outcome: 'deleted' }],
      hints: ['Records not found, so there was nothing to delete: 1'],
    },
    'a dry run also says what would fail because something is missing': {
      run: { recordId: '99', options: { ...FAIL.options, dryRun: true } },
      error: /^There is no record 99 in Goods$/,
    },
  },
);
