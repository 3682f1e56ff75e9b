import { recordItem, recordPresenter } from '../../../nodes/ApplicationDataService/common/presentation';
import { triggerKey } from '../../../nodes/ApplicationDataService/parts/model/keys';
import { makePart } from '../parts/support/parts';

const parts = [
  makePart('id', { id: '1', name: 'No', identifier: 'no', system: true }),
  makePart('textbox', { id: '101', name: 'Title', identifier: 'title' }),
  makePart('number', { id: '102', name: 'Hours', identifier: 'hours' }),
  // Its identifier is another part's name.
  makePart('number', { id: '103', name: 'Price', identifier: 'Title' }),
];

const record = {
  '\\permissions': { allow_write: 'on' },
  revision: { val: '3', deny_write: 'on' },
  No: { val: '12' },
  Title: { val: 'Acme' },
  Hours: { val: '1.5' },
  Price: { val: '2' },
};

describe('recordPresenter', () => {
  it('returns every part if none is chosen', () => {
    expect(recordPresenter(parts, 'name', {})(record)).toEqual({
      id: '12',
      revision: 3,
      canWrite: true,
      Title: 'Acme',
      Hours: 1.5,
      Price: 2,
    });
  });

  it.each(['name', null] as const)(
    'returns only the chosen parts and keeps the id, keyed by %s',
    (keyMode) => {
      const present = recordPresenter(parts, keyMode, { partsToReturn: ['Hours'] });
      expect(present(record)).toMatchObject({ id: '12', revision: 3, canWrite: true, Hours: 1.5 });
      expect(present(record)).not.toHaveProperty('Price');
    },
  );

  it('distinguishes a name from the identifier of another part', () => {
    const present = recordPresenter(parts, 'name', { partsToReturn: ['Price'] });
    expect(present(record)).toEqual({ id: '12', revision: 3, canWrite: true, Price: 2 });
  });

  it('reduces raw records to the parts, and changes nothing else', () => {
    const present = recordPresenter(parts, 'name', { simplify: false, partsToReturn: ['102'] });
    const raw = present(record);
    expect(Object.keys(raw)).toEqual(['\\permissions', 'revision', 'No', 'Hours']);
    expect(raw.Hours).toBe(record.Hours);
    expect(recordPresenter(parts, 'name', { simplify: false })(record)).toEqual(record);
  });

  it('does not change the record that it receives', () => {
    const before = structuredClone(record);
    recordPresenter(parts, 'name', { partsToReturn: ['101'] })(record);
    expect(record).toEqual(before);
  });

  it('refuses parts that do not exist or are not returned', () => {
    const options = (partsToReturn: string[]) => ({ partsToReturn });
    expect(() => recordPresenter(parts, null, options(['Nope']))).toThrow('There is no part "Nope"');
    const [id, title] = parts;
    const nameless = [...(id && title ? [id, title] : []), makePart('textbox', { name: 'Plain' })];
    expect(() => recordPresenter(nameless, 'identifier', options(['Plain']))).toThrow(/no part identifier/);
    expect(() => recordPresenter(nameless, null, options(['Plain']))).not.toThrow();
  });
});

test('a part that is called like a key of the triggers has its value under another key only', () => {
  const item = recordItem({ id: '1', previous: 'x', revision: 3 }, { event: 'created', id: '1' }, triggerKey);
  expect(item).toEqual({ event: 'created', id: '1', 'previous (part)': 'x', revision: 3 });
});
