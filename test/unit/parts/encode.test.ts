import { encodeValues, type EncodeOptions } from '../../../nodes/ApplicationDataService/parts/encode';
import type { Part } from '../../../nodes/ApplicationDataService/parts/model/part';
import { makePart, refusalOf, TOKYO } from './support/parts';

const own = makePart('id', { id: '1', name: 'ID', system: true });
const name = makePart('textbox', { id: '101', name: 'Name', identifier: 'name_id' });
const price = makePart('number', { id: '102', name: 'Price', identifier: 'price_id' });
const total = makePart('number', { id: '103', name: 'Total', readOnly: true });
const message = makePart('textbox', { id: '104', name: 'message' });
const parts = [own, name, price, total, message];
const numbered = makePart('textbox', { id: '110', name: '101' });
const twin = (more: Partial<Part> = {}) => makePart('textbox', { name: 'Twin', ...more });

const automatic: EncodeOptions = { automatic: true };
const identified = { ...TOKYO, keyMode: 'identifier' as const };

test.each<[string, object, object, EncodeOptions?, (readonly Part[])?, string[]?]>([
  ['IDs and names', { Price: 5, '101': 'Acme' }, { Name: 'Acme', Price: '5' }],
  ['identifiers', { price_id: 5, Name: 'Acme' }, { Price: '5', Name: 'Acme' }],
  ['null empties, undefined is no value', { Name: null, Price: undefined }, { Name: '' }],
  ['a part called like an output key', { message: 'x' }, { message: 'x' }],
  ['the same, marked', { 'message (part)': 'x' }, { message: 'x' }],
  ['an unknown key that is ignored', { Nmae: 'x', Price: 1 }, { Price: '1' }, { ignoreUnknown: true }],
  ['the same in an item', { Nmae: 'x', Price: 1 }, { Price: '1' }, { ...automatic, ignoreUnknown: true }],
  [
    "an item: the nodes' own keys are ignored, parts that cannot be written passed over",
    { id: '12', outcome: 'created', message: 'm', Name: 'A', Total: 7, ID: '12', 'message (part)': 'x' },
    { Name: 'A', message: 'x' },
    automatic,
    parts,
    ['Total', 'ID'],
  ],
  [
    'an item of another node: its keys name parts',
    { error: 'e', message: 'x', Name: 'A' },
    { message: 'x', Name: 'A' },
    { ...automatic, ignoreUnknown: true },
  ],
  [
    'a part whose name ends as a mark does',
    { 'url (part)': 'x' },
    { 'url (part)': 'x' },
    automatic,
    [makePart('textbox', { name: 'url (part)' }), makePart('textbox', { name: 'url' })],
  ],
  ['such a mark', { 'url (part)': 'x' }, { url: 'x' }, automatic, [makePart('textbox', { name: 'url' })]],
  [
    'the null of a number that lost digits when it was read',
    { Name: null, Price: null, partErrors: { Price: 'rounded', Name: 'unauthorized' } },
    { Name: '' },
    automatic,
  ],
  ['another value in its place', { Price: 5, partErrors: { Price: 'rounded' } }, { Price: '5' }, automatic],
  ['a key is a name before it is an ID', { '101': 'x' }, { '101': 'x' }, automatic, [...parts, numbered]],
  [
    'a name of several parts, none of which can be written',
    { Twin: 'x' },
    {},
    automatic,
    [twin({ reference: true }), twin({ system: true })],
    ['Twin', 'Twin'],
  ],
])('%s', (_, input, texts, options = {}, among = parts, passedOver = []) => {
  const encoded = encodeValues(input as Record<string, unknown>, among, TOKYO, options);
  expect(
    encoded.values.map(({ part, value }) => [part.name, value.kind === 'text' ? value.text : value.kind]),
  ).toEqual(Object.entries(texts));
  expect(encoded.passedOver.map((part) => part.name)).toEqual(passedOver);
});

test.each<[string, object, string[]]>([
  [
    'its own, although a part is called so',
    { error: 'e', details: {}, message: 'x', Name: 'A' },
    ['message'],
  ],
  [
    'not where the part has its value',
    { outcome: 'created', id: '1', message: 'm', 'message (part)': 'x' },
    [],
  ],
  ['nor where no part is called so', { event: 'created', id: '1', previousRevision: null, changes: {} }, []],
  ['an item of another node has none', { message: 'x' }, []],
])('keys of an item that are passed over: %s', (_, json, keys) => {
  expect(encodeValues(json as Record<string, unknown>, parts, TOKYO, automatic).ownKeys).toEqual(keys);
});

