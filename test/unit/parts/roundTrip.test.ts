import fc from 'fast-check';

import type { KeyMode, Part, WriteValue } from '../../../nodes/ApplicationDataService/parts/model/part';
import { codecs } from '../../../nodes/ApplicationDataService/parts/codecs';
import { partKey } from '../../../nodes/ApplicationDataService/parts/model/keys';
import { recordReader } from '../../../nodes/ApplicationDataService/parts/record';
import { makePart, TOKYO } from './support/parts';
import { encodeValues } from '../../../nodes/ApplicationDataService/parts/encode';

/**
 * The `val` that the service returns for a part after `written` was stored over `stored` (interface.md, "Value
 * formats").
 */
function storedVal(part: Part, written: WriteValue, mode: KeyMode = 'name', stored: unknown = ''): unknown {
  switch (written.kind) {
    case 'keep':
      return stored;
    case 'empty':
      return storedText(part.type, '');
    case 'text':
      return storedText(part.type, written.text);
    case 'rows':
      return { child_records: { item: written.rows.map((row, index) => storedRow(row, index, mode)) } };
    case 'files':
      throw new Error('files are stored by uploads, not by a value');
  }
}

function storedText(type: string, text: string): unknown {
  if (type === 'users' || type === 'groups') {
    const item = text
      .split('\t')
      .filter((id) => id !== '')
      .map((id) => ({ id, Name: `Name of ${id}` }));
    return { [type]: { item } };
  }
  return type === 'time' && text !== '' ? Number(text) : text;
}

type Rows = Extract<WriteValue, { kind: 'rows' }>['rows'];

function storedRow(row: Rows[number], index: number, mode: KeyMode): Record<string, unknown> {
  const stored: Record<string, unknown> = { data_id: row.id ?? String(1000 + index) };
  for (const { part, value } of row.values)
    stored[partKey(part, mode)] = { val: storedVal(part, value, mode) };
  return stored;
}

const OPTIONS = ['red', 'green', 'two words', '[1]', '1,200', '未対応'];

const pad = (number: number) => String(number).padStart(2, '0');
const text = fc.option(fc.string({ unit: 'binary', minLength: 1 }));
const choice = fc.option(fc.constantFrom(...OPTIONS));
const moment = fc.date({
  min: new Date('0001-01-01T00:00Z'),
  max: new Date('9999-12-31T23:59Z'),
  noInvalidDate: true,
});
const seconds = fc.integer({ min: 0, max: 1_000_000 });
const members = fc
  .uniqueArray(fc.integer({ min: 1, max: 500 }), { maxLength: 4 })
  .map((ids) => ids.map((id) => ({ id: String(id), name: `Name of ${id}` })));
const finite = fc
  .double({ noNaN: true, min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER })
  .map((number) => (number === 0 ? 0 : number));
const longNumber = fc.bigInt({ min: 2n ** 53n, max: 2n ** 90n }).map(String);

/** The values in a read's output by type, which a write must store unchanged. */
const VALUES: Record<string, fc.Arbitrary<unknown>> = {
  textbox: text,
  textarea: text,
  richeditor: text,
  radio: choice,
  select: choice,
  checkbox: fc.uniqueArray(fc.constantFrom(...OPTIONS)),
  listbox: fc.uniqueArray(fc.constantFrom(...OPTIONS)),
  number: fc.option(fc.oneof(finite, fc.integer(), longNumber)),
  date: fc.option(moment.map((date) => date.toISOString().slice(0, 10))),
  datetime: fc.option(moment.map((date) => date.toISOString().slice(0, 16))),
  time: fc.option(
    seconds.map((all) => `${pad(Math.floor(all / 3600))}:${pad(Math.floor(all / 60) % 60)}:${pad(all % 60)}`),
  ),
  users: members,
  groups: members,
};
const PLAIN_TYPES = Object.keys(VALUES);
const makeTyped = (type: string) => makePart(type, { options: OPTIONS, identifier: `${type}_id` });
const valuesOf = (type: string) => VALUES[type] ?? fc.constant(null);

describe.each<KeyMode>(['name', 'identifier'])('keyed by %s', (mode) => {
  const children = PLAIN_TYPES.map(makeTyped);
  const table = makePart('input_list', { identifier: 'table_id', children });
  const context = { ...TOKYO, keyMode: mode };
  const record = (parts: readonly Part[]) =>
    fc.record(Object.fromEntries(parts.map((part) => [partKey(part, mode), valuesOf(part.type)])), {
      requiredKeys: [],
    });

  const rows = fc
    .uniqueArray(fc.integer({ min: 1, max: 99 }).map(String), { maxLength: 4 })
    .chain((ids) => fc.tuple(...ids.map((id) => record(children).map((row) => ({ id, ...row })))));

  it('a whole record is read as it was written, and writing it changes nothing', () => {
    const own = makePart('id', { id: '1', name: 'ID', identifier: 'own_id', system: true });
    const calculated = makePart('expression', { identifier: 'calc_id' });
    const parts = [own, ...PLAIN_TYPES.map(makeTyped), table, calculated];
    const written = fc
      .tuple(record(parts.slice(1, -2)), rows)
      .map(([values, list]) => ({ ...values, [partKey(table, mode)]: list }));
    fc.assert(
      fc.property(written, (input) => {
        const encoded = encodeValues(input, parts, context).values;
        const raw = {
          '\\permissions': { allow_write: 'on', allow_delete: 'on' },
          revision: { val: '4', deny_write: 'on' },
          [partKey(own, mode)]: { val: '12', deny_write: 'on' },
          [partKey(calculated, mode)]: { val: '5', type: 'number' },
          ...Object.fromEntries(
            encoded.map(({ part, value }) => [partKey(part, mode), { val: storedVal(part, value, mode) }]),
          ),
        };
        const read = recordReader(parts)(raw);
        expect(read).toEqual({
          id: '12',
          revision: 4,
          canWrite: true,
          canDelete: true,
          ...input,
          [partKey(calculated, mode)]: 5,
        });
        const again = encodeValues(read, parts, context, { automatic: true });
        expect(new Map(again.values.map(({ part, value }) => [part, value]))).toEqual(
          new Map(encoded.map(({ part, value }) => [part, value])),
        );
        expect(again.passedOver).toEqual([calculated]);
      }),
      { numRuns: 60 },
    );
  });
});

it('every writable type is tested here', () => {
  const written = [...codecs].filter(([, codec]) => codec.write !== undefined).map(([type]) => type);
  expect(written.sort()).toEqual([...PLAIN_TYPES, 'files', 'input_list'].sort());
});
