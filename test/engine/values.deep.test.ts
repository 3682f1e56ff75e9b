import type { IDataObject } from 'n8n-workflow';

import { itemsOf, useWorkplace } from './support/workplace';

const place = useWorkplace({
  parts: [
    { name: 'Name', type: 'textbox' },
    { name: 'Amount', type: 'number' },
    { name: 'Owner', type: 'users' },
    { name: 'Lines', type: 'input_list', children: [{ name: 'Item', type: 'textbox' }] },
  ],
  records: [{ Name: 'a' }],
});

const DEPTH = 20_000;

function nested(wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 'x';
  for (let depth = 0; depth < DEPTH; depth++) value = wrap(value);
  return value;
}

const inLists = nested((inner) => [inner]);
const inObjects = nested((inner) => ({ a: inner }));
const asText = `${'['.repeat(DEPTH)}1${']'.repeat(DEPTH)}`;

const row = (value: unknown): unknown => [{ Item: value }];

test.each<[string, string, unknown]>([
  ['Name', 'lists', inLists],
  ['Name', 'objects', inObjects],
  ['Amount', 'lists', inLists],
  ['Amount', 'JSON text', asText],
  ['Owner', 'lists', inLists],
  ['Owner', 'objects', inObjects],
  ['Owner', 'JSON text', asText],
  ['Lines', 'lists', inLists],
  ['Lines', 'objects', inObjects],
  ['Lines', 'JSON text', asText],
  ['Lines', 'lists in a row', row(inLists)],
  ['Lines', 'objects in a row', row(inObjects)],
])(
  'a value of %s nested 20,000 deep in %s is refused in a sentence, and nothing is sent',
  async (part, _, value) => {
    await place.sandbox.clearLog();
    const { error } = await place.run(
      'create',
      { values: null },
      { input: itemsOf({ [part]: value } as IDataObject) },
    );
    expect(error?.message).toMatch(new RegExp(`part "(${part}|Item)" .*does not accept`, 'i'));
    expect(error?.message.length).toBeLessThan(300);
    expect(await place.calls('insert_data')).toEqual([]);
  },
);
