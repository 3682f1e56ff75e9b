import { recordReader, simplifyRecord } from '../../../nodes/ApplicationDataService/parts/record';
import { makePart } from './support/parts';

describe('a key mode that is known', () => {
  const id = makePart('id', { name: 'ID', identifier: 'no', system: true });
  const code = makePart('textbox', { name: 'Code', identifier: 'ID' });
  const crossed = [
    id,
    code,
    makePart('number', { name: 'Qty', identifier: 'Size' }),
    makePart('textbox', { name: 'Size', identifier: 'Qty' }),
  ];
  const keyed = { ID: { val: 'A-1' }, no: { val: '7' }, Qty: { val: '0012' }, Size: { val: '3' } };

  it("decides if a part's identifier is the name of another, also for the ID part", () => {
    expect(simplifyRecord(keyed, crossed, { keyMode: 'identifier' })).toEqual({
      id: '7',
      revision: null,
      ID: 'A-1',
      Qty: '0012',
      Size: 3,
    });
  });

  it('returns no ID if the ID part has no identifier', () => {
    const record = simplifyRecord({ ID: { val: 'A-1' } }, [{ ...id, identifier: '' }, code], {
      keyMode: 'identifier',
    });
    expect(record).toEqual({ id: null, revision: null, ID: 'A-1' });
  });

  it('decides about reference lists that are not loaded', () => {
    const list = makePart('rel_list', { name: 'Code', identifier: 'orders' });
    const other = makePart('textbox', { name: 'Other', identifier: 'Code' });
    const raw = { Code: { val: 'x' }, orders: { val: '' } };
    const options = { keyMode: 'identifier', referenceListsLoaded: false } as const;
    expect(simplifyRecord(raw, [list, other], options)).toEqual({ id: null, revision: null, Code: 'x' });
  });

  it.each(['input_list', 'rel_list'])('decides in the rows of %s, too', (type) => {
    const table = makePart(type, { name: 'Lines', identifier: 'lines', children: crossed });
    const row = { ID: { val: '8' }, no: { val: '7' }, Qty: { val: '0012' }, Size: { val: '3' } };
    const raw = { lines: { val: { child_records: { item: [row] } } } };
    expect(simplifyRecord(raw, [table], { keyMode: 'identifier' }).lines).toEqual([
      { id: '7', ID: '8', Qty: '0012', Size: 3 },
    ]);
  });

  it('is that of the first record that shows it, for all later records and their rows', () => {
    const rows = [crossed[2]!, crossed[3]!];
    const table = makePart('input_list', { name: 'Lines', identifier: 'lines', children: rows });
    const read = recordReader([...rows, table]);
    const raw = {
      lines: { val: { child_records: { item: [{ Qty: { val: '0012' } }] } } },
      Qty: { val: '0012' },
    };
    expect(read(raw)).toEqual({ id: null, revision: null, Qty: '0012', lines: [{ id: null, Qty: '0012' }] });
    expect(read({ Qty: { val: '0012' } })).toEqual({ id: null, revision: null, Qty: '0012' });
  });
});
