import type { Fault } from '../support/sandbox';
import { ORDER, ORDER_PARTS, storedOrders } from './support/orders';
import { rowOf, withFiles } from './support/rows';
import { ng, testTable, type Row } from './support/table';
import { RETRY, useWorkplace, type RunSettings } from './support/workplace';

const place = useWorkplace(null);
const { names, lines, writes } = storedOrders(place);

const application = { parts: ORDER_PARTS, records: [ORDER] };
const FILES = {
  data: { name: 'x.png', text: 'x' },
  same: { name: 'x.png', text: 'yy' },
  third: { name: 'x.png', text: 'zzz' },
  more: { name: 'y.png', text: 'y' },
};
const cases = (base: RunSettings, rows: readonly Row[], common: Partial<Row> = {}): void =>
  testTable(place, base, rows, { application, engine: { input: [withFiles(FILES)] }, ...common });
const lost = (skip = 0): Fault => ({ kind: 'drop', when: 'after', action: 'update_data', skip, times: 1 });
const SAME_NAMES = 'data, same';
const uploadOf = (binaryPropertyName: string): RunSettings => ({
  ...{ resource: 'attachment', operation: 'upload', recordId: '1', attachmentPart: 'Docs' },
  binaryPropertyName,
});
const plans = async (at: number) => (await lines())[at]?.Plan.map(({ name, size }) => [name, size]);

// Two files of one name and of different contents: neither is lost, and none is stored twice.
describe('two files of one name', () => {
  const OFF = [{}, { auto_action: 'off' }];
  cases({}, [
    {
      name: 'Record > Sync: one that a further try sends is not announced again',
      run: { operation: 'sync', values: { Name: 'Order', Docs: SAME_NAMES }, matchBy: ['Name'] },
      faults: [ng('update_data', { skip: 1, times: 1 })],
      node: RETRY,
      sent: { update_data: [...OFF, { auto_action: 'off' }] },
    },
    {
      name: 'Attachment > Upload',
      run: uploadOf(SAME_NAMES),
      output: [{ recordId: '1', outcome: 'updated', files: ['x.png', 'x.png'] }],
      sent: { update_data: OFF, get_data: 2 },
      after: async () => expect(await names()).toEqual(['a.txt', 'b.txt', 'x.png', 'x.png']),
    },
    {
      name: 'Create',
      run: { operation: 'create', values: { Name: 'New', Docs: SAME_NAMES } },
      output: [{ id: '2', outcome: 'created' }],
      sent: { insert_data: 1, update_data: [{ auto_action: 'off', '{{revision}}': '1' }] },
      after: async () => expect(await names(1)).toEqual(['x.png', 'x.png']),
    },
    {
      name: 'Table Row > Add, in a new row',
      run: { operation: 'add', ...rowOf({ Item: 'new', Plan: SAME_NAMES }) },
      output: [{ recordId: '1', outcome: 'created' }],
      sent: { update_data: OFF },
      after: async () =>
        expect(await plans(1)).toEqual([
          ['x.png', 1],
          ['x.png', 2],
        ]),
    },
    {
      name: 'Table Row > Update, in a row that is there',
      run: { operation: 'update', ...rowOf({ Plan: SAME_NAMES }, { rowId: '1' }) },
      output: [{ recordId: '1', rowId: '1', outcome: 'updated' }],
      sent: { update_data: OFF },
      after: async () => expect(await plans(0)).toHaveLength(2),
    },
    {
      name: 'the second one refused: a further try sends it alone, and asks for no file of a new row again',
      run: {
        ...{ operation: 'update', recordId: '1' },
        values: { Docs: SAME_NAMES, Lines: [{ Item: 'new', Plan: 'more' }] },
      },
      faults: [ng('update_data', { skip: 1, times: 1 })],
      ...{ node: RETRY, output: [{ id: '1', outcome: 'updated' }], sent: { update_data: 3 } },
      after: async () => expect(await names()).toEqual(['a.txt', 'b.txt', 'x.png', 'x.png']),
    },
    {
      name: 'the third one refused: a further try sends it alone',
      ...{
        run: uploadOf('data, same, third'),
        faults: [ng('update_data', { skip: 2, times: 1 })],
        node: RETRY,
      },
      sent: { update_data: 4 },
      after: async () => expect(await names()).toEqual(['a.txt', 'b.txt', ...Array<string>(3).fill('x.png')]),
    },
    {
      name: 'the second one in doubt: a further try does not send it again',
      run: uploadOf(SAME_NAMES),
      faults: [lost(1), { kind: 'ng', action: 'get_data', skip: 2, errorno: -1, message: 'no' }],
      node: RETRY,
      error:
        /^The record 1 was written, but (its attachments could not be verified|it is not known whether the file "x.png" was added)/,
      advice: /run this item again\. The connection to .+ was lost before an answer came\.$/,
      sent: { update_data: 2 },
    },
  ]);
});

describe('a service that keeps one of several files', () => {
  cases(
    {},
    [
      {
        name: 'gets the others one by one, without automatic processing',
        run: uploadOf('data, more'),
        sent: { update_data: [{}, { auto_action: 'off' }] },
        after: async () => expect(await names()).toEqual(['a.txt', 'b.txt', 'x.png', 'y.png']),
      },
      {
        name: 'gets the others of a new row, found by its content',
        run: { operation: 'add', ...rowOf({ Item: 'new', Plan: 'data, more' }) },
        sent: { update_data: [{}, { auto_action: 'off' }] },
        after: async () => expect(await plans(1)).toHaveLength(2),
      },
      {
        name: 'one of the others refused: a further try does not take a file of its name for it',
        run: uploadOf('data, more'),
        dialect: { severalFiles: 'last' },
        engine: { input: [withFiles({ ...FILES, data: { name: 'b.txt', text: 'x' } })] },
        faults: [{ kind: 'ng', action: 'update_data', skip: 1, times: 1, errorno: -9, message: 'no' }],
        node: RETRY,
        error: /not known whether the service kept these files in "Docs" .*: "b.txt", "y.png"$/,
        sent: { update_data: 2 },
        after: async () => expect(await names()).toEqual(['a.txt', 'b.txt', 'y.png']),
      },
    ],
    { dialect: { severalFiles: 'first' } },
  );
});

describe('names', () => {
  cases(uploadOf('data'), [
    {
      name: 'of a Mac are composed, line breaks and tabs are spaces',
      engine: { input: [withFiles({ data: { name: 'Cafe\u0301\r\n\tb.txt', text: 'x' } })] },
      output: [{ recordId: '1', outcome: 'updated', files: ['Caf\u00e9 b.txt'] }],
      after: async () => expect((await names())[2]).toBe('Caf\u00e9 b.txt'),
    },
    {
      name: 'with half a character are refused before anything is sent',
      engine: { input: [withFiles({ data: { name: 'a\ud83d.txt', text: 'x' } })] },
      error: 'The name of the file in the binary field "data" holds half a character',
      sent: { update_data: 0, get_data: 0 },
    },
    {
      name: 'are the same at each Sync',
      before: async () => {
        const settings = { values: { Name: 'Order', Docs: 'data' }, matchBy: ['Name'] };
        const input = [withFiles({ data: { name: 'Cafe\u0301\tb.txt', text: 'x' } })];
        for (let run = 0; run < 2; run++) await place.run('sync', settings, { input });
        expect(await names()).toEqual(['a.txt', 'b.txt', 'Caf\u00e9 b.txt']);
        expect(await writes()).toHaveLength(1);
      },
    },
  ]);
});
