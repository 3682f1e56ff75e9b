import { BINARY_ENCODING } from 'n8n-workflow';

import type { EngineResult } from '../support/engine';
import { partsOf } from '../support/parts';
import { useQuickRetries } from './support/quickRetries';
import { each, ng, testTable, type Row, type Rows } from './support/table';
import { condition, numberedTickets, tickets } from './support/tickets';
import { useWorkplace, type RunSettings } from './support/workplace';

useQuickRetries();

const place = useWorkplace(null);

/** Text of a file that n8n keeps in memory. */
const textOf = ({ items }: EngineResult, field = 'data', item = 0) =>
  Buffer.from(items[item]?.binary?.[field]?.data ?? '', BINARY_ENCODING).toString('utf8');
const file =
  (text: string): Row['after'] =>
  (_, result) =>
    expect(textOf(result)).toBe(text);
const withLine =
  (line: string): Row['after'] =>
  (_, result) =>
    expect(textOf(result)).toContain(line);
const only = (...partsToReturn: string[]) => ({ options: { partsToReturn } });
const limited = { access: true, parts: { Hours: 'none' } };
const odd = ['id', 'a,b', 'constructor', '__proto__'].map((name) => ({ name, type: 'textbox' }));
const cases = (rows: Rows, base: RunSettings = {}) =>
  testTable(place, { operation: 'export', format: 'csv', binaryPropertyName: 'data', ...base }, rows, {
    application: tickets(),
  });

