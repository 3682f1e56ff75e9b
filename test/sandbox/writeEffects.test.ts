import { useClient } from './support/serviceCall';

/** interface.md, "insert_data": `auto_action` and `relookup_key_field`; "Events". */
const client = useClient();

it('auto_action runs the automatic process on add and on change unless it is off', async () => {
  const id = await client.insert('301', { '{{Company}}': 'X' });
  expect((await client.stored('301', id)).values['Last Process']).toBe('insert by Aiko Mori, revision 1');
  await client.update('301', id, { '{{Contact}}': 'y', auto_action: 'off' });
  expect((await client.stored('301', id)).values['Last Process']).toBe('insert by Aiko Mori, revision 1');
  await client.update('301', id, { '{{Contact}}': 'z', auto_action: 'on' });
  expect((await client.stored('301', id)).values['Last Process']).toBe('update by Aiko Mori, revision 3');
  const silent = await client.insert('301', { '{{Company}}': 'X', auto_action: 'off' });
  expect((await client.stored('301', silent)).values).not.toHaveProperty('Last Process');
});

describe('relookup_key_field', () => {
  const order = { '{{Order No}}': 'L', '{{Customer ID}}': '3' };

  it('copies values of the record that the key part names', async () => {
    const id = await client.insert('302', { ...order, relookup_key_field: '102' });
    expect((await client.stored('302', id)).values).toMatchObject({ 'Delivery Name': '山田商事' });
    const plain = await client.insert('302', order);
    expect((await client.stored('302', plain)).values).not.toHaveProperty('Delivery Name');
  });

  it('may be repeated', async () => {
    const lookup = (match: string, copy: string) => ({
      application: 'customers',
      match,
      copies: { Rank: copy },
    });
    const { id, parts } = await client.sandbox.createApplication({
      name: 'Lookups',
      parts: [
        { name: 'By ID', type: 'number', lookup: lookup('ID', 'One') },
        { name: 'By Name', type: 'textbox', lookup: lookup('Company', 'Two') },
        { name: 'One', type: 'textbox' },
        { name: 'Two', type: 'textbox' },
      ],
    });
    const record = await client.insert(id, {
      '{{By ID}}': '2',
      '{{By Name}}': 'Acme Engineering',
      relookup_key_field: [parts['By ID'] ?? '', parts['By Name'] ?? ''],
    });
    expect((await client.stored(id, record)).values).toMatchObject({ One: 'B', Two: 'A' });
  });

  it('a lookup copies nothing from a record that the caller may not read', async () => {
    await client.sandbox.setUser('1002', { rights: { customers: { records: { 1: { read: false } } } } });
    const tanaka = client.as('sandbox-key-tanaka');
    const order = { '{{Order No}}': 'X-1', '{{Customer ID}}': '1', relookup_key_field: '102' };
    const [mine, theirs] = [await client.insert('302', order), await tanaka.insert('302', order)];
    const stored = await client.sandbox.records('302');
    const company = (id: string) => stored.find((record) => record.id === id)?.values['Delivery Name'];
    expect([company(mine), company(theirs)]).toEqual(['Acme Engineering', undefined]);
  });

  it('empties the copies if the key finds nothing', async () => {
    await client.update('302', '1', { '{{Customer ID}}': '99', relookup_key_field: '102' });
    expect((await client.stored('302', '1')).values).not.toHaveProperty('Delivery Name');
  });
});
