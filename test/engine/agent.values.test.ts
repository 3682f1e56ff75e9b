import { agentOf, fromModel, runAgent, WAYS, type Arguments } from './support/agent';
import { GOODS_PARTS, useWorkplace } from './support/workplace';

const FULL = {
  Name: 'Bolt',
  Price: '1200',
  Colours: ['red'],
  Due: '2026-03-01',
  Owner: ['1001'],
  Note: 'Handle with care',
  Photo: [{ name: 'a.txt', text: 'a' }],
  Lines: [
    { Item: 'x', Qty: '1' },
    { Item: 'y', Qty: '2' },
  ],
};

const place = useWorkplace({ parts: GOODS_PARTS, records: [FULL, { Name: 'Nut' }] });

const NAMES = ['Name', 'Price', 'Colours', 'Due', 'Owner', 'Note', 'Photo', 'Lines'];

/** Every part filled in by the model. */
const everyPart = Object.fromEntries(NAMES.map((name) => [name, fromModel(name, name)]));
const stored = async (index = 0) => (await place.stored())[index]?.values;

const call = agentOf(place);

describe('a part that the model leaves empty keeps its value', () => {
  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['an empty text', ''],
    ['the word null', 'null'],
    ['the word undefined', 'undefined'],
    ['an empty list', []],
    ['an empty list as text', '[]'],
  ])('%s', async (_, empty) => {
    const before = await stored();
    const others: Arguments = Object.fromEntries(
      NAMES.filter((name) => name !== 'Name').map((name) => [name, empty]),
    );
    for (const tableRowMode of ['merge', 'replace']) {
      const answers = await call(
        'update',
        { recordId: '1', values: everyPart, options: { tableRowMode } },
        { Name: `New ${tableRowMode}`, ...others },
      );
      expect(answers).toEqual([[{ id: '1', outcome: 'updated' }]]);
      expect(await stored()).toEqual({ ...before, Name: `New ${tableRowMode}` });
    }
  });

  test('the same in rows of a table', async () => {
    const rows = JSON.stringify([
      { id: '1', Item: null, Qty: 5 },
      { id: 'null', Item: 'new', Qty: '' },
    ]);
    await call('update', { recordId: '1', values: { Lines: fromModel('rows', 'Rows') } }, { rows });
    expect((await stored())?.Lines).toMatchObject([
      { Item: 'x', Qty: '5' },
      { Item: 'y', Qty: '2' },
      { Item: 'new' },
    ]);
  });

  test.each(['merge', 'replace'])('the same in a row without values: %s', async (tableRowMode) => {
    const before = await stored();
    const settings = { recordId: '1', values: everyPart, options: { tableRowMode } };
    const blank = { id: null, Item: '', Qty: null };
    const lists = [[blank], JSON.stringify([blank, {}]), [{ id: 'null', Item: [], Qty: ' ' }]];
    for (const Lines of lists) {
      const says = { Name: 'New', Lines, Colours: [''], Owner: [{ id: '' }] };
      expect(await call('update', settings, says)).toEqual([[{ id: '1', outcome: 'updated' }]]);
      expect(await stored()).toEqual({ ...before, Name: 'New' });
    }
    await call('update', settings, { Lines: [blank, { id: '1', Item: 'z' }, { id: '2' }, blank] });
    expect((await stored())?.Lines).toMatchObject([
      { Item: 'z', Qty: '1' },
      { Item: 'y', Qty: '2' },
    ]);
    expect((await stored())?.Lines).toHaveLength(2);
  });

  test('rows without values create no record', async () => {
    const values = { Lines: fromModel('rows', 'Rows', 'json') };
    const answers = await call('create', { values }, { rows: [{ Item: '', Qty: null }] }, { rows: '[{}]' });
    const refused = [{ error: expect.stringMatching(/^There is no value to write\. /) as string }];
    expect(answers).toEqual([refused, refused]);
    expect(await place.stored()).toHaveLength(2);
  });

  test('a call without any values is refused', async () => {
    const answers = await call('update', { recordId: '1', values: everyPart }, { Name: '', Price: null });
    expect(answers).toEqual([[{ error: expect.stringMatching(/^There is no value to write\. /) as string }]]);
    expect(await place.calls('update_data')).toHaveLength(0);
  });

  test('a part is emptied by naming it', async () => {
    const options = { partsToEmpty: fromModel('empty', 'Names of parts to empty, between commas') };
    const settings = { recordId: '1', values: { Name: fromModel('Name', 'Name') }, options };
    const answers = await call(
      'update',
      settings,
      { Name: '', empty: 'Note, Price' },
      { Name: 'B', empty: '' },
      { Name: 'C', empty: 'all' },
    );
    expect(answers).toEqual([
      [{ id: '1', outcome: 'updated' }],
      [{ id: '1', outcome: 'updated' }],
      [{ error: expect.stringMatching(/"all"/) as string }],
    ]);
    expect(await stored()).toMatchObject({ Name: 'B', Due: '2026-03-01' });
    expect([(await stored())?.Note, (await stored())?.Price]).toEqual([undefined, undefined]);
  });

  test('all values can be in one object', async () => {
    const saved = place.parameters('update', { recordId: '1', values: {} });
    const parts = { ...(saved.parts as object), value: fromModel('values', 'By part name', 'json') };
    const { answers } = await runAgent(place.sandbox, 'engine', { ...saved, parts }, [
      { values: { Name: 'B', Note: null } },
    ]);
    expect(answers).toEqual([[{ id: '1', outcome: 'updated' }]]);
    expect(await stored()).toMatchObject({ Name: 'B', Note: 'Handle with care' });
  });
});

describe('errors tell the model what to do instead', () => {
  test('a value that is not valid', async () => {
    const answers = await call('create', { values: { Price: fromModel('v', 'x') } }, { v: 'cheap' });
    expect(answers).toEqual([[{ error: expect.stringMatching(/Price.*number/s) as string }]]);
  });

  test.each(WAYS)('the remedy is in the message, once, called by "%s"', async (way) => {
    const { answers } = await runAgent(place.sandbox, way, place.parameters('get', { recordId: '77' }), [{}]);
    const [[{ error }]] = answers as [[{ error: string }]];
    expect(error).toMatch(/77.*\. .*\./s);
    expect(error).not.toMatch(/Details:/);
  });
});
