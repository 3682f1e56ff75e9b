import { each, itemsIn, ng, testTable } from './support/table';
import { itemsOf, useWorkplace, type RunSettings } from './support/workplace';

const place = useWorkplace(null);

const updated = { id: '1', outcome: 'updated' };
const unchanged = { id: '1', outcome: 'unchanged' };
const skip = { skipUnchanged: true };
const base = { operation: 'update', recordId: '1' };
const namesSent = async () =>
  (await place.sent('update_data')).map((sent) => Object.keys(sent).filter((name) => name.startsWith('{{')));

describe('requests and output', () => {
  const same = { Name: 'Bolt', Price: '1,200.0', Colours: 'blue\nred', Due: '2026-03-01T23:00' };
  const full = {
    records: [
      {
        ...{ Name: 'Bolt', Price: '7', Colours: ['red'], Owner: ['1001'], Lines: [{ Item: 'a' }] },
        Photo: ['a.txt', 'b.txt'].map((name) => ({ name, text: 'x' })),
      },
    ],
  };
  testTable(place, base, {
    'an overwrite is one request for each record, under revision 0, with only the mapped parts': {
      run: { recordId: '={{ $json.id }}', values: { Name: '={{ $json.n }}', Price: '={{ null }}' } },
      items: itemsIn('id n', '1 A, 2 B'),
      output: [updated, { ...updated, id: '2' }],
      sent: { get_app: 1, get_data: 0 },
      stored: [{ Name: 'A', Colours: ['red', 'blue'] }, { Name: 'B' }],
      after: async () => {
        expect((await place.sent('update_data'))[0]).toEqual({
          ...{ action: 'update_data', app_id: place.app.id, data_id: '1', '{{revision}}': '0' },
          ...{ '{{Name}}': 'A', '{{Price}}': '' },
        });
        expect((await place.storedAt())?.values).not.toHaveProperty('Price');
      },
    },
    'Skip Unchanged sends nothing if nothing differs': {
      ...{ run: { values: same, options: skip }, output: [unchanged], sent: { update_data: 0 } },
    },
    'Skip Unchanged sends only what differs': {
      ...{ run: { values: { ...same, Kind: 'Nut' }, options: skip }, output: [updated] },
      after: async () => expect(await namesSent()).toEqual([['{{revision}}', '{{Kind}}']]),
    },
    'Parts to Empty empties every kind of part': {
      application: full,
      run: {
        values: { Name: 'Screw' },
        options: { partsToEmpty: ['Price', 'Colours', 'Owner', 'Photo', 'Lines'] },
      },
      output: [updated],
      after: async () => expect((await place.storedAt())?.values).toEqual({ Name: 'Screw', Double: '0' }),
    },
    'Parts to Empty empties a table part that is given without rows': {
      application: full,
      run: { values: { Lines: [] }, options: { partsToEmpty: ['Lines'] } },
      output: [updated],
      after: async () => expect((await place.storedAt())?.values).not.toHaveProperty('Lines'),
    },
    ...each([
      ['Name', /"Name" \(ID \d+\) has a value, but is also one of the parts to empty/],
      ['Done By', /"Done By".*it is read-only/],
    ] as const)('Parts to Empty refuses %s', ([part, error]) => ({
      run: { values: { Name: 'x' }, options: { partsToEmpty: `={{ "${part}" }}` } },
      ...{ error, sent: { update_data: 0 } },
    })),
    'Return Record outputs the record after the write': {
      run: { values: { Price: 3 }, options: { returnRecord: true } },
      shows: [{ revision: 2, Price: 3, Double: 6 }],
      after: async (_, { json }) => expect(json).toEqual([{ ...(await place.read()), outcome: 'updated' }]),
    },
  });

  test('a record as read can be written back, and that changes nothing', async () => {
    const [record] = full.records;
    await place.open({ records: [{ ...record, Seen: '2026-03-01T09:30', Note: 'a\n"b"' }] });
    const before = await place.storedAt();
    const input = itemsOf(await place.read());
    const written = await place.update({ values: null }, { input });
    expect([written.json, written.hints.length]).toEqual([[updated], 1]);
    expect(await place.storedAt()).toMatchObject({ revision: 2, values: before?.values });
    expect((await place.update({ values: null, options: skip }, { input })).json).toEqual([unchanged]);
    expect((await place.storedAt())?.revision).toBe(2);
  });
});

