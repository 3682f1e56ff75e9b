import { BINARY_ENCODING, type INodeParameters } from 'n8n-workflow';

import { Engine, type EngineOptions, type EngineResult } from '../support/engine';
import { condition, listCalls, numberedTickets, recordParameters, useTickets } from './support/tickets';
import { useQuickRetries } from './support/quickRetries';

useQuickRetries();

const place = useTickets();

async function exported(
  parameters: INodeParameters = {},
  options: EngineOptions = {},
): Promise<EngineResult> {
  const more = { format: 'csv', binaryPropertyName: 'data', ...parameters };
  return await place.run('export', more, options);
}

/** Text of a file that n8n keeps in memory. */
function fileText({ items }: EngineResult, field = 'data', item = 0): string {
  return Buffer.from(items[item]?.binary?.[field]?.data ?? '', BINARY_ENCODING).toString('utf8');
}

describe('CSV', () => {
  test('has a byte order mark, a header and a line for each record, as RFC 4180 says', async () => {
    const partsToReturn = ['Owner', 'Marks', 'Text', 'Title', 'Hours', 'Lines'];
    const result = await exported({ options: { partsToReturn } });
    expect(result.json).toEqual([{ count: 3 }]);
    expect(result.items[0]?.pairedItem).toEqual({ item: 0 });
    expect(result.items[0]?.binary?.data).toMatchObject({
      fileName: 'Tickets.csv',
      fileExtension: 'csv',
      mimeType: 'text/csv',
    });
    const lines = [
      '\uFEFFid,revision,Title,Text,Marks,Hours,Owner,Lines',
      '1,1,Acme Engineering,"One\nTwo, ""three""","red\nblue",1.5,Aiko Mori,' +
        '"[{""id"":""1"",""Item"":""Bolt"",""Qty"":3},{""id"":""2"",""Item"":""Nut"",""Qty"":null}]"',
      '2,1,Beta,made of steel,,20,Ken Tanaka,',
      '3,1,=1+2,,,-3,,',
      '',
    ];
    expect(fileText(result)).toBe(lines.join('\r\n'));
  });

  test('has every part in the order of the application, without a byte order mark if it is switched off', async () => {
    const text = fileText(await exported({ options: { bom: false } }));
    expect(text.split('\r\n')[0]).toBe(
      'id,revision,Created at,Created by,Updated at,Updated by,Title,Text,Kind,Marks,Hours,Due,From,Meeting,Owner,Team,Files,Sum,Lines,Related',
    );
  });

  test('shows people, groups and files by name if it should be readable; the header stays the same', async () => {
    const options = {
      bom: false,
      readable: true,
      partsToReturn: ['Title', 'Owner', 'Team', 'Files', 'Marks', 'Lines'],
    };
    const [header, first, , last] = fileText(await exported({ options })).split('\r\n');
    expect(header).toBe('id,revision,Title,Marks,Owner,Team,Files,Lines');
    expect(first).toMatch(/^1,1,Acme Engineering,"red\nblue",Aiko Mori,"\w+, [^"]+",a\.txt,"\[\{""id""/);
    expect(last).toBe('3,1,=1+2,,,,,');
  });

  test('has only a header for no records', async () => {
    const result = await exported({
      ...condition({ part: 'Title', value: 'none' }),
      options: { partsToReturn: ['Title'] },
    });
    expect(result.json).toEqual([{ count: 0 }]);
    expect(fileText(result)).toBe('\uFEFFid,revision,Title\r\n');
  });

  test('says which values the service withheld', async () => {
    await place.sandbox.setUser('1050', {
      name: 'Limited',
      accessKey: 'limited-key',
      rights: { tickets: { access: true, parts: { Hours: 'none' } } },
    });
    const limited = new Engine({ baseUrl: place.sandbox.baseUrl, accessKey: 'limited-key' });
    const result = await limited.run(
      recordParameters('export', place.app, { options: { partsToReturn: ['Title', 'Hours'] } }),
    );
    expect(fileText(result)).toContain('\r\n2,1,Beta,\r\n');
    expect(result.hints.map(({ message }) => message)).toEqual([
      expect.stringContaining('Hours (unauthorized)'),
    ]);
  });

  test('separates reserved and unsafe names', async () => {
    const odd = await place.sandbox.createApplication({
      name: 'A/B: "odd"?',
      parts: [
        { name: 'id', type: 'textbox' },
        { name: 'a,b', type: 'textbox' },
        { name: 'constructor', type: 'textbox' },
        { name: '__proto__', type: 'textbox' },
      ],
      records: [{ id: 'mine', 'a,b': 'c', constructor: 'safe' }],
    });
    const result = await place.engine.run(recordParameters('export', odd, { options: { bom: false } }));
    const [header = '', line = ''] = fileText(result).split('\r\n');
    expect(result.items[0]?.binary?.data?.fileName).toBe('A_B_ _odd__.csv');
    expect(header).toBe(
      'id,revision,Created at,Created by,Updated at,Updated by,id (part),"a,b",constructor,__proto__',
    );
    expect(line).toMatch(/^1,1,.*,mine,c,safe,$/);
  });
});

describe('NDJSON', () => {
  test('has one simplified record in each line', async () => {
    const result = await exported({ format: 'ndjson', binaryPropertyName: 'file', options: {} });
    expect(result.items[0]?.binary?.file).toMatchObject({
      fileName: 'Tickets.ndjson',
      mimeType: 'application/x-ndjson',
    });
    const lines = fileText(result, 'file').trimEnd().split('\n');
    const { json } = await place.run('getAll', { returnAll: true });
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(json);
  });

  test('keeps the errors of parts', async () => {
    await place.sandbox.setUser('1050', {
      name: 'Limited',
      accessKey: 'limited-key',
      rights: { tickets: { access: true, parts: { Hours: 'none' } } },
    });
    const limited = new Engine({ baseUrl: place.sandbox.baseUrl, accessKey: 'limited-key' });
    const result = await limited.run(recordParameters('export', place.app, { format: 'ndjson' }));
    expect(fileText(result)).toContain('"partErrors":{"Hours":"unauthorized"');
    expect(result.hints).toEqual([]);
  });
});

test('filters, searches and sorts as Get Many does', async () => {
  const { json } = await exported(condition({ part: 'Kind', value: 'Bug' }));
  expect(json).toEqual([{ count: 2 }]);
  const sorted = await exported({
    format: 'ndjson',
    sort: { by: { part: 'Hours', order: 'desc' } },
    options: { partsToReturn: ['Title'], keyword: 'e' },
  });
  const titles = fileText(sorted)
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { Title: string }).Title);
  expect(titles).toEqual(['Beta', 'Acme Engineering']);
});

