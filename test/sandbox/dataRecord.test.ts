import { containing, matching } from './support/matchers';
import { fields, file, inner, permissions, useClient } from './support/serviceCall';

/** interface.md, "Data record (from get_data, and items of list_data)". */
const client = useClient('kept');

describe('Data record', () => {
  it('contains permissions under a key with one backslash, escaped in the JSON text', async () => {
    const response = await client.fetch({
      body: new URLSearchParams({ action: 'get_data', app_id: '301', data_id: '1' }),
    });
    const text = await response.text();
    expect(text).toContain('"\\\\permissions":{"allow_write":"on","allow_delete":"on"}');
    expect(JSON.parse(text)).toHaveProperty(['record', permissions]);
  });

  it('contains the revision with deny_write', async () => {
    expect((await client.record('301', '1')).revision).toEqual({ val: '1', deny_write: 'on' });
  });

  it('marks what cannot be changed, and nothing else, with deny_write', async () => {
    const record = await client.record('302', '1');
    const denied = Object.keys(record).filter((key) => record[key]?.deny_write === 'on');
    expect(denied).toEqual([
      ...['ID', 'Created at', 'Created by', 'Updated at', 'Updated by', 'Customer', 'Customer Rank'],
      ...['Total', 'Average Price', 'Processed', 'revision'],
    ]);
    expect(record['Order No']).toEqual({ val: 'O-2026-001' });
  });

  it('returns the type of auto calculations, and a hint if they have an error', async () => {
    expect((await client.record('302', '1')).Total).toEqual({ val: '292', type: 'number', deny_write: 'on' });
    const empty = await client.record('302', '3');
    expect(empty['Average Price']).toEqual({
      val: '',
      type: 'number',
      hint: 'Division by zero',
      deny_write: 'on',
    });
  });
});

describe('Value formats', () => {
  const samples: readonly (readonly [part: string, sent: string, read: unknown])[] = [
    ['Company', 'Änderung "quoted" {{x}} & more', 'Änderung "quoted" {{x}} & more'],
    ['Address', 'line 1\nline 2\ttabbed', 'line 1\nline 2\ttabbed'],
    ['Rank', 'B', 'B'],
    ['Industry', 'Something else', 'Something else'],
    ['Interests', 'Tools\tMachines', 'Tools\tMachines'],
    ['Regions', 'South', 'South'],
    ['Credit Limit', '-1200.50', '-1200.50'],
    ['Customer Since', '2024-02-29', '2024-02-29'],
    ['Call Before', '90000', 90000],
    ['Next Visit', '2026-12-31T23:59', '2026-12-31T23:59'],
    ['Remarks', '<p>a &lt; b</p>', '<p>a &lt; b</p>'],
    [
      'Account Managers',
      '1002\t1001',
      {
        users: {
          item: [
            { id: '1002', Name: 'Ken Tanaka' },
            { id: '1001', Name: 'Aiko Mori' },
          ],
        },
      },
    ],
    ['Departments', '203', { groups: { item: [{ id: '203', Name: 'Accounting' }] } }],
  ];

  it.each(samples)('%s: writes %j and reads it back', async (part, sent, read) => {
    const id = await client.insert('301', { '{{Company}}': 'X', [`{{${part}}}`]: sent });
    expect((await client.record('301', id))[part]).toEqual({ val: read });
  });

  it.each(samples.filter(([part]) => part !== 'Company'))(
    '%s: an empty text empties it',
    async (part, sent) => {
      const id = await client.insert('301', { '{{Company}}': 'X', [`{{${part}}}`]: sent });
      await client.update('301', id, { [`{{${part}}}`]: '' });
      const [stored] = (await client.sandbox.records('301')).filter((record) => record.id === id);
      expect(stored?.values).not.toHaveProperty([part]);
    },
  );

  it('Attachment files: id, name, type, address and size', async () => {
    const id = await client.insert('301', {
      '{{Company}}': 'X',
      '{{Documents}}': file('見積 1.pdf', 'content', 'application/pdf'),
    });
    const [attached] = inner((await client.record('301', id)).Documents, 'attach');
    expect(attached).toEqual({
      id: matching(/^\d+$/),
      attachdisp: '見積 1.pdf',
      mimetype: 'application/pdf',
      url: containing(`appsuite.cgi?action=download_data_file&app_id=301&field_id=116&id=`),
      size: '7',
    });
  });

  it('User: as users, in system parts', async () => {
    const record = await client.record('301', '1');
    expect(inner(record['Created by'], 'users')).toEqual([{ id: '1001', Name: 'Aiko Mori' }]);
    expect(record['Created at']?.val).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/);
  });

  it('Table part: rows of part values, each with its id', async () => {
    const [line] = inner((await client.record('302', '1')).Lines, 'child_records');
    expect(line).toMatchObject({
      data_id: '1',
      Item: { val: 'Hex bolt M8' },
      Quantity: { val: '200' },
      Amount: { val: '70', type: 'number', deny_write: 'on' },
      Packed: { val: 'Yes' },
    });
  });

  it('Reference list: like a table part, with the records that refer to this one', async () => {
    const rows = inner((await client.record('301', '1')).Orders, 'child_records');
    expect(rows).toEqual([
      {
        'Order No': { val: 'O-2026-001', deny_write: 'on' },
        'Ordered On': { val: '2026-10-02', deny_write: 'on' },
        Total: { val: '292', deny_write: 'on' },
      },
      {
        'Order No': { val: 'O-2026-003', deny_write: 'on' },
        'Ordered On': { val: '2026-11-02', deny_write: 'on' },
        Total: { val: '0', deny_write: 'on' },
      },
    ]);
  });

  it('Reference part: the value of the other record', async () => {
    const record = await client.record('302', '2');
    expect(record.Customer).toEqual({ val: 'Birch & Sons', deny_write: 'on' });
    const [item] = await client.list('list_data', {
      app_id: '302',
      fields: fields('Customer Rank'),
      limit: '1',
    });
    expect(item?.['Customer Rank']).toEqual({ val: 'A', deny_write: 'on' });
  });
});
