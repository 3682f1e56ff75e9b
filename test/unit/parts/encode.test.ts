import { UserError } from '../../../nodes/ApplicationDataService/util/userError';
import { PartLookupError } from '../../../nodes/ApplicationDataService/parts/model/errors';
import { makePart, refusalOf, TOKYO } from './support/parts';
import { encodeValues, type EncodeOptions } from '../../../nodes/ApplicationDataService/parts/encode';

const own = makePart('id', { id: '1', name: 'ID', system: true });
const name = makePart('textbox', { id: '101', name: 'Name', identifier: 'name_id' });
const price = makePart('number', { id: '102', name: 'Price', identifier: 'price_id' });
const total = makePart('number', { id: '103', name: 'Total', readOnly: true });
const message = makePart('textbox', { id: '104', name: 'message' });
const parts = [own, name, price, total, message];

function encode(input: Record<string, unknown>, options?: EncodeOptions, among = parts) {
  const { values, passedOver } = encodeValues(input, among, TOKYO, options);
  const texts = values.map(({ part, value }) => [part.name, value.kind === 'text' ? value.text : value.kind]);
  return { values: texts, passedOver: passedOver.map((part) => part.name) };
}

it('accepts IDs, names and identifiers, in the order of the item', () => {
  expect(encode({ Price: 5, '101': 'Acme' }).values).toEqual([
    ['Name', 'Acme'],
    ['Price', '5'],
  ]);
  expect(encode({ price_id: 5, Name: 'Acme' }).values).toEqual([
    ['Price', '5'],
    ['Name', 'Acme'],
  ]);
});

it('empties with null and ignores parts that are left out', () => {
  expect(encode({ Name: null, Price: undefined }).values).toEqual([['Name', '']]);
});

describe('a mapping made by hand', () => {
  it('may name a part that is called like an output key, marked or not', () => {
    expect(encode({ message: 'x' }).values).toEqual([['message', 'x']]);
    expect(encode({ 'message (part)': 'x' }).values).toEqual([['message', 'x']]);
  });

  it.each(['ID', 'Total', '103'])('may not name %s, which cannot be written', (key) => {
    expect(refusalOf(() => encode({ [key]: '1' }))).toBeInstanceOf(UserError);
  });
});

describe('a part that was removed after it was mapped', () => {
  const formerNames = new Map([['109', 'Badge']]);
  const gone = /^There is no part "Badge" \(ID 109\) any more$/;

  it.each([
    [{ 109: 'x' }, gone, /refresh the list of parts/],
    [
      { 109: 'x', Price: 'y' },
      /^2 values cannot be written: "Badge", "Price"\n- There is no part "Badge"/,
      /^"Badge": /,
    ],
    [{ 110: 'x' }, /^There is no part "110"$/, /The parts that can be written are/],
  ])('%j is told by the name of its field', (input, message, advice) => {
    const refusal = refusalOf(() => encode(input, { formerNames }));
    expect(refusal.message).toMatch(message);
    expect(refusal.description).toMatch(advice);
  });

  it('is ignored where unknown keys are', () => {
    expect(encode({ 109: 'x', Name: 'n' }, { formerNames, ignoreUnknown: true }).values).toEqual([
      ['Name', 'n'],
    ]);
  });
});

describe("an item's json", () => {
  const automatic = { automatic: true };

  it("ignores the node's own keys and parts that cannot be written, and names them", () => {
    const item = {
      id: '12',
      revision: 3,
      canWrite: true,
      outcome: 'created',
      partErrors: { x: 'y' },
      message: 'm',
    };
    expect(encode({ ...item, Name: 'Acme', Total: 7, ID: '12', 'message (part)': 'x' }, automatic)).toEqual({
      values: [
        ['Name', 'Acme'],
        ['message', 'x'],
      ],
      passedOver: ['Total', 'ID'],
    });
  });

  it('passes over the null of a number that lost digits when it was read', () => {
    const partErrors = { Price: 'rounded', message: 'rounded', Name: 'unauthorized' };
    const item = { Name: null, Price: null, 'message (part)': null, partErrors };
    expect(encode(item, automatic).values).toEqual([['Name', '']]);
    expect(encode({ ...item, Price: 5 }, automatic).values).toContainEqual(['Price', '5']);
  });

  it("reads a key as in a read's output before it reads it as an ID", () => {
    const numbered = makePart('textbox', { id: '110', name: '101' });
    expect(encode({ '101': 'x' }, automatic, [...parts, numbered]).values).toEqual([['101', 'x']]);
    refusalOf(() => encode({ '101': 'x' }, {}, [...parts, numbered]));
  });

  it('ignores a name that several parts share, if none of them can be written', () => {
    const twins = [
      makePart('textbox', { name: 'Twin', reference: true }),
      makePart('number', { name: 'Twin', reference: true }),
    ];
    expect(encode({ Twin: 'x' }, automatic, twins).passedOver).toEqual(['Twin', 'Twin']);
    refusalOf(() => encode({ Twin: 'x' }, automatic, [...twins, makePart('textbox', { name: 'Twin' })]));
  });
});

