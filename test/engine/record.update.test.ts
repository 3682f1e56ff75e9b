import { itemsOf, useWorkplace } from './support/workplace';

const place = useWorkplace();

describe('requests and output', () => {
  test('an overwrite is one request for each record, under revision 0, with only the mapped parts', async () => {
    const { items } = await place.update(
      {
        recordId: '={{ $json.id }}',
        values: { [place.part('Name')]: '={{ $json.n }}', Price: '={{ null }}' },
      },
      { input: itemsOf({ id: place.record(), n: 'A' }, { id: Number(place.record(1)), n: 'B' }) },
    );
    expect(items).toEqual([
      { json: { id: place.record(), outcome: 'updated' }, pairedItem: { item: 0 } },
      { json: { id: place.record(1), outcome: 'updated' }, pairedItem: { item: 1 } },
    ]);
    expect((await place.actions()).sort()).toEqual(['get_app', 'update_data', 'update_data']);
    expect((await place.sent('update_data'))[0]).toEqual({
      action: 'update_data',
      app_id: place.app.id,
      data_id: place.record(),
      '{{revision}}': '0',
      '{{Name}}': 'A',
      '{{Price}}': '',
    });
    const stored = await place.storedAt();
    expect(stored).toMatchObject({ revision: 2, values: { Name: 'A', Colours: ['red', 'blue'] } });
    expect(stored?.values).not.toHaveProperty('Price');
  });

  test('a record as read can be written back, and that changes nothing', async () => {
    await place.open({
      records: [
        {
          Name: 'Bolt',
          Price: '1200',
          Colours: ['blue', 'red'],
          Seen: '2026-03-01T09:30',
          Owner: ['1001', '1002'],
          Note: 'a\n"b"',
          Photo: [{ name: 'a.txt', text: 'x' }],
          Lines: [{ Item: 'a', Qty: '1.5' }, { Qty: '2' }],
        },
      ],
    });
    const before = await place.storedAt();
    const record = await place.read();
    const written = await place.update({ values: null }, { input: itemsOf(record) });
    expect(written.error).toBeUndefined();
    expect(written.hints).toHaveLength(1);
    expect(await place.storedAt()).toMatchObject({ revision: 2, values: before?.values });

    const skipped = await place.update(
      { values: null, options: { skipUnchanged: true } },
      { input: itemsOf(record) },
    );
    expect(skipped.json).toEqual([{ id: place.record(), outcome: 'unchanged' }]);
    expect((await place.storedAt())?.revision).toBe(2);
  });

  test('Skip Unchanged sends only what differs, and nothing if nothing differs', async () => {
    const values = { Name: 'Bolt', Price: '1,200.0', Colours: 'blue\nred', Due: '2026-03-01T23:00' };
    const same = await place.update({ values, options: { skipUnchanged: true } });
    expect(same.json).toEqual([{ id: place.record(), outcome: 'unchanged' }]);
    expect(await place.calls('update_data')).toHaveLength(0);

    const other = await place.update({
      values: { ...values, Kind: 'Nut' },
      options: { skipUnchanged: true },
    });
    expect(other.json).toEqual([{ id: place.record(), outcome: 'updated' }]);
    const [fields] = await place.sent('update_data');
    expect(Object.keys(fields ?? {}).filter((name) => name.startsWith('{{'))).toEqual([
      '{{revision}}',
      '{{Kind}}',
    ]);
  });

  test('a lookup key part is sent even if it did not change', async () => {
    const orders = {
      application: { __rl: true, mode: 'identifier', value: 'orders' },
      recordId: '1',
    } as const;
    const { error } = await place.update({
      ...orders,
      values: { 'Customer ID': 1, Note: 'again' },
      options: { skipUnchanged: true, relookupKeyParts: ['Customer ID'] },
    });
    expect(error).toBeUndefined();
    expect((await place.sent('update_data'))[0]).toMatchObject({
      '{{Customer ID}}': '1',
      '{{Note}}': 'again',
    });
  });

  test('Parts to Empty empties every kind of part', async () => {
    await place.open({
      records: [
        {
          Name: 'Bolt',
          Price: '7',
          Colours: ['red'],
          Owner: ['1001'],
          Photo: [
            { name: 'a.txt', text: 'x' },
            { name: 'b.txt', text: 'y' },
          ],
          Lines: [{ Item: 'a' }],
        },
      ],
    });
    const { error, json } = await place.update({
      values: { Name: 'Screw' },
      options: { partsToEmpty: [place.part('Price'), 'Colours', 'Owner', 'Photo', 'Lines'] },
    });
    expect(error).toBeUndefined();
    expect(json).toEqual([{ id: place.record(), outcome: 'updated' }]);
    expect((await place.storedAt())?.values).toEqual({ Name: 'Screw', Double: '0' });

    const clash = await place.update({ values: { Name: 'x' }, options: { partsToEmpty: '={{ "Name" }}' } });
    expect(clash.error?.message).toMatch(
      /"Name" \(ID \d+\) has a value, but is also one of the parts to empty/,
    );
    const readOnly = await place.update({ values: { Name: 'x' }, options: { partsToEmpty: ['Done By'] } });
    expect(readOnly.error?.message).toMatch(/"Done By".*it is read-only/);
    expect((await place.storedAt())?.values).toEqual({ Name: 'Screw', Double: '0' });
  });

  test('Return Record outputs the record after the write', async () => {
    const { json } = await place.update({ values: { Price: 3 }, options: { returnRecord: true } });
    expect(json).toEqual([{ ...(await place.read()), outcome: 'updated' }]);
    expect(json[0]).toMatchObject({ revision: 2, Price: 3, Double: 6 });
  });

  test('automatic processing is on unless it is switched off', async () => {
    await place.open({ automatic: [{ on: 'update', part: 'Done By', value: '{user}' }] });
    await place.update({ values: { Name: 'a' }, options: { autoAction: false } });
    expect((await place.storedAt())?.values).not.toHaveProperty('Done By');
    await place.update({ values: { Name: 'a' } });
    expect((await place.storedAt())?.values).toHaveProperty('Done By', 'Aiko Mori');
  });
});

