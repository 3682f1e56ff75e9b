import { file, inner, useClient } from './support/serviceCall';

/** interface.md, "update_data (data change)": table parts and attachments. */
const client = useClient();

describe('Table part', () => {
  const rows = async (id: string) =>
    (await client.stored('302', id)).values.Lines as Record<string, unknown>[];
  const lines = (...sent: unknown[]) => ({ '{{Lines}}': JSON.stringify(sent) });

  it('adds rows, and calculations and sums include them', async () => {
    const id = await client.insert('302', {
      '{{Order No}}': 'T',
      ...lines({ Item: 'a', Quantity: 2, Price: '1.50' }, { Item: 'b', Quantity: '3', Price: null }),
    });
    expect(await rows(id)).toMatchObject([
      { Item: 'a', Quantity: '2', Amount: '3' },
      { Item: 'b', Quantity: '3', Amount: '0' },
    ]);
    expect((await client.stored('302', id)).values.Total).toBe('3');
  });

  it('adds rows without data_id, changes rows with it, and deletes rows that are not sent', async () => {
    const [first, second] = await rows('1');
    const answer = await client.update(
      '302',
      '1',
      lines({ data_id: second?.id, Quantity: '5' }, { Item: 'new' }),
    );
    expect(answer.status).toBe('ok');
    const after = await rows('1');
    expect(after).toMatchObject([
      { id: second?.id, Item: 'Bracket, special', Quantity: '5' },
      { Item: 'new' },
    ]);
    expect(after.map(({ id }) => id)).not.toContain(first?.id);
  });

  it('is emptied by an empty array or an empty text, and kept if it is not sent', async () => {
    await client.update('302', '2', { '{{Note}}': 'x' });
    expect(await rows('2')).toHaveLength(1);
    await client.update('302', '2', lines());
    expect(await rows('2')).toBeUndefined();
    await client.update('302', '1', { '{{Lines}}': '' });
    expect(await rows('1')).toBeUndefined();
  });

  it('refuses a row of another record', async () => {
    const [foreign] = await rows('2');
    expect((await client.update('302', '1', lines({ data_id: foreign?.id }))).status).toBe('ng');
  });
});

describe('Attachment files', () => {
  const names = async (id: string) =>
    ((await client.stored('302', id)).values.Attachments as { name: string }[]).map(({ name }) => name);

  it('are added to the existing ones, several under one name', async () => {
    await client.update('302', '1', { '{{Attachments}}': [file('a.txt', 'a'), file('b.txt', 'b')] });
    expect(await names('1')).toEqual(['order.txt', 'a.txt', 'b.txt']);
  });

  it('are deleted by del_attachment_id in the same call as others are added', async () => {
    const record = await client.record('302', '1');
    const [old] = inner(record.Attachments, 'attach');
    await client.update('302', '1', {
      '{{Attachments}}.del_attachment_id': String(old?.id),
      '{{Attachments}}': file('new.txt', 'n'),
    });
    expect(await names('1')).toEqual(['new.txt']);
    const response = await fetch(String(old?.url), { headers: { 'X-Service-Auth': client.accessKey } });
    expect(await response.json()).toMatchObject({ status: 'ng' });
  });

  it('of a row: uploaded and deleted by the number of the row', async () => {
    await client.update('302', '1', {
      '{{Lines}}0.{{Drawing}}': file('bolt.svg', '<svg/>', 'image/svg+xml'),
    });
    const after = inner((await client.record('302', '1')).Lines, 'child_records');
    const files = after.map((row) => inner(row.Drawing as never, 'attach'));
    expect(files.map((list) => list.map(({ attachdisp }) => attachdisp))).toEqual([
      ['bolt.svg'],
      ['bracket.svg'],
    ]);
    await client.update('302', '1', {
      '{{Lines}}1.{{Drawing}}.del_attachment_id': String(files[1]?.[0]?.id),
    });
    const rows = (await client.stored('302', '1')).values.Lines as Record<string, unknown>[];
    expect(rows[1]?.Drawing ?? []).toEqual([]);
    const url = String(files[0]?.[0]?.url);
    const body = await fetch(url, { headers: { 'X-Service-Auth': client.accessKey } });
    expect(await body.text()).toBe('<svg/>');
  });

  it('of a row are counted in the rows that are sent', async () => {
    const id = await client.insert('302', {
      '{{Order No}}': 'F',
      '{{Lines}}': JSON.stringify([{ Item: 'a' }, { Item: 'b' }]),
      '{{Lines}}1.{{Drawing}}': file('b.svg', '<svg/>'),
    });
    expect((await client.stored('302', id)).values.Lines).toMatchObject([
      { Item: 'a' },
      { Drawing: [{ name: 'b.svg' }] },
    ]);
  });

  it('accept part names and file names in any script, however long', async () => {
    const long = `明細 "${'長'.repeat(60)}"`;
    const { id } = await client.sandbox.createApplication({
      name: '見積',
      parts: [{ name: long, type: 'input_list', children: [{ name: '図面; name=x', type: 'files' }] }],
    });
    const record = await client.insert(id, {
      [`{{${long}}}`]: '[{}]',
      [`{{${long}}}0.{{図面; name=x}}`]: file('図 "1"; b.svg', '<svg/>'),
    });
    const [row] = (await client.stored(id, record)).values[long] as Record<string, unknown>[];
    expect(row?.['図面; name=x']).toMatchObject([{ name: '図 "1"; b.svg' }]);
  });

  it('of a kept row stay when the row is sent', async () => {
    const rows = (await client.stored('302', '1')).values.Lines as { id: string }[];
    const sent = JSON.stringify(rows.map(({ id }) => ({ data_id: id, Item: 'x' })));
    await client.update('302', '1', { '{{Lines}}': sent });
    expect((await client.stored('302', '1')).values.Lines).toMatchObject([
      {},
      { Drawing: [{ name: 'bracket.svg' }] },
    ]);
  });

  it('ignores an empty file field, which forms send', async () => {
    const form = new FormData();
    const sent = { action: 'update_data', app_id: '302', data_id: '1', '{{revision}}': '0' };
    for (const [name, value] of Object.entries(sent)) form.append(name, value);
    form.append('{{Attachments}}', new Blob([]), '');
    expect(await (await client.fetch({ body: form })).json()).toMatchObject({ status: 'ok' });
    expect(await names('1')).toEqual(['order.txt']);
  });
});
