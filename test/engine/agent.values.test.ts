import { fromModel, testAgent, WAYS, type AgentRow, type Arguments } from './support/agent';
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
const failed = (message: RegExp) => [{ error: expect.stringMatching(message) as string }];
const noValue = failed(/^There is no value to write\. /);
const MODES = ['merge', 'replace'];
const mode = (tableRowMode: string): RunSettings => ({ values: everyPart, options: { tableRowMode } });
const rows = { values: { Lines: fromModel('rows', 'Rows', 'json') } };
const blank = { id: null, Item: '', Qty: null };
const emptied = { partsToEmpty: fromModel('empty', 'Names of parts to empty, between commas') };

/** Only the name changes. */
const named = (name: string, run: RunSettings, says: Arguments): AgentRow => {
  let before: object | undefined;
  return {
    ...{ name, run, says: [{ Name: 'New', ...says }], answers: [updated] },
    before: async () => void (before = (await place.storedAt())?.values),
    after: async () => expect((await place.storedAt())?.values).toEqual({ ...before, Name: 'New' }),
  };
};
const parts = (value: unknown) => ({
  parts: { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] },
});

testAgent(
  place,
  { operation: 'update', recordId: '1', values: everyPart },
  [
    // What counts as empty: test/unit/parts/values/given.test.ts.
    ...MODES.flatMap((each) => [
      ...[undefined, 'null', '[]'].map((empty) => {
        const others = Object.keys(FULL).filter((name) => name !== 'Name');
        const says = Object.fromEntries(others.map((name) => [name, empty]));
        return named(`parts that the model leaves empty as ${empty} stay: ${each}`, mode(each), says);
      }),
      ...[[blank], JSON.stringify([blank, {}])].map((Lines) =>
        named(`so do rows if those of the model have no values: ${each}`, mode(each), {
          ...{ Lines, Colours: [''], Owner: [{ id: '' }] },
        }),
      ),
      {
        name: `a row without values is left out: ${each}`,
        run: mode(each),
        says: [{ Lines: [blank, { id: '1', Item: 'z' }, { id: '2' }, blank] }],
        stored: [{ Lines: [{ Item: 'z', Qty: '1' }, LINES[1]!] }, {}],
      },
    ]),
    {
      name: 'parts of a row that the model leaves empty stay',
      run: rows,
      says: [{ rows: '[{"id":"1","Item":null,"Qty":5},{"id":"null","Item":"new","Qty":""}]' }],
      stored: [{ Lines: [{ Item: 'x', Qty: '5' }, LINES[1]!, { Item: 'new' }] }, {}],
    },
    {
      name: 'rows without values create no record',
      run: { operation: 'create', ...rows },
      says: [{ rows: [{ Item: '', Qty: null }] }, { rows: '[{}]' }],
      ...{ answers: [noValue, noValue], sent: { insert_data: 0 } },
    },
    {
      name: 'a call without any values is refused',
      ...{ says: [{ Name: '', Price: null }], answers: [noValue], sent: { update_data: 0 } },
    },
    {
      name: 'a part is emptied by naming it',
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
          expect.arrayContaining([expect.stringMatching(/^(Note|Price)$/)]),
        ),
    },
    {
      name: 'all values can be in one object',
      run: { ...parts(fromModel('values', 'By part name', 'json')), values: undefined as never },
      says: [{ values: { Name: 'B', Note: null } }],
      ...{ answers: [updated], stored: [{ Name: 'B', Note: 'Handle with care' }, {}] },
    },
    {
      name: 'the remedy is in the message, once',
      ...{ ways: WAYS, run: { operation: 'get', recordId: '77' }, says: [{}] },
      answers: [failed(/^(?!.*Details:).*77.*\. .*\./s)],
    },
  ],
  { application: { parts: GOODS_PARTS, records: [FULL, { Name: 'Nut' }] } },
);
