import type { Fault } from '../support/sandbox';
import { like } from './support/like';
import { ORDER, ORDER_PARTS, storedOrders } from './support/orders';
import { rowOf, withFiles } from './support/rows';
import { CONTINUE, ng, testTable, type Row, type Rows } from './support/table';
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
const cases = (base: RunSettings, rows: Rows, common: Row = {}): void =>
  testTable(place, base, rows, { application, engine: { input: [withFiles(FILES)] }, ...common });
const lost = (skip = 0): Fault => ({ kind: 'drop', when: 'after', action: 'update_data', skip, times: 1 });
const SAME_NAMES = 'data, same';
const uploadOf = (binaryPropertyName: string): RunSettings => ({
  ...{ resource: 'attachment', operation: 'upload', recordId: '1', attachmentPart: 'Docs' },
  binaryPropertyName,
});
const plans = async (at: number) => (await lines())[at]?.Plan.map(({ name, size }) => [name, size]);

const KEPT_ONE_TEXT = like(/kept 1 of 2 files/);
const KEPT_ONE = /^The record 1 was written, but the service kept 1 of 2 files in "Docs" \(ID \d+\)$/;
const ONE = { sent: { update_data: 1 } };

// All that a write adds goes in its one request, whatever the names.
describe('several files of one name', () => {
  cases(
    {},
    {
      'Attachment > Upload': {
        run: uploadOf('data, same, third'),
        output: [{ recordId: '1', outcome: 'updated', files: ['x.png', 'x.png', 'x.png'] }],
        sent: { update_data: [{}], get_data: 2 },
        after: async () => expect(await names()).toEqual(['a.txt', 'b.txt', 'x.png', 'x.png', 'x.png']),
      },
      Create: {
        run: { operation: 'create', values: { Name: 'New', Docs: SAME_NAMES } },
        output: [{ id: '2', outcome: 'created' }],
        sent: { insert_data: 1, update_data: 0, get_data: 1 },
        after: async () => expect(await names(1)).toEqual(['x.png', 'x.png']),
      },
      'Table Row > Add, in a new row': {
        run: { operation: 'add', ...rowOf({ Item: 'new', Plan: SAME_NAMES }) },
        output: [{ recordId: '1', outcome: 'created' }],
        ...ONE,
        after: async () =>
          expect(await plans(1)).toEqual([
            ['x.png', 1],
            ['x.png', 2],
          ]),
      },
      'Table Row > Update, in a row that is there': {
        run: { operation: 'update', ...rowOf({ Plan: SAME_NAMES }, { rowId: '1' }) },
        output: [{ recordId: '1', rowId: '1', outcome: 'updated' }],
        ...ONE,
        after: async () => expect(await plans(0)).toHaveLength(2),
      },
    },
  );
});

// Nobody has seen such a service: the write stands, the item fails, and says so in every further try.
describe('a service that keeps one of several files', () => {
  const fewer = { error: KEPT_ONE, ...ONE };
  cases(
    {},
    {
      'the files that are there are named, and none is sent again': {
        ...{ run: uploadOf('data, more'), node: RETRY, ...fewer },
        advice: /^These are there: "x.png"\. Add the others one at a time with Attachment > Upload\./,
        after: async () => expect(await names()).toEqual(['a.txt', 'b.txt', 'x.png']),
      },
      'nothing is removed then': {
        run: {
          operation: 'update',
          recordId: '1',
          values: { Docs: { add: ['data', 'more'], remove: ['1'] } },
        },
        ...{ node: RETRY, ...fewer },
        after: async () => expect(await names()).toEqual(['a.txt', 'b.txt', 'x.png']),
      },
      'those of new rows are counted over all rows': {
        run: { operation: 'add', ...rowOf({ Item: 'new', Plan: 'data, more' }) },
        ...{ items: [{}, {}], engine: { input: [withFiles(FILES), withFiles(FILES)] }, ...ONE },
        error: /the service kept 2 of 4 files in "Plan"/,
      },
      'an item that continues says that its record was written': {
        ...{ run: uploadOf('data, more'), node: CONTINUE },
        shows: [{ error: KEPT_ONE_TEXT, details: { ids: ['1'] } }],
      },
    },
    { dialect: { severalFiles: 'first' } },
  );
});

describe('a record that cannot be read to count its files', () => {
  cases(
    { operation: 'create', values: { Name: 'New', Docs: SAME_NAMES } },
    {
      'the item fails in each try, and is not written again': {
        faults: [{ kind: 'ng', action: 'get_data', times: 1, errorno: -1, message: 'no' }],
        ...{ node: RETRY, sent: { insert_data: 1, get_data: 1 } },
        error:
          /^The record 2 was written, but it is not known whether the service kept all files in "Docs".*: .*no/,
      },
    },
  );
});

describe('files to remove', () => {
  const values = { Name: 'x', Docs: { add: ['data'], remove: ['={{ $json.a }}', '={{ $json.b }}'] } };
  const before = async (input: ReturnType<typeof withFiles>): Promise<void> => {
    const files = (await place.storedAt())?.values.Docs as { id: string }[];
    input.json = { a: files[0]!.id, b: files[1]!.id };
  };
  const run = { operation: 'update', recordId: '1', values };
  const gone = async () => expect(await names()).toEqual(['x.png']);
  const input = withFiles(FILES);
  const QUIET = { auto_action: 'off' };
  const all = { output: [{ id: '1', outcome: 'updated' }], after: gone };
  const removals: Rows = {
    'follow the values, one a request, and are not announced again': {
      ...{ ...all, sent: { update_data: [{}, QUIET, QUIET] } },
    },
    'one refused: a further try removes what is left': {
      faults: [ng('update_data', { skip: 1, times: 1 })],
      ...{ ...all, node: RETRY, sent: { update_data: 4 } },
    },
    'one in doubt: a further try looks which are left': {
      faults: [lost(1), ng('get_data', { skip: 3, times: 1 })],
      ...{ ...all, node: RETRY, sent: { update_data: 3 } },
    },
    'one refused: the write stands': {
      faults: [ng('update_data', { skip: 1 })],
      error:
        /^The record 1 was written, but the file \d+ was not removed from "Docs" \(ID \d+\): The service refused/,
    },
  };
  cases(run, removals, { engine: { input: [input] }, before: async () => await before(input) });
});

describe('names', () => {
  cases(uploadOf('data'), {
    'of a Mac are composed, line breaks and tabs are spaces': {
      engine: { input: [withFiles({ data: { name: 'Cafe\u0301\r\n\tb.txt', text: 'x' } })] },
      output: [{ recordId: '1', outcome: 'updated', files: ['Caf\u00e9 b.txt'] }],
      after: async () => expect((await names())[2]).toBe('Caf\u00e9 b.txt'),
    },
    'with half a character are refused before anything is sent': {
      engine: { input: [withFiles({ data: { name: 'a\ud83d.txt', text: 'x' } })] },
      error: 'The name of the file in the binary field "data" holds half a character',
      sent: { update_data: 0, get_data: 0 },
    },
    'are the same at each Sync': {
      before: async () => {
        const settings = { values: { Name: 'Order', Docs: 'data' }, matchBy: ['Name'] };
        const input = [withFiles({ data: { name: 'Cafe\u0301\tb.txt', text: 'x' } })];
        for (let run = 0; run < 2; run++) await place.run('sync', settings, { input });
        expect(await names()).toEqual(['a.txt', 'b.txt', 'Caf\u00e9 b.txt']);
        expect(await writes()).toHaveLength(1);
      },
    },
  });
});
