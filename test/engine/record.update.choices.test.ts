import { useWorkplace } from './support/workplace';

const place = useWorkplace(null);

/** A record with choices, one of which the parts no longer offer. */
beforeEach(async () => {
  const colours = ['red', 'green', 'dark, blue'];
  await place.open({
    parts: [
      { name: 'Name', type: 'textbox' },
      { name: 'Colours', type: 'checkbox', options: colours },
      { name: 'Kind', type: 'select', options: ['Screw', 'Nut'] },
      { name: 'Lines', type: 'input_list', children: [{ name: 'Colour', type: 'radio', options: ['red'] }] },
    ],
    records: [{ Name: 'Bolt', Colours: ['red', 'dark, blue'], Kind: 'Screw' }],
  });
  await place.sandbox.changeApplication(place.app.id, {
    parts: {
      Colours: { options: ['red', 'green'] },
      Kind: { options: ['Nut'] },
    },
  });
});

const stored = async () => (await place.storedAt())?.values;
test('a whole record can be written back, and that changes nothing', async () => {
  const before = await stored();
  const { json } = await place.update({ values: null }, { input: [{ json: await place.read() }] });
  expect(json).toEqual([{ id: place.record(), outcome: 'updated' }]);
  expect(await stored()).toEqual(before);
  const [sent] = await place.sent('update_data');
  expect(Object.keys(sent ?? {})).not.toEqual(expect.arrayContaining(['{{Colours}}']));
  expect(Object.keys(sent ?? {})).not.toEqual(expect.arrayContaining(['{{Kind}}']));
});

test('another part is written with them; the record is read before and while it is written', async () => {
  const { error } = await place.update({ values: { Name: 'New', Kind: 'Screw' } });
  expect(error).toBeUndefined();
  expect(await stored()).toMatchObject({ Name: 'New', Kind: 'Screw' });
  expect(await place.calls('get_data')).toHaveLength(2);
  // The choice itself is not sent: the service might refuse it.
  expect(Object.keys((await place.sent('update_data'))[0] ?? {})).not.toContain('{{Kind}}');
});

test('where the record cannot be read, that is the error: nobody knows what it holds', async () => {
  await place.sandbox.setFaults([{ kind: 'ng', action: 'get_data', errorno: -9, message: 'no' }]);
  const { error } = await place.update({ values: { Kind: 'Screw' } });
  expect([error?.message, error?.description].join()).not.toMatch(/not one of the options/);
  expect(await place.calls('update_data')).toHaveLength(0);
});

describe('Create or Update', () => {
  const upsert = async (...items: object[]) =>
    await place.upsert(
      { values: null, matchBy: ['Name'] },
      { input: items.map((json) => ({ json: { ...json } })), node: { onError: 'continueRegularOutput' } },
    );

  test('accepts it for the record that contains it', async () => {
    const before = await stored();
    const { json } = await upsert(await place.read());
    expect(json).toEqual([expect.objectContaining({ id: place.record() })]);
    expect(await stored()).toEqual(before);
  });

  test('refuses it for a new record, and for one with another choice; the others are written', async () => {
    const { json } = await upsert(
      { Name: 'Cap', Kind: 'Screw' },
      { Name: 'Bolt', Kind: 'Pin' },
      { Name: 'Cap', Kind: 'Nut' },
    );
    const refused = expect.objectContaining({
      error: expect.stringContaining('it is not one of the options') as string,
    }) as object;
    expect(json).toEqual([refused, refused, expect.objectContaining({ outcome: 'created' })]);
    expect((await place.stored()).map(({ values }) => values.Kind)).toEqual(['Screw', 'Nut']);
  });
});
