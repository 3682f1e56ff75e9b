import type { INodeExecutionData } from 'n8n-workflow';

import { Engine } from '../support/engine';
import { startAlteringProxy } from './support/alteringProxy';
import { ORDER, ORDER_PARTS, storedOrders } from './support/orders';
import { LINES, withFiles } from './support/rows';
import { itemsOf, useWorkplace } from './support/workplace';

/** Former faults of writes that went too far: rows and files of others, and files that nobody asked for. */
const place = useWorkplace({ parts: ORDER_PARTS, records: [{ ...ORDER, Note: 'old' }] });
const { docs, names, lines, writes } = storedOrders(place);

const CONTINUE = { onError: 'continueRegularOutput' } as const;
/** The record as Get outputs it. */
const read = async () => (await place.run('get', { recordId: '1' })).json[0]!;

/** A row or a file that somebody adds after the item was read. */
const ADDED = {
  Lines: { Lines: [{ id: '1', Item: 'first' }, { Item: 'added' }] },
  Docs: { Docs: [{ name: 'added.txt', text: 'c' }] },
} as const;
const EMPTIED = [
  ['rows', 'Lines', async () => (await lines()).map(({ Item }) => Item)],
  ['files', 'Docs', names],
] as const;

describe('Merge with parts to empty', () => {
  const empty = async (part: string, known: Awaited<ReturnType<typeof read>>) =>
    await place.update(
      {
        values: { Note: 'new' },
        conflictPolicy: 'merge',
        revision: '={{ $json.revision }}',
        options: { partsToEmpty: [part] },
      },
      { input: itemsOf(known) },
    );

  test.each(EMPTIED)('keeps %s that somebody added meanwhile', async (_, part, stored) => {
    const known = await read();
    await place.sandbox.changeRecord(place.app.id, '1', ADDED[part]);
    const before = await stored();
    expect(before).toContain(part === 'Lines' ? 'added' : 'added.txt');
    const { error } = await empty(part, known);
    expect(error?.message).toMatch(
      new RegExp(`^The record 1 was changed in the meantime: .* Different since then: "${part}"$`),
    );
    expect(await stored()).toEqual(before);
    expect((await place.storedAt())?.revision).toBe(2);
  });

  test.each(EMPTIED)('removes %s even if somebody changed another part', async (_, part, stored) => {
    const known = await read();
    await place.sandbox.changeRecord(place.app.id, '1', { Name: 'Changed' });
    const { json, error } = await empty(part, known);
    expect(error).toBeUndefined();
    expect(json[0]?.outcome).toBe('updated');
    expect(await stored()).toEqual([]);
  });
});

describe('the conflict policy Fail', () => {
  test.each([
    ['one that is written, and others', { Note: 'theirs', Name: 'Theirs' }, '"Name", "Note"'],
    ['one that is not written', { Name: 'Theirs' }, '"Name"'],
    ['rows and files', { ...ADDED.Lines, ...ADDED.Docs }, '"Docs", "Lines"'],
  ])('names every part that differs from the item: %s', async (_, change, parts) => {
    const known = await read();
    await place.sandbox.changeRecord(place.app.id, '1', change);
    const { error } = await place.update(
      { values: { Note: 'ours' }, conflictPolicy: 'fail', revision: '={{ $json.revision }}' },
      { input: itemsOf(known) },
    );
    expect(error?.message).toBe(
      `The record 1 was changed in the meantime: the item has revision 1, the service 2. Different since then: ${parts}`,
    );
    expect((await place.storedAt())?.revision).toBe(2);
  });
});

describe('attachment IDs', () => {
  const download = async (attachmentIds: string, json: INodeExecutionData['json']) =>
    await place.run(
      'download',
      { resource: 'attachment', recordId: '1', attachmentPart: 'Docs', attachmentIds },
      { input: itemsOf(json), node: CONTINUE },
    );

  test.each([
    ['a file as a read returns it', '={{ $json.Docs[1] }}', ['b.txt']],
    ['a list of such files', '={{ [$json.Docs[1]] }}', ['b.txt']],
    ['such a file and an ID', '={{ [$json.Docs[1], $json.Docs[0].id] }}', ['a.txt', 'b.txt']],
    ['JSON text of a list', '={{ JSON.stringify([$json.Docs[1]]) }}', ['b.txt']],
  ])('passed as %s download these files', async (_, attachmentIds, files) => {
    const { json } = await download(attachmentIds, await read());
    expect(json.map(({ name }) => name)).toEqual(files);
  });

  test.each([
    ['an object without an ID', '={{ { name: "b.txt" } }}'],
    ['a list of such objects', '={{ [{ name: "b.txt" }] }}'],
  ])('passed as %s are refused, and not read as all files', async (_, attachmentIds) => {
    const { json } = await download(attachmentIds, {});
    expect(json).toEqual([{ error: 'One of the IDs is an object without an ID', details: { ids: ['1'] } }]);
  });
});

test('a file without a name is sent as a file, named by its field', async () => {
  const { json, error } = await place.update(
    { values: { Docs: 'data' } },
    { input: [withFiles({ data: { name: '', text: 'xyz' } })] },
  );
  expect(error).toBeUndefined();
  expect(json[0]?.outcome).toBe('updated');
  expect((await docs()).map(({ name, size }) => [name, size])).toEqual([
    ['a.txt', 1],
    ['b.txt', 2],
    ['data', 3],
  ]);
});

test.each(['update', 'upsert'])(
  'a table part with the key "revision" is not emptied by %s',
  async (operation) => {
    await place.open({
      parts: [
        { name: 'Name', type: 'textbox' },
        { name: 'revision', type: 'input_list', children: [{ name: 'Item', type: 'textbox' }] },
      ],
      records: [{ Name: 'Order', revision: [{ Item: 'a' }] }],
    });
    const { error } = await place.run(operation, {
      recordId: '1',
      values: { Name: 'Order' },
      matchBy: ['Name'],
      options: { partsToEmpty: ['revision'] },
    });
    expect(error?.message).toMatch(
      /^Part "revision" \(ID \d+\) cannot be changed: the service takes its key/,
    );
    expect(await writes()).toEqual([]);
  },
);

test('a person in a kept row whom the service gives without an ID is not written: the row is named', async () => {
  const [line] = [{ ...LINES, children: [...(LINES.children ?? []), { name: 'Buyer', type: 'users' }] }];
  await place.open({
    parts: [{ name: 'Name', type: 'textbox' }, line],
    records: [{ Lines: [{ Item: 'x', Buyer: ['1001'] }] }],
  });
  const { baseUrl, accessKey } = place.sandbox;
  const proxy = await startAlteringProxy(
    baseUrl,
    (answer) => JSON.parse(JSON.stringify(answer).replaceAll('"id":"1001",', '')) as unknown,
  );
  try {
    const engine = new Engine({ baseUrl: proxy.baseUrl, accessKey });
    const { error } = await engine.run(
      place.parameters('update', { recordId: '1', values: { Lines: [{ Item: 'new' }] } }),
    );
    expect(error?.message).toMatch(/^Row \d+ of "Lines" .* cannot be kept: Part "Buyer" .*no system ID$/);
  } finally {
    await proxy.stop();
  }
  const [record] = await place.stored();
  expect(record?.values.Lines).toMatchObject([{ Item: 'x', Buyer: ['1001'] }]);
});