test('returns more than one page, complete and in order', async () => {
  const many = await place.sandbox.createApplication({
    name: 'Many',
    parts: [
      { name: 'Title', type: 'textbox' },
      { name: 'Hours', type: 'number' },
    ],
    records: numberedTickets(10_001),
  });
  const result = await place.engine.run(
    recordParameters('export', many, { options: { partsToReturn: ['Title'], bom: false } }),
  );
  expect(result.json).toEqual([{ count: 10_001 }]);
  const lines = fileText(result).trimEnd().split('\r\n').slice(1);
  expect(lines).toEqual(Array.from({ length: 10_001 }, (_, index) => `${index + 1},1,T${index}`));
  expect(await listCalls(place.sandbox)).toHaveLength(3);

  await place.sandbox.setFaults([{ kind: 'ng', errorno: -1, message: 'Stop', action: 'list_data', skip: 1 }]);
  const failed = await place.engine.run(recordParameters('export', many));
  expect(failed.error?.message).toMatch(/Stop/);

  let stop = (): void => undefined;
  const cancel = new Promise<void>((resolve) => (stop = resolve));
  await place.sandbox.setFaults([
    await place.sandbox.holdDuring({ action: 'list_data', skip: 1 }, () => stop()),
  ]);
  await place.sandbox.clearLog();
  await place.engine.run(recordParameters('export', many), { cancel });
  await place.engine.idle();
  await place.noted('list_data', 2);
  expect(await listCalls(place.sandbox)).toHaveLength(2);
});

test.each<[string, INodeParameters, RegExp]>([
  ['an unknown part to return', { options: { partsToReturn: ['Nope'] } }, /There is no part "Nope"/],
  ['a bad filter', condition({ part: 'Hours', value: 'many' }), /^Filter 1: /],
  ['no name for the field', { binaryPropertyName: '={{ "" }}' }, /name of the field for the file is empty/],
  ['an unknown format', { format: '={{ "xlsx" }}' }, /^"Format" must be one of: csv, ndjson, not "xlsx"$/],
])('refuses %s without reading', async (_, parameters, message) => {
  const { error } = await exported(parameters);
  expect(error?.message).toMatch(message);
  expect(await listCalls(place.sandbox)).toEqual([]);
});

test('Continue On Fail returns the failed item in its place', async () => {
  const input = ['Bug', '', 'Wish'].map((kind) => ({ json: { kind } }));
  const result = await exported(condition({ part: 'Kind', value: '={{ $json.kind }}' }), {
    input,
    node: { onError: 'continueRegularOutput' },
  });
  expect(result.items.map(({ json, pairedItem }) => [json.count ?? json.error, pairedItem])).toEqual([
    [2, { item: 0 }],
    [expect.stringMatching(/no value/), { item: 1 }],
    [1, { item: 2 }],
  ]);
  expect(fileText(result, 'data', 2)).toContain('Beta');
});

test('says so if the service returns no revision', async () => {
  await place.sandbox.setDialect({ listRevision: 'never' });
  const result = await exported({ options: { partsToReturn: ['Title'] } });
  expect(fileText(result)).toContain('\r\n2,,Beta\r\n');
  expect(result.hints.map(({ message }) => message)).toEqual([expect.stringContaining('no "revision"')]);
});
