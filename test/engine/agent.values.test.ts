import { each, fromModel, testAgent, WAYS, type Arguments } from './support/agent';
import { like } from './support/like';
import { mapped } from './support/saved';
import { GOODS_PARTS, useWorkplace, type RunSettings } from './support/workplace';

const LINES = [
  { Item: 'x', Qty: '1' },
  { Item: 'y', Qty: '2' },
];
const FULL = {
  ...{ Name: 'Bolt', Price: '1200', Colours: ['red'], Due: '2026-03-01', Owner: ['1001'], Lines: LINES },
  ...{ Note: 'Handle with care', Photo: [{ name: 'a.txt', text: 'a' }] },
};
const place = useWorkplace(null);

/** Every part filled in by the model. */
const everyPart = Object.fromEntries(Object.keys(FULL).map((name) => [name, fromModel(name, name)]));
const updated = [{ id: '1', outcome: 'updated' }];
const failed = (message: RegExp) => [{ error: like(message) }];
const noValue = failed(/^There is no value to write\. /);
const MODES = ['merge', 'replace'];
const mode = (tableRowMode: string): RunSettings => ({ values: everyPart, options: { tableRowMode } });
const rows = { values: { Lines: fromModel('rows', 'Rows', 'json') } };
const blank = { id: null, Item: '', Qty: null };
const emptied = { partsToEmpty: fromModel('empty', 'Names of parts to empty, between commas') };

/** Only the name changes. */
const onlyName = (run: RunSettings, says: Arguments) => {
  let before: object | undefined;
  return {
    ...{ run, says: [{ Name: 'New', ...says }], answers: [updated] },
    before: async () => void (before = (await place.storedAt())?.values),
    after: async () => expect((await place.storedAt())?.values).toEqual({ ...before, Name: 'New' }),
  };
};
const parts = (value: unknown) => ({ parts: mapped(value) });

testAgent(
  place,
  { operation: 'update', recordId: '1', values: everyPart },
  {
    // What counts as empty: test/unit/parts/values/given.test.ts.
    ...each(MODES.flatMap((one) => [undefined, 'null', '[]'].map((empty) => [one, empty] as const)))(
      'with %s, parts that the model leaves empty stay: %s',
      ([one, empty]) => {
        const others = Object.keys(FULL).filter((name) => name !== 'Name');
        return onlyName(mode(one), Object.fromEntries(others.map((name) => [name, empty])));
      },
    ),
    ...each(MODES.flatMap((one) => [[blank], JSON.stringify([blank, {}])].map((Lines) => ({ one, Lines }))))(
      'so do rows if those of the model have no values: %s',
      ({ one, Lines }) => onlyName(mode(one), { Lines, Colours: [''], Owner: [{ id: '' }] }),
    ),
    ...each(MODES)('a row without values is left out: %s', (one) => ({
      run: mode(one),
      says: [{ Lines: [blank, { id: '1', Item: 'z' }, { id: '2' }, blank] }],
      stored: [{ Lines: [{ Item: 'z', Qty: '1' }, LINES[1]!] }, {}],
    })),
    'parts of a row that the model leaves empty stay': {
      run: rows,
      says: [{ rows: '[{"id":"1","Item":null,"Qty":5},{"id":"null","Item":"new","Qty":""}]' }],
      stored: [{ Lines: [{ Item: 'x', Qty: '5' }, LINES[1]!, { Item: 'new' }] }, {}],
    },
    'rows without values create no record': {
      run: { operation: 'create', ...rows },
      says: [{ rows: [{ Item: '', Qty: null }] }, { rows: '[{}]' }],
      ...{ answers: [noValue, noValue], sent: { insert_data: 0 } },
    },
    'a call without any values is refused': {
      ...{ says: [{ Name: '', Price: null }], answers: [noValue], sent: { update_data: 0 } },
    },
    'a part is emptied by naming it': {
      run: { values: { Name: fromModel('Name', 'Name') }, options: emptied },
      says: [
        { Name: '', empty: 'Note, Price' },
        { Name: 'B', empty: '' },
        { Name: 'C', empty: 'all' },
      ],
      answers: [updated, updated, failed(/"all"/)],
      stored: [{ Name: 'B', Due: '2026-03-01' }, {}],
      after: async () =>
        expect(Object.keys((await place.storedAt())!.values)).not.toEqual(
          expect.arrayContaining([like(/^(Note|Price)$/)]),
        ),
    },
    'all values can be in one object': {
      run: { ...parts(fromModel('values', 'By part name', 'json')), values: undefined as never },
      says: [{ values: { Name: 'B', Note: null } }],
      ...{ answers: [updated], stored: [{ Name: 'B', Note: 'Handle with care' }, {}] },
    },
    'the remedy is in the message, once': {
      ...{ ways: WAYS, run: { operation: 'get', recordId: '77' }, says: [{}] },
      answers: [failed(/^(?!.*Details:).*77.*\. .*\./s)],
    },
  },
  { application: { parts: GOODS_PARTS, records: [FULL, { Name: 'Nut' }] } },
);
