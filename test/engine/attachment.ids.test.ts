import type { INodeExecutionData } from 'n8n-workflow';

import { Engine } from '../support/engine';
import { startAlteringProxy } from './support/alteringProxy';
import { ORDER, ORDER_PARTS, storedOrders } from './support/orders';
import { LINES } from './support/rows';
import { itemsOf, useWorkplace } from './support/workplace';

/** Former faults of writes that went too far: rows and files of others, and files that nobody asked for. */
const place = useWorkplace({ parts: ORDER_PARTS, records: [{ ...ORDER, Note: 'old' }] });
const { writes } = storedOrders(place);

const CONTINUE = { onError: 'continueRegularOutput' } as const;
/** The record as Get outputs it. */
const read = async () => (await place.run('get', { recordId: '1' })).json[0]!;

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