describe('what is refused before anything is sent', () => {
  const name = { Name: 'x' };
  const BAD: [string, RunSettings, RegExp][] = [
    ['no value', { values: {} }, /^There is no value to write$/],
    ['an empty revision', { values: name, conflictPolicy: 'fail', revision: '' }, /^The revision is empty$/],
    [
      'no revision in the item',
      { values: name, conflictPolicy: 'skip', revision: '={{ $json.revision }}' },
      /^The revision is empty$/,
    ],
    ['revision 0', { values: name, conflictPolicy: 'merge', revision: '0' }, /^"0" is not a valid revision$/],
    [
      'a merge of automatic values',
      { values: null, conflictPolicy: 'merge', revision: '1' },
      /^Merge does not work with Map Automatically$/,
    ],
  ];
  testTable(place, base, {
    ...each(BAD)('%s', ([, run, error]) => ({ run, error, item: 0, actions: ['get_app'] })),
    ...each([{ revision: 'x' }, null, undefined])('a part with the key of the revision: %s', (values) => ({
      application: {
        parts: ['revision', 'Name'].map((part) => ({ name: part, type: 'textbox' })),
        records: [{ Name: 'x' }],
      },
      run: {
        values,
        ...(values === undefined && { values: { Name: 'y' }, options: { partsToEmpty: ['revision'] } }),
      },
      items: [{ 'revision (part)': 'x', Name: 'y' }],
      ...{ error: 'takes its key "revision" for the revision of the record', sent: { update_data: 0 } },
    })),
  });
});

testTable(place, base, {
  'what the service refuses although the record contains it already is told as it says': {
    run: { values: { Name: 'Bolt' }, conflictPolicy: 'fail', revision: '1' },
    ...{ faults: [ng('update_data', { message: 'Locked' })], error: /^The service refused: Locked/ },
  },
});

describe('Dry Run', () => {
  const dryRun = { dryRun: true };
  const planned = { ...base, options: dryRun };
  testTable(place, planned, {
    'shows what would be sent and what would change, and sends nothing': {
      run: {
        values: { Name: 'Screw', Price: '1,200', Kind: '={{ null }}', Colours: 'red' },
        ...{ conflictPolicy: 'fail', revision: '1' },
      },
      sent: { update_data: 0 },
      after: (_, { json }) => {
        const request = {
          ...{ action: 'update_data', app_id: place.app.id, data_id: '1', '{{revision}}': '1' },
          ...{ '{{Name}}': 'Screw', '{{Price}}': '1200', '{{Kind}}': '', '{{Colours}}': 'red' },
        };
        const Colours = { from: ['red', 'blue'], to: ['red'] };
        const changes = { Name: { from: 'Bolt', to: 'Screw' }, Colours };
        expect(json).toEqual([{ ...updated, ...dryRun, request, changes }]);
      },
    },
    'shows a part that is hidden as empty': {
      rights: { parts: { Note: 'none' } },
      ...{ run: { values: { Note: 'x' } }, shows: [{ changes: { Note: { from: null, to: 'x' } } }] },
    },
    'says that nothing would be sent': {
      run: { values: { Name: 'Bolt' }, options: skip },
      output: [{ ...unchanged, ...dryRun }],
    },
    'says that it would be a conflict': {
      before: async () => await place.change({ Price: '1' }),
      run: { values: { Name: 'x' }, conflictPolicy: 'skip', revision: '1' },
      output: [{ id: '1', outcome: 'conflict', ...dryRun }],
    },
  });
});
