import { useWorkplace } from './support/workplace';

const place = useWorkplace();

describe('a lost answer', () => {
  const drop = (when: 'before' | 'after', times = 1) =>
    ({ kind: 'drop', when, action: 'update_data', times }) as const;

  test.each([
    ['overwrite', {}],
    ['guarded', { conflictPolicy: 'fail', revision: '1' }],
  ])('%s: done, as reading the record shows', async (_, policy) => {
    await place.sandbox.setFaults([drop('after')]);
    const { json, error } = await place.update({ values: { Name: 'Mine', Price: '1.50' }, ...policy });
    expect([error, json]).toEqual([undefined, [{ id: place.record(), outcome: 'updated' }]]);
    expect(await place.calls('update_data')).toHaveLength(1);
    expect((await place.storedAt())?.revision).toBe(2);
  });

  test('guarded: certainly not done, so it is done now', async () => {
    await place.sandbox.setFaults([drop('before')]);
    const { json } = await place.update({ values: { Name: 'Mine' }, conflictPolicy: 'fail', revision: '1' });
    expect(json).toEqual([{ id: place.record(), outcome: 'updated' }]);
    expect(await place.storedAt()).toMatchObject({ revision: 2, values: { Name: 'Mine' } });
  });

  test('guarded: given up after a few tries', async () => {
    await place.sandbox.setFaults([drop('before', 99)]);
    const { error } = await place.update({ values: { Name: 'Mine' }, conflictPolicy: 'fail', revision: '1' });
    expect(error?.message).toMatch(/outcome unknown/);
    expect((await place.calls('update_data')).length).toBeLessThan(6);
  });

  test('overwrite: not done if the record does not contain the values, so it is done now', async () => {
    await place.sandbox.setFaults([drop('before')]);
    const { json } = await place.update({ values: { Name: 'Mine' } });
    expect(json).toEqual([{ id: place.record(), outcome: 'updated' }]);
    expect(await place.calls('update_data')).toHaveLength(2);
  });

  test('overwrite: not done after a few tries', async () => {
    await place.sandbox.setFaults([drop('before', 99)]);
    const { error } = await place.update({ values: { Name: 'Mine' } });
    expect(error?.message).toBe(
      'The record 1 was not changed: the service did not answer, and the record does not hold the values that were sent',
    );
    expect((await place.calls('update_data')).length).toBeLessThan(6);
  });

  test('overwrite: unknown if the record does not show the values', async () => {
    await place.sandbox.setUser('1001', { rights: { [place.app.identifier]: { parts: { Note: 'none' } } } });
    await place.sandbox.setFaults([drop('after')]);
    const { error } = await place.update({ values: { Note: 'Mine' } });
    expect(error?.message).toMatch(/outcome unknown/);
    expect(error?.description).toMatch(/does not hold all the values that were sent, or does not tell/);
    expect(await place.calls('update_data')).toHaveLength(1);
  });

  test('unknown if the record cannot be read either', async () => {
    await place.sandbox.setFaults([
      drop('after'),
      { kind: 'ng', action: 'get_data', errorno: -1, message: 'gone' },
    ]);
    const { error } = await place.update({ values: { Name: 'Mine' }, conflictPolicy: 'fail', revision: '1' });
    expect(error?.message).toMatch(/outcome unknown/);
  });

  test('rows that replace others go under the revision that was read, which tells', async () => {
    await place.sandbox.setFaults([drop('after')]);
    const { json, error } = await place.update({
      values: { Lines: [{ Item: 'a' }] },
      options: { tableRowMode: 'replace' },
    });
    expect([error, json]).toEqual([undefined, [{ id: place.record(), outcome: 'updated' }]]);
    expect((await place.sent('update_data')).map((fields) => fields['{{revision}}'])).toEqual(['1']);
  });

  test('merged rows are settled by the revision: never added twice', async () => {
    for (const when of ['before', 'after'] as const) {
      await place.open();
      await place.sandbox.setFaults([drop(when)]);
      const { json } = await place.update({ values: { Lines: [{ Item: 'a' }] } });
      expect(json).toEqual([{ id: place.record(), outcome: 'updated' }]);
      expect((await place.storedAt())?.values.Lines).toHaveLength(1);
    }
  });

  test.each([{ kind: 'cut' }, { kind: 'cut', how: 'abort' }, { kind: 'html', when: 'after' }] as const)(
    'the same for %o',
    async (fault) => {
      const timing = fault.kind === 'cut' ? {} : { when: fault.when };
      await place.sandbox.setFaults([{ ...fault, ...timing, action: 'update_data', times: 1 }]);
      const { json } = await place.update({ values: { Name: 'Mine' } });
      expect(json).toEqual([{ id: place.record(), outcome: 'updated' }]);
      expect(await place.calls('update_data')).toHaveLength(1);
    },
  );

  test("after a gateway's timeout, the revision decides", async () => {
    await place.sandbox.setFaults([{ kind: 'status', status: 502, action: 'update_data', times: 1 }]);
    const { json } = await place.update({ values: { Name: 'Mine' }, conflictPolicy: 'fail', revision: '1' });
    expect(json).toEqual([{ id: place.record(), outcome: 'updated' }]);
    expect((await place.storedAt())?.revision).toBe(2);
  });
});
