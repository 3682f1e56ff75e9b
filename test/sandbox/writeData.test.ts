import { containing } from './support/matchers';
import { useClient } from './support/serviceCall';

/** interface.md, "insert_data (data addition)" and "update_data (data change)". */
const client = useClient();

describe('insert_data', () => {
  it('returns the ID of the added data, which starts with revision 1', async () => {
    const answer = await client.ok('insert_data', { app_id: '@inventory', '{{Item No}}': 'N-1' });
    expect(answer).toEqual({ status: 'ok', ID: '5' });
    expect(await client.stored('inventory', '5')).toMatchObject({
      revision: 1,
      createdBy: '1001',
      updatedBy: '1001',
    });
  });

  it('assigns ids that are never used again', async () => {
    const first = await client.insert('303', { '{{Item No}}': 'a' });
    await client.ok('delete_data', { app_id: '303', data_id: first });
    expect(Number(await client.insert('303', { '{{Item No}}': 'b' }))).toBeGreaterThan(Number(first));
  });

  it('undoes everything of a refused call, including its id', async () => {
    const refused = await client.call('insert_data', { app_id: '303', '{{Item}}': 'no number' });
    expect(refused).toMatchObject({ status: 'ng', errmsgadd: '{{Item No}}' });
    expect(await client.insert('303', { '{{Item No}}': 'N-2' })).toBe('5');
  });

  it('adds an empty record when no part is sent and none is required', async () => {
    const { id } = await client.sandbox.createApplication({
      name: 'Free',
      parts: [{ name: 'Text', type: 'textbox' }],
    });
    expect(await client.insert(id, {})).toBe('1');
  });

  it('accepts other values if the part allows them', async () => {
    const id = await client.insert('301', { '{{Company}}': 'X', '{{Industry}}': 'Fishing' });
    expect((await client.stored('301', id)).values.Industry).toBe('Fishing');
  });

  it('writes a part named revision, for there is no revision parameter', async () => {
    const { id } = await client.sandbox.createApplication({
      name: 'Clash',
      parts: [{ name: 'revision', type: 'textbox' }],
    });
    const record = await client.insert(id, { '{{revision}}': 'mine' });
    expect((await client.stored(id, record)).values).toEqual({ revision: 'mine' });
  });
});

describe('update_data and the revision', () => {
  it('changes the parts that are sent, keeps the others, and raises the revision', async () => {
    const answer = await client.update('302', '1', { '{{revision}}': '1', '{{Status}}': 'Paid' });
    expect(answer).toEqual({ status: 'ok', ID: '1' });
    const record = await client.stored('302', '1');
    expect(record).toMatchObject({ revision: 2, values: { Status: 'Paid', 'Order No': 'O-2026-001' } });
  });

  it('rejects another revision than the current one', async () => {
    await client.update('302', '1', { '{{Status}}': 'Paid' });
    for (const revision of ['1', '3']) {
      const answer = await client.update('302', '1', { '{{revision}}': revision, '{{Status}}': 'New' });
      expect(answer).toMatchObject({ status: 'ng', errormessage: containing('{{revision}}') });
    }
    expect((await client.stored('302', '1')).values.Status).toBe('Paid');
  });

  it('skips the check with 0', async () => {
    await client.update('302', '1', { '{{Status}}': 'Paid' });
    expect((await client.update('302', '1', { '{{revision}}': '0' })).status).toBe('ok');
  });

  it('records who changed the data and when, to the minute', async () => {
    await client.sandbox.setClock('2027-03-04T05:06:59');
    const { values: before } = await client.stored('302', '2');
    await client.update('302', '2', { '{{Status}}': 'Paid' });
    const record = await client.stored('302', '2');
    expect(record).toMatchObject({ updatedAt: '2027-03-04T05:06', updatedBy: '1001' });
    expect(record.createdAt).not.toBe(record.updatedAt);
    expect({ ...record.values, Processed: '' }).toEqual({ ...before, Status: 'Paid', Processed: '' });
  });

  it('writes all or nothing', async () => {
    const before = await client.stored('302', '1');
    const answer = await client.update('302', '1', { '{{Status}}': 'Paid', '{{Ordered On}}': 'tomorrow' });
    expect(answer.status).toBe('ng');
    expect(await client.stored('302', '1')).toEqual(before);
  });
});