describe('keys that name no part', () => {
  it('are refused by name, with the most similar one', () => {
    const refusal = refusalOf(() => encode({ Nmae: 'x' }, { automatic: true }));
    expect(refusal).toBeInstanceOf(PartLookupError);
    expect(refusal.description).toContain('Did you mean "Name"?');
  });

  it('are refused with the parts that can be written, and in an automatic mapping with the option to ignore them', () => {
    const option = 'switch on the option "Ignore Unknown Keys"';
    for (const automatic of [true, false]) {
      const { description } = refusalOf(() => encode({ Nmae: 'x' }, { automatic }));
      expect(description).toMatch(/ The parts that can be written are: Name, /);
      expect(description).not.toContain('Total');
      expect(description.includes(option)).toBe(automatic);
    }
  });

  it('are left out on request', () => {
    for (const automatic of [true, false]) {
      expect(encode({ Nmae: 'x', Price: 1 }, { automatic, ignoreUnknown: true })).toMatchObject({
        values: [['Price', '1']],
      });
    }
  });

  it('but not those that match two parts', () => {
    const twins = [makePart('textbox', { name: 'Twin' }), makePart('textbox', { name: 'Twin' })];
    refusalOf(() => encode({ Twin: 'x' }, { ignoreUnknown: true }, twins));
  });
});

it('refuses a part that is named twice', () => {
  const refusal = refusalOf(() => encode({ '101': 'a', Name: 'b' }));
  expect(refusal.message).toBe('Part "Name" (ID 101) has more than one value, the last one under "Name"');
});

it('reports all refusals of an item at once', () => {
  const refusal = refusalOf(() => encode({ Price: 'dear', Nmae: 'x', Total: 1, Name: 'fine' }));
  expect(refusal.message).toMatch(/^3 values cannot be written: "Price", "Nmae", "Total"\n- /);
  expect(refusal.message).toContain('"dear"');
  expect(refusal.description.split('\n')).toEqual([
    expect.stringMatching(/^"Price": /),
    '"Nmae": Did you mean "Name"?',
    expect.stringMatching(/^"Total": /),
    expect.stringMatching(/^The parts that can be written are: /),
  ]);
});

describe('parts that a request cannot name unambiguously', () => {
  const identified = { ...TOKYO, keyMode: 'identifier' as const };

  it('have no identifier if identifiers are the keys of parts', () => {
    const refusal = refusalOf(() => encodeValues({ '104': 'x' }, parts, identified));
    expect(refusal.message).toBe('Part "message" (ID 104) cannot be written: it has no part identifier');
    expect(encodeValues({ '101': 'x' }, parts, identified).values).toHaveLength(1);
  });

  it('share their name, even if one is named by its ID', () => {
    const twins = [
      makePart('textbox', { id: '7', name: 'Twin', identifier: 'a' }),
      makePart('textbox', { name: 'Twin', identifier: 'b' }),
    ];
    expect(refusalOf(() => encodeValues({ '7': 'x' }, twins, TOKYO)).message).toContain(
      'another part has the same name, "Twin"',
    );
    expect(encodeValues({ '7': 'x' }, twins, identified).values).toHaveLength(1);
  });

  it.each(['{{Name}}', 'a}}b', 'a{{'])('are named %s', (braces) => {
    const part = makePart('textbox', { name: braces });
    expect(refusalOf(() => encodeValues({ [braces]: 'x' }, [part], TOKYO)).message).toContain(
      'double braces',
    );
  });

  it.each(['{Name}', 'a\tb', 'say "x"', '😀', '名前', 'a b', '__proto__', 'toString', '\\permissions'])(
    'but %j can be',
    (key) => {
      const part = makePart('textbox', { name: key });
      const input = JSON.parse(`{${JSON.stringify(key)}: "x"}`) as Record<string, unknown>;
      expect(encodeValues(input, [part], TOKYO).values).toEqual([
        { part, value: { kind: 'text', text: 'x' } },
      ]);
    },
  );
});
