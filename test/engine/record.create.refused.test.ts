import { itemsOf, useWorkplace } from './support/workplace';

const place = useWorkplace();

describe('what is refused before anything is sent', () => {
  const bad: [string, Record<string, unknown>, RegExp, RegExp][] = [
    [
      'a text for a number',
      { Price: 'twelve' },
      /"Price".*"twelve": it is not a number/,
      /^Accepted: a number/,
    ],
    ['a choice that is none', { Kind: 'Scew' }, /"Kind".*"Scew"/, /Did you mean "Screw"\?.*Screw, Nut/],
    ['a read-only part', { 'Done By': 'me' }, /cannot be written: it is read-only/, /Leave this part out/],
    ['a part that is none', { Colour: 'red' }, /There is no part "Colour"/, /Did you mean "Colours"\?/],
    ['a child that is none', { Lines: [{ Itm: 'x' }] }, /row 1: There is no part "Itm"/, /mean "Item"\?/],
    ['a file that is none', { Name: 'x', Photo: 'data' }, /no binary field "data"/, /no files at all/],
    ['files to remove', { Photo: { remove: ['7'] } }, /a new record has no attachments to remove/, /to add/],
    ['no value at all', {}, /There is no value to write/, /Map at least one part/],
    ['only what says nothing', { Photo: [] }, /There is no value to write/, /Map at least one part/],
  ];

  test.each(bad)('%s', async (_, values, message, description) => {
    const { error } = await place.create({ values });
    expect(error?.message).toMatch(message);
    expect(error?.description).toMatch(description);
    expect(error?.context?.itemIndex).toBe(0);
    expect(await place.actions()).toEqual(['get_app']);
  });

  test('all refusals of an item are told together', async () => {
    const { error } = await place.create({ values: { Price: 'x', Kind: 'y', Name: 'ok' } });
    expect(error?.message).toBe('Several values cannot be written: "Price", "Kind"');
    expect(error?.description).toMatch(/^- Part "Price".*\n- Part "Kind".*\n"Price": Accepted/);
  });

  test('one bad item stops the run before the first record is created', async () => {
    const input = itemsOf({ p: 1 }, { p: 2 }, { p: 'three' }, { p: 4 });
    const { error } = await place.create({ values: { Price: '={{ $json.p }}' } }, { input });
    expect(error?.context?.itemIndex).toBe(2);
    expect(await place.actions()).toEqual(['get_app']);
  });

  test('no application, and a missing one', async () => {
    const none = await place.create({
      application: { __rl: true, mode: 'id', value: '={{ $json.none }}' },
      values: { Name: 'x' },
    });
    expect(none.error?.message).toBe('No application is selected');
    const unknown = await place.create({
      application: { __rl: true, mode: 'id', value: '999' },
      values: { Name: 'x' },
    });
    expect(unknown.error?.message).toMatch(/^The application 999 cannot be read/);
  });
});

describe('Dry Run', () => {
  test('shows what would be sent and what the record would be, and sends nothing', async () => {
    const input = [
      { json: {}, binary: { data: { data: 'eA==', mimeType: 'text/plain', fileName: 'a.txt' } } },
    ];
    const values = {
      Name: 'Cap',
      Price: '1.50',
      Colours: 'red\nblue',
      Lines: [{ Item: 'a' }],
      Photo: 'data',
    };
    const { json } = await place.create({ values, options: { dryRun: true, autoAction: false } }, { input });
    expect(json).toEqual([
      {
        outcome: 'created',
        dryRun: true,
        request: {
          action: 'insert_data',
          app_id: place.app.id,
          auto_action: 'off',
          '{{Name}}': 'Cap',
          '{{Price}}': '1.50',
          '{{Colours}}': 'red\tblue',
          '{{Lines}}': '[{"Item":"a"}]',
          '{{Photo}}': '(file data)',
        },
        changes: {
          Name: { to: 'Cap' },
          Price: { to: 1.5 },
          Colours: { to: ['red', 'blue'] },
          Lines: { to: [{ id: null, Item: 'a' }] },
          Photo: { to: { add: ['data'], remove: [] } },
        },
      },
    ]);
    expect(await place.actions()).toEqual(['get_app']);
  });

  test('refuses the same as the write', async () => {
    const { error } = await place.create({ values: { Price: 'x' }, options: { dryRun: true } });
    expect(error?.message).toMatch(/is not a number/);
  });
});