test.each<[string, object, RegExp, RegExp, EncodeOptions?, (readonly Part[])?]>([
  ...['ID', 'Total', '103'].map((key): [string, object, RegExp, RegExp] => [
    `${key} cannot be written`,
    { [key]: '1' },
    /cannot be written: it is /,
    /Leave this part out/,
  ]),
  [
    'a part that is gone',
    { 109: 'x' },
    /^There is no part "109"$/,
    /^The parts that can .* refresh the list/,
  ],
  ['a key in an item', { Nmae: 'x' }, /"Nmae"/, /^Did you mean "Name"\? .*"Ignore Unknown Keys"/, automatic],
  ['a key in a mapping', { Nmae: 'x' }, /"Nmae"/, /^Did you mean "Name"\? [^"]*: Name, Price, message\. If /],
  ['two parts of one name', { Twin: 'x' }, /fits 2 parts/, /./, { ignoreUnknown: true }, [twin(), twin()]],
  [
    'two that name no single part',
    { Twin: 'x', Nmae: 'y' },
    /^Several values cannot be written\n- "Twin" fits 2 parts.*\n- There is no part "Nmae"$/,
    /./,
    {},
    [...parts, twin(), twin()],
  ],
  ['an ID that is a name, too', { '101': 'x' }, /fits 2 parts/, /./, {}, [...parts, numbered]],
  [
    'a name of which one is writable',
    { Twin: 'x' },
    /fits 2/,
    /./,
    automatic,
    [twin({ system: true }), twin()],
  ],
  [
    'a part given twice',
    { '101': 'a', Name: 'b' },
    /"Name" .* has more than one value, .* "Name"$/,
    /one value/,
  ],
  [
    'several at once',
    { Price: 'dear', Nmae: 'x', Total: 1, Name: 'fine' },
    /^Several values cannot be written: "Price", "Total"\n- .*"dear"[^\n]*\n- [^\n]*\n- [^\n]*"Nmae"$/,
    /^"Price": Accepted: a number.*\n"Total": .*\nDid you mean "Name"\? The parts [^\n]*$/,
  ],
  [
    'all unknown keys',
    { Nmae: 'x', Foo: 1 },
    /^There are no parts "Nmae", "Foo"$/,
    /^Did you mean "Name"\? /,
  ],
  [
    'very many',
    Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`x${index}`, 1])),
    /^There are no parts "x0", .*"x9", … \(20 more\)$/,
    /^The parts that can be written are: [^\n]*$/,
  ],
  ...['{{Name}}', 'a}}b', 'a{{'].map(
    (braces): [string, object, RegExp, RegExp, EncodeOptions, readonly Part[]] => [
      `a part called ${braces}`,
      { [braces]: 'x' },
      /double braces/,
      /Change the part's name/,
      {},
      [makePart('textbox', { name: braces })],
    ],
  ),
])('refused: %s', (_, input, told, advice, options = {}, among = parts) => {
  const refusal = refusalOf(() => encodeValues(input as Record<string, unknown>, among, TOKYO, options));
  expect(refusal.message).toMatch(told);
  expect(refusal.description).toMatch(advice);
});

test('a part that a request cannot name: it depends on what the keys are', () => {
  const twins = [twin({ id: '7', identifier: 'a' }), twin({ identifier: 'b' })];
  expect(refusalOf(() => encodeValues({ '104': 'x' }, parts, identified)).message).toBe(
    'Part "message" (ID 104) cannot be written: it has no part identifier',
  );
  expect(encodeValues({ '101': 'x' }, parts, identified).values).toHaveLength(1);
  expect(refusalOf(() => encodeValues({ '7': 'x' }, twins, TOKYO)).message).toMatch(
    /another part has the same name, "Twin"$/,
  );
  expect(encodeValues({ '7': 'x' }, twins, identified).values).toHaveLength(1);
});

test('a part can be called anything', () => {
  const odd = ['{Name}', 'a\tb', 'say "x"', '😀', '名前', 'a b', '__proto__', 'toString', '\\permissions'];
  for (const key of odd) {
    const part = makePart('textbox', { name: key });
    const input = JSON.parse(`{${JSON.stringify(key)}: "x"}`) as Record<string, unknown>;
    expect(encodeValues(input, [part], TOKYO).values).toEqual([{ part, value: { kind: 'text', text: 'x' } }]);
  }
});
