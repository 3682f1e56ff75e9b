import { rowOf } from './support/rows';
import { each, testTable } from './support/table';
import { useWorkplace, type RunSettings } from './support/workplace';
import { each as eachStory, testStories, useDesk } from './support/story';
import { add } from './support/storyActs';
import { gives, poll } from './support/storyPolls';

/** No record shows that identifiers are the keys of parts. */
const EMPTY = {
  ...{ partIdentifierMode: true, systemIdentifiers: { id: 'record_id' }, records: [] },
  parts: [
    { name: 'Name', type: 'textbox', identifier: 'name' },
    { name: 'Price', type: 'number', identifier: 'price' },
  ],
};
const place = useWorkplace(null);

/** A service in identifier mode may refuse a `field_name`. */
const namesNone = async () => {
  const named = (await place.sandbox.log()).flatMap(({ parameters }) => parameters.map(([name]) => name));
  expect(named).not.toContain('fields');
};
const byPrice = { filters: { condition: [{ part: 'Price', operator: 'gt', value: '1' }] } };
const keyword = { options: { keyword: 'bolt', keywordParts: ['Name'] } };
const ROWS: [string, RunSettings, object[]][] = [
  ['getAll', { options: { partsToReturn: ['Name'] } }, []],
  ['getAll', { match: 'any', ...byPrice }, []],
  ['getAll', keyword, []],
  ['count', keyword, [{ count: 0 }]],
  ['count', byPrice, [{ count: 0 }]],
  ['export', { format: 'ndjson' }, [{ count: 0 }]],
  ['delete', { recordId: '7' }, [{ deleted: false, ids: [], notFound: ['7'], outcome: 'notFound' }]],
];

testTable(
  place,
  'getAll',
  {
    ...each(ROWS)('%s names no parts while the key mode is unknown: %s', ([operation, settings, output]) => ({
      run: { operation, ...settings },
      output,
      after: namesNone,
    })),
    'the first record of a list shows the key mode': {
      meanwhile: [
        { action: 'list_data', skip: 1, times: 1 },
        ({ sandbox, app }) => sandbox.addRecords(app.id, [{ Name: 'bolt', Price: '3' }]),
      ],
      error: 'The application "Goods" received its first record while it was being read',
      after: async () =>
        expect((await place.run('getAll', {})).json).toMatchObject([{ name: 'bolt', price: 3 }]),
    },
  },
  { application: EMPTY },
);

/** Every key of a row is the name of one part and the identifier of another. */
const children = [
  { name: 'Mark', identifier: 'Row ID', type: 'textbox' },
  { name: 'Code', identifier: 'Count', type: 'textbox' },
  { name: 'Count', identifier: 'Code', type: 'number' },
];
const [first, second] = [
  { Mark: '2', Code: '0012', Count: '5' },
  { Mark: '1', Code: '0013', Count: '6' },
];
const CROSSED = {
  ...{ partIdentifierMode: true, systemIdentifiers: { id: 'no' } },
  parts: [{ name: 'Lines', identifier: 'lines', type: 'input_list', children }],
  records: [{ Lines: [first, second] }],
};
const then = (...rows: object[]) => ({
  after: async () => expect((await place.storedAt())?.values.Lines).toMatchObject(rows),
});

testTable(
  place,
  rowOf(null, { rowId: '2' }),
  {
    'rows are read by the identifiers of their parts': {
      run: { operation: 'getAll' },
      shows: [
        { id: '1', 'Row ID': '2', Count: '0012', Code: 5 },
        { id: '2', 'Row ID': '1', Count: '0013', Code: 6 },
      ],
    },
    'the named row changes, and others keep their values': {
      ...{ run: { operation: 'update' }, items: [{ Code: 9 }], ...then(first, { ...second, Count: '9' }) },
    },
    'the named row is deleted': { run: { operation: 'delete' }, ...then(first) },
  },
  { application: CROSSED, dialect: { rowIds: 'part' } },
);

testStories(
  useDesk(),
  eachStory([{}, { watchParts: ['Price'] }, keyword])(
    'a trigger waits for the first record without naming parts, and then reports it: %s',
    (parameters) => ({
      ...{ application: EMPTY, parameters },
      steps: [
        poll(),
        ({ trigger }) => expect(trigger.calls.filter(({ form }) => form.has('fields'))).toEqual([]),
        [add({ Name: 'bolt', Price: '3' }), gives({ event: 'created', name: 'bolt', price: 3 })],
      ],
    }),
  ),
);
