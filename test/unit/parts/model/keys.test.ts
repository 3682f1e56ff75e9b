import fc from 'fast-check';

import {
  inputKey,
  outputKey,
  RESERVED_KEYS,
  triggerKey,
  withoutTriggerKeys,
} from '../../../../nodes/ApplicationDataService/parts/model/keys';

it.each([...RESERVED_KEYS])("%s is the node's own key, and marked as a part's name", (key) => {
  expect(inputKey(key)).toBeNull();
  expect(outputKey(key)).toBe(`${key} (part)`);
  expect(inputKey(`${key} (part)`)).toBe(key);
});

it.each(['Name', 'Id', 'ID', 'id ', 'Total (part)', '', '__proto__', 'constructor'])(
  '%j stays unchanged',
  (key) => {
    expect(outputKey(key)).toBe(key);
    expect(inputKey(key)).toBe(key);
  },
);

it("input reverses output, and no output key is the node's own", () => {
  const suffixes = fc.integer({ min: 0, max: 3 }).map((count) => ' (part)'.repeat(count));
  const key = fc
    .tuple(fc.oneof(fc.constantFrom(...RESERVED_KEYS), fc.string()), suffixes)
    .map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(key, (text) => {
      expect(RESERVED_KEYS.has(outputKey(text))).toBe(false);
      expect(inputKey(outputKey(text))).toBe(text);
    }),
  );
});

describe('keys of the triggers', () => {
  const keys = ['previous', 'url', 'applicationId', 'readError', 'sample'];

  it.each(keys)('%s names a part, and in the items of a trigger only if it is marked', (key) => {
    expect(outputKey(key)).toBe(key);
    expect(inputKey(key)).toBe(key);
    expect(triggerKey(key)).toBe(`${key} (part)`);
    const json = { event: 'updated', [key]: 'own', [`${key} (part)`]: 'value', other: 1 };
    expect(withoutTriggerKeys(json)).toEqual({ event: 'updated', [key]: 'value', other: 1 });
  });

  it('leaves an item without an event unchanged', () => {
    const json = { url: 'value', 'url (part)': 'another' };
    expect(withoutTriggerKeys(json)).toBe(json);
  });
});
