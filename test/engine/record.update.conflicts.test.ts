import { itemsOf, useWorkplace } from './support/workplace';

const place = useWorkplace();

describe('conflicts', () => {
  const guarded = { values: { Name: 'Mine' }, revision: '={{ $json.revision }}' };

  test('overwrite: the last one to write wins', async () => {
    await place.change({ Name: 'Theirs' });
    expect((await place.update({ values: { Name: 'Mine' } })).json[0]?.outcome).toBe('updated');
    expect((await place.storedAt())?.values.Name).toBe('Mine');
  });

  test.each(['fail', 'skip', 'merge'])(
    '%s: without a conflict, it is one request under the revision',
    async (conflictPolicy) => {
      const { json } = await place.update(
        { ...guarded, conflictPolicy },
        { input: itemsOf({ revision: 1 }) },
      );
      expect(json).toEqual([{ id: place.record(), outcome: 'updated' }]);
      expect(await place.actions()).toEqual(['get_app', 'update_data']);
      expect((await place.sent('update_data'))[0]?.['{{revision}}']).toBe('1');
    },
  );

  test('fail: with Map Automatically, rows that the record holds do not differ', async () => {
    await place.open({ records: [{ Name: 'Bolt', Lines: [{ Item: 'a', Qty: '1' }] }] });
    await place.change({ Name: 'Theirs' });
    const { error } = await place.update(
      { values: null, revision: '={{ $json.revision }}', conflictPolicy: 'fail' },
      { input: itemsOf({ revision: 1, Name: 'Mine', Lines: [{ Item: 'a', Qty: 1 }] }) },
    );
    expect(error?.message).toMatch(/Different since then: "Name"$/);
  });

  test('fail: names both revisions and the parts that differ', async () => {
    const record = await place.read();
    await place.change({ Name: 'Theirs', Price: '1' });
    await place.change({ Price: '2' });
    const { error } = await place.update(
      { ...guarded, values: { Name: 'Mine', Kind: 'Nut' }, conflictPolicy: 'fail' },
      { input: itemsOf(record) },
    );
    expect(error?.message).toBe(
      `The record ${place.record()} was changed in the meantime: the item has revision 1, the service 3. Different since then: "Name", "Price", "Double"`,
    );
    expect((await place.storedAt())?.values.Name).toBe('Theirs');
  });

  test.each(['fail', 'merge'])(
    '%s: a revision above that of the record is no change by others',
    async (policy) => {
      const { error } = await place.update({
        values: { Name: 'Mine' },
        conflictPolicy: policy,
        revision: '9',
      });
      expect(error?.message).toBe(
        `The newest revision of the record ${place.record()} is 1, but the item has revision 9. Different from the item: "Name"`,
      );
      expect(error?.description).toContain('The revision may be that of another record');
      expect((await place.storedAt())?.values.Name).toBe('Bolt');
    },
  );

  test('merge: nor where the item has the values of the record', async () => {
    const { error } = await place.update(
      { values: { Price: '5' }, conflictPolicy: 'merge', revision: '9' },
      { input: [{ json: { Price: (await place.storedAt())?.values.Price as string } }] },
    );
    expect(error?.message).toMatch(
      /^The newest revision of the record \S+ is 1, but the item has revision 9/,
    );
    expect((await place.storedAt())?.revision).toBe(1);
  });

  test('skip: passes the item on', async () => {
    await place.change({ Price: '1' });
    const { json, error } = await place.update(
      { ...guarded, conflictPolicy: 'skip' },
      { input: itemsOf({ revision: 1 }) },
    );
    expect([error, json]).toEqual([undefined, [{ id: place.record(), outcome: 'conflict' }]]);
    expect((await place.storedAt())?.values.Name).toBe('Bolt');
  });

  test('merge: writes if nobody changed the same parts, on the newer revision', async () => {
    const record = await place.read();
    await place.change({ Price: '1' });
    const { json } = await place.update({ ...guarded, conflictPolicy: 'merge' }, { input: itemsOf(record) });
    expect(json).toEqual([{ id: place.record(), outcome: 'updated' }]);
    expect(await place.storedAt()).toMatchObject({ revision: 3, values: { Name: 'Mine', Price: '1' } });
    expect((await place.sent('update_data')).map((fields) => fields['{{revision}}'])).toEqual(['1', '2']);
  });

  test.each<[string, (record: object) => object]>([
    ['the same part was changed', (record) => record],
    ['the item does not know the old value', () => ({ revision: 1 })],
  ])('merge: fails if %s', async (_, itemOf) => {
    const record = await place.read();
    await place.change({ Name: 'Theirs' });
    const { error } = await place.update(
      { ...guarded, conflictPolicy: 'merge' },
      { input: itemsOf({ ...itemOf(record) }) },
    );
    expect(error?.message).toMatch(/item has revision 1, the service 2\. Different since then: "Name"/);
    expect((await place.storedAt())?.values.Name).toBe('Theirs');
  });

  test.each([
    { failureStatus: '400' },
    { failureStatus: '500' },
    { refusals: 'alike' },
    { counts: 'number', ids: 'number' },
  ])('are recognized by the revision, whatever the refusal looks like: %o', async (dialect) => {
    await place.sandbox.setDialect(dialect);
    await place.change({ Price: '1' });
    const input = itemsOf({ revision: 1, Name: 'Bolt' });
    expect((await place.update({ ...guarded, conflictPolicy: 'skip' }, { input })).json[0]?.outcome).toBe(
      'conflict',
    );
    const { error } = await place.update({ ...guarded, conflictPolicy: 'fail' }, { input });
    expect(error?.message).toMatch(/the item has revision 1, the service 2/);
  });

  test('another refusal is no conflict', async () => {
    const input = itemsOf({ revision: 1 });
    const { error } = await place.update(
      { ...guarded, values: { Owner: '9999' }, conflictPolicy: 'skip' },
      { input },
    );
    expect(error?.message).toMatch(/^The service refused: The part "Owner"/);
  });

  test('a conflict that Skip Unchanged finds is one, too', async () => {
    await place.change({ Price: '1' });
    const { json } = await place.update(
      { ...guarded, conflictPolicy: 'skip', options: { skipUnchanged: true } },
      { input: itemsOf({ revision: 1 }) },
    );
    expect(json[0]?.outcome).toBe('conflict');
  });
});
