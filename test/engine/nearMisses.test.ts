import type { INodeParameters } from 'n8n-workflow';

import { itemsOf, useWorkplace, type RunSettings } from './support/workplace';

const place = useWorkplace({
  records: [
    { Name: 'Bolt', Price: '1' },
    { Name: 'Birch & Sons', Price: '2' },
    { Name: 'Ｎｕｔ  M8', Price: '3' },
  ],
});

type Filter = Readonly<Record<string, string>>;

const all = (...condition: readonly Filter[]): INodeParameters => ({
  returnAll: true,
  filters: { condition } as unknown as INodeParameters,
});
const any = (...conditions: readonly Filter[]): INodeParameters => ({ ...all(...conditions), match: 'any' });
const name = (operator: string, value: string): Filter => ({ part: 'Name', operator, value });

async function near(operation: string, settings: RunSettings, input = itemsOf({})): Promise<string[]> {
  const { error, hints } = await place.run(operation, settings, { input });
  expect(error).toBeUndefined();
  return hints.map(({ message }) => message).filter((message) => message.includes(' but record '));
}

const said = (operator: string, sought: string, id: string, held: string): string =>
  `Nothing was found with "${operator}" "${sought}" in part "Name" (ID 101), but record ${id} has "${held}": case, width and spaces count`;

describe('a text condition that finds nothing names what it just missed', () => {
  test.each([
    ['startsWith', 'birch', 'Starts With', '2', 'Birch & Sons'],
    ['startsWith', '  Birch', 'Starts With', '2', 'Birch & Sons'],
    ['endsWith', 'SONS', 'Ends With', '2', 'Birch & Sons'],
    ['endsWith', 'ｓｏｎｓ', 'Ends With', '2', 'Birch & Sons'],
    ['oneOf', 'Pin\nNut M8', 'Is One Of', '3', 'Ｎｕｔ  M8'],
  ])('%s %j', async (operator, value, label, id, held) => {
    const expected = [said(label, value.split('\n').at(-1) ?? '', id, held)];
    for (const operation of ['getAll', 'count', 'export']) {
      expect(await near(operation, all(name(operator, value)))).toEqual(expected);
    }
  });

  test.each([
    ['another record is found', all(name('startsWith', 'B'))],
    ['another value is', all(name('oneOf', 'bolt\nBolt'))],
    [
      'the record misses another condition',
      all(name('startsWith', 'birch'), { part: 'Price', operator: 'gt', value: '5' }),
    ],
    ['nothing is like it', all(name('startsWith', 'larch'))],
    ['the opposite is asked', all(name('notContains', 't'), name('notContains', 'Sons'))],
  ])('not where %s', async (_, settings) => {
    expect(await near('getAll', settings)).toEqual([]);
  });

  test('and where any condition is enough, of each that finds nothing', async () => {
    const settings = any(name('startsWith', 'birch'), name('endsWith', 't'));
    expect(await near('getAll', settings)).toEqual([said('Starts With', 'birch', '2', 'Birch & Sons')]);
  });

  test('costs no call', async () => {
    await near('getAll', all(name('startsWith', 'birch')));
    const found = await place.actions();
    await near('getAll', all(name('startsWith', 'larch')));
    expect((await place.actions()).slice(found.length)).toEqual(found);
  });
});

describe.each(['upsert', 'sync'])(
  'a key of %s that no record has names the record that it just missed',
  (operation) => {
    const keyed = (Name: string): RunSettings => ({ values: { Name, Price: '8' }, matchBy: ['Name'] });

    test.each([
      ['birch & sons', '2', 'Birch & Sons'],
      ['Birch  &  Sons ', '2', 'Birch & Sons'],
      ['Nut M8', '3', 'Ｎｕｔ  M8'],
    ])('%j', async (key, id, held) => {
      for (const options of [{ dryRun: true }, {}]) {
        expect(await near(operation, { ...keyed(key), options })).toEqual([
          `No record has "${key}" in "Name" (ID 101), but record ${id} has "${held}": case, width, spaces and the form of numbers count`,
        ]);
      }
    });

    test.each(['Birch & Sons', 'Larch & Sons'])('not with %j', async (key) => {
      expect(await near(operation, keyed(key))).toEqual([]);
    });
  },
);

test('and so does a filter of Sync that spares every record', async () => {
  const settings = {
    ...{ values: { Name: 'Bolt', Price: '1' }, matchBy: ['Name'], missing: 'delete' },
    filters: { condition: [name('equals', 'birch & sons')] } as unknown as INodeParameters,
  };
  expect(await near('sync', settings)).toEqual([said('Equals', 'birch & sons', '2', 'Birch & Sons')]);
});
