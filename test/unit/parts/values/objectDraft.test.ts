import fc from 'fast-check';

import { Blanks, ObjectDraft } from '../../../../nodes/ApplicationDataService/parts/types/entries';

const entries = fc.uniqueArray(
  fc.tuple(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', '12', 'a "b"\n')), fc.string()),
  { selector: ([key]) => key },
);

function build(blanks: Blanks, list: readonly (readonly [string, string])[]): object {
  const draft = new ObjectDraft(blanks);
  for (const [key, value] of list) draft.set(key, value);
  return draft.build();
}

describe('ObjectDraft', () => {
  it('builds the same object as assigning key by key, whatever was built before', () => {
    fc.assert(
      fc.property(fc.array(entries, { maxLength: 30 }), (objects) => {
        const blanks = new Blanks();
        for (const list of [...objects, ...objects]) {
          const built = build(blanks, list);
          expect(Object.entries(built)).toEqual(Object.entries(Object.fromEntries(list)));
          expect(Object.getPrototypeOf(built)).toBe(Object.prototype);
        }
      }),
    );
  });

  it('gives each object its own values', () => {
    const blanks = new Blanks();
    const first = build(blanks, [['Name', 'Acme']]);
    const second = build(blanks, [['Name', 'Bolt']]);
    expect([first, second, build(blanks, [])]).toEqual([{ Name: 'Acme' }, { Name: 'Bolt' }, {}]);
  });
});
