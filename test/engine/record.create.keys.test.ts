import { itemsOf, useWorkplace } from './support/workplace';

const place = useWorkplace();

describe('part names that look like something else', () => {
  const parts = ['id', 'revision', 'outcome', 'Say "hi" {now}', '絵文字 😀', 'tab\there'].map((name) => ({
    name,
    type: 'textbox',
  }));

  test('reserved keys are output and accepted as "<key> (part)"', async () => {
    await place.open({ parts, records: [] });
    const input = itemsOf({ id: '5', 'id (part)': 'a', 'revision (part)': 'b', 'outcome (part)': 'c' });
    const { json } = await place.create({ values: null, options: { returnRecord: true } }, { input });
    expect(json[0]).toMatchObject({
      id: '1',
      revision: 1,
      outcome: 'created',
      'id (part)': 'a',
      'outcome (part)': 'c',
    });
    expect((await place.stored())[0]?.values).toEqual({ id: 'a', revision: 'b', outcome: 'c' });
  });

  test('quotes, braces, emoji and tabs are kept', async () => {
    await place.open({ parts, records: [] });
    const values = { 'Say "hi" {now}': '1', '絵文字 😀': '2', 'tab\there': '3' };
    const { error } = await place.create({ values });
    expect(error).toBeUndefined();
    expect((await place.stored())[0]?.values).toEqual(values);
  });

  test('double braces and equal names are refused with a sentence', async () => {
    await place.open({
      parts: [
        { name: 'a}}b', type: 'textbox' },
        { name: 'Twin', type: 'textbox' },
        { name: 'Other', type: 'textbox' },
      ],
      records: [],
    });
    const braces = await place.create({ values: { 'a}}b': 'x' } });
    expect(braces.error?.message).toMatch(/cannot be written: its name contains double braces/);
    await place.sandbox.changeApplication(place.app.id, { parts: { Other: { name: 'Twin' } } });
    const twins = await place.create({ values: { [place.part('Twin')]: 'x' } });
    expect(twins.error?.message).toMatch(/another part has the same name, "Twin"/);
    expect(await place.calls('insert_data')).toHaveLength(0);
  });
});

describe('the key of a part', () => {
  const parts = [
    { name: 'Title', type: 'textbox', identifier: 'title' },
    { name: 'Size', type: 'number', identifier: 'size' },
  ];

  test('is found from a record, once in a run', async () => {
    for (const partIdentifierMode of [false, true]) {
      await place.open({
        parts,
        partIdentifierMode,
        records: [{ Title: 'a' }],
        systemIdentifiers: { id: 'no' },
      });
      const { error } = await place.create({ values: { Title: 'b' } }, { input: itemsOf({}, {}) });
      expect(error).toBeUndefined();
      const key = partIdentifierMode ? '{{title}}' : '{{Title}}';
      expect(await place.sent('insert_data')).toEqual([
        expect.objectContaining({ [key]: 'b' }),
        expect.objectContaining({ [key]: 'b' }),
      ]);
      expect(await place.calls('list_data')).toHaveLength(1);
    }
  });

  test('must be chosen if nothing shows it, and is used as chosen', async () => {
    await place.open({ parts, partIdentifierMode: true, records: [] });
    const asked = await place.create({ values: { Title: 'b' } });
    expect(asked.error?.message).toMatch(/not known whether the application "Goods" takes part names/);
    expect(asked.error?.description).toMatch(/option "Part Key"/);
    expect(await place.calls('insert_data')).toHaveLength(0);

    const { error } = await place.create({ values: { Title: 'b' }, options: { partKey: 'identifier' } });
    expect(error).toBeUndefined();
    expect((await place.stored())[0]?.values).toEqual({ Title: 'b' });
  });

  test('a part without an identifier cannot be written by identifier', async () => {
    await place.open({
      parts: [...parts, { name: 'Bare', type: 'textbox' }],
      partIdentifierMode: true,
      records: [{ Title: 'a' }],
    });
    const { error } = await place.create({ values: { Bare: 'x' } });
    expect(error?.message).toMatch(/"Bare" \(ID \d+\) cannot be written: it has no part identifier/);
  });
});