describe('CSV', () => {
  cases({
    'has a byte order mark, a header and a line for each record, as RFC 4180 says': {
      run: only('Owner', 'Marks', 'Text', 'Title', 'Hours', 'Lines'),
      output: [{ count: 3 }],
      after: async (_, result) => {
        expect(result.items[0]).toMatchObject({
          pairedItem: { item: 0 },
          binary: { data: { fileName: 'Tickets.csv', fileExtension: 'csv', mimeType: 'text/csv' } },
        });
        const lines = [
          '\uFEFFid,revision,Title,Text,Marks,Hours,Owner,Lines',
          '1,1,Acme Engineering,"One\nTwo, ""three""","red\nblue",1.5,Aiko Mori,' +
            '"[{""id"":""1"",""Item"":""Bolt"",""Qty"":3},{""id"":""2"",""Item"":""Nut"",""Qty"":null}]"',
          '2,1,Beta,made of steel,,20,Ken Tanaka,',
          '3,1,=1+2,,,-3,,',
          '',
        ];
        await file(lines.join('\r\n'))!(place, result);
      },
    },
    'has every part in the order of the application, those of the service last, without a byte order mark if it is switched off':
      {
        run: { options: { bom: false } },
        after: (_, result) =>
          expect(textOf(result).split('\r\n')[0]).toBe(
            'id,revision,Title,Text,Kind,Marks,Hours,Due,From,Meeting,Owner,Team,Files,Sum,Lines,Related,Created at,Created by,Updated at,Updated by',
          ),
      },
    'shows people, groups and files by name if it should be readable; the header stays the same': {
      run: {
        options: {
          bom: false,
          readable: true,
          ...only('Title', 'Owner', 'Team', 'Files', 'Marks', 'Lines').options,
        },
      },
      after: (_, result) => {
        const [header, first, , last] = textOf(result).split('\r\n');
        expect(header).toBe('id,revision,Title,Marks,Owner,Team,Files,Lines');
        expect(first).toMatch(/^1,1,Acme Engineering,"red\nblue",Aiko Mori,"\w+, [^"]+",a\.txt,"\[\{""id""/);
        expect(last).toBe('3,1,=1+2,,,,,');
      },
    },
    ...each([
      [true, 'Acme Engineering'],
      [false, '"[{""id"":null,""Company"":""Acme Engineering""}]"'],
    ])('shows a reference list by what it shows if it should be readable: %s', ([readable, cell]) => ({
      run: { options: { readable, ...only('Title', 'Related').options } },
      after: withLine(`\r\n1,1,Acme Engineering,${cell}\r\n`),
    })),
    'has only a header for no records': {
      run: { ...condition({ part: 'Title', value: 'none' }), ...only('Title') },
      ...{ output: [{ count: 0 }], after: file('\uFEFFid,revision,Title\r\n') },
    },
    'says which values the service withheld': {
      ...{ rights: limited, run: only('Title', 'Hours'), hints: ['Hours (unauthorized)'] },
      after: withLine('\r\n2,1,Beta,\r\n'),
    },
    'says so if the service returns no revision': {
      ...{ dialect: { listRevision: 'never' }, run: only('Title'), hints: ['no "revision"'] },
      after: withLine('\r\n2,,Beta\r\n'),
    },
    'separates reserved and unsafe names': {
      application: {
        name: 'A/B: "odd"?',
        parts: odd,
        records: [{ id: 'mine', 'a,b': 'c', constructor: 'safe' }],
      },
      run: { options: { bom: false } },
      after: (_, result) => {
        const [header, line] = textOf(result).split('\r\n');
        expect(result.items[0]?.binary?.data?.fileName).toBe('A_B_ _odd__.csv');
        expect(header).toBe(
          'id,revision,id (part),"a,b",constructor,__proto__,Created at,Created by,Updated at,Updated by',
        );
        expect(line).toMatch(/^1,1,mine,c,safe,,/);
      },
    },
  });
});

describe('NDJSON', () => {
  cases(
    {
      'has one simplified record in each line': {
        after: async (_, result) => {
          const { fileName, mimeType } = result.items[0]!.binary!.data!;
          expect([fileName, mimeType]).toEqual(['Tickets.ndjson', 'application/x-ndjson']);
          const lines = textOf(result).trimEnd().split('\n');
          const { json } = await place.run('getAll', { returnAll: true });
          expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(json);
        },
      },
      'keeps the errors of parts': {
        ...{ rights: limited, hints: [], after: withLine('"partErrors":{"Hours":"unauthorized"') },
      },
      'is sorted and searched as Get Many does': {
        run: {
          sort: { by: { part: 'Hours', order: 'desc' } },
          options: { partsToReturn: ['Title'], keyword: 'e' },
        },
        after: (_, result) =>
          expect([...textOf(result).matchAll(/"Title":"(.*?)"/g)].map(([, title]) => title)).toEqual([
            ...['Beta', 'Acme Engineering'],
          ]),
      },
    },
    { format: 'ndjson' },
  );
});

const BAD: [string, RunSettings, RegExp][] = [
  ['no name for the field', { binaryPropertyName: '={{ "" }}' }, /name of the field for the file is empty/],
  ['an unknown format', { format: '={{ "xlsx" }}' }, /^"Format" must be one of: csv, ndjson, not "xlsx"$/],
];

cases({
  ...each(BAD)('refuses %s without reading', ([, run, error]) => ({
    ...{ run, error },
    after: async () => expect((await place.sent('list_data')).filter((call) => 'fields' in call)).toEqual([]),
  })),
});

describe('more than one page', () => {
  const application = {
    parts: partsOf({ Title: 'textbox', Hours: 'number' }),
    records: numberedTickets(10_001),
  };
  const base = {
    operation: 'export',
    format: 'csv',
    binaryPropertyName: 'data',
    options: { bom: false, ...only('Title').options },
  };
  testTable(
    place,
    base,
    {
      'is complete and in order': {
        ...{ output: [{ count: 10_001 }], sent: { list_data: 3 } },
        after: (_, result) => {
          const lines = textOf(result).trimEnd().split('\r\n').slice(1);
          expect(lines).toEqual(Array.from({ length: 10_001 }, (__, index) => `${index + 1},1,T${index}`));
        },
      },
      'is no file if a later one fails': {
        ...{ faults: [ng('list_data', { message: 'Stop', skip: 1 })], error: 'Stop' },
      },
    },
    { application },
  );

  test.each(['export', 'getAll'])('sends no more requests once it was cancelled: %s', async (operation) => {
    await place.open(application);
    const cancelled = await place.cancelAt({ action: 'list_data', skip: 1 });
    await place.run(operation, { ...base, returnAll: true }, cancelled);
    await place.engine.idle();
    await place.noted('list_data', 2);
    expect(await place.calls('list_data')).toHaveLength(2);
  });
});