describe('Dry Run', () => {
  test('shows what would be sent and what would change, and sends nothing', async () => {
    const { json } = await place.update({
      values: { Name: 'Screw', Price: '1,200', Kind: '={{ null }}', Colours: 'red' },
      conflictPolicy: 'fail',
      revision: '1',
      options: { dryRun: true },
    });
    expect(json).toEqual([
      {
        id: place.record(),
        outcome: 'updated',
        dryRun: true,
        request: {
          action: 'update_data',
          app_id: place.app.id,
          data_id: place.record(),
          '{{revision}}': '1',
          '{{Name}}': 'Screw',
          '{{Price}}': '1200',
          '{{Kind}}': '',
          '{{Colours}}': 'red',
        },
        changes: { Name: { from: 'Bolt', to: 'Screw' }, Colours: { from: ['red', 'blue'], to: ['red'] } },
      },
    ]);
    expect(await place.calls('update_data')).toHaveLength(0);
  });

  test('says that nothing would be sent', async () => {
    const same = await place.update({
      values: { Name: 'Bolt' },
      options: { dryRun: true, skipUnchanged: true },
    });
    expect(same.json).toEqual([
      { id: place.record(), outcome: 'unchanged', dryRun: true, request: {}, changes: {} },
    ]);
    await place.change({ Price: '1' });
    const conflict = await place.update({
      values: { Name: 'x' },
      conflictPolicy: 'skip',
      revision: '1',
      options: { dryRun: true },
    });
    expect(conflict.json[0]).toMatchObject({ outcome: 'conflict', request: {}, changes: {} });
  });
});
