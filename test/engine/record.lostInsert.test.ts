import type { Fault } from '../support/sandbox';
import { itemsOf, RETRY, useWorkplace, type Given } from './support/workplace';

/** An insert whose answer was lost, where records have a key: whose the record is that holds it then. */
const place = useWorkplace({ records: [{ Name: 'Bolt', Price: '1' }] });

const given: Given = {
  values: { Name: '={{ $json.n }}', Price: '={{ $json.p }}', Note: '={{ $json.note }}' },
  matchBy: ['Name'],
  options: { concurrency: 1 },
};
const cap = itemsOf({ n: 'Cap', p: 1, note: 'mine' });
const withRows: Given = { values: { Name: 'Cap', Lines: [{ Item: 'a' }] }, matchBy: ['Name'] };

const hide = async (part: string) =>
  await place.sandbox.setUser('1001', { rights: { goods: { parts: { [part]: 'none' } } } });

/** The insert is not done, and somebody else adds a record of the key. */
async function othersRecord(
  values: Readonly<Record<string, unknown>>,
  { hidden, others = [] }: { readonly hidden?: string; readonly others?: readonly Fault[] } = {},
): Promise<void> {
  await place.meanwhile(
    { action: 'insert_data', times: 1 },
    async () => {
      await place.sandbox.addRecords(place.app.id, [{ Name: 'Cap', ...values }]);
      if (hidden !== undefined) await hide(hidden);
    },
    [{ kind: 'drop', when: 'before', action: 'insert_data', times: 1 }, ...others],
  );
}

const noUpdate: Fault = { kind: 'ng', errorno: -1, message: 'not now', action: 'update_data', times: 1 };

/** The insert is done, and a part may not be seen any more when its record is looked for. */
async function ownRecord(hidden: string): Promise<void> {
  await place.meanwhile({ action: 'insert_data', when: 'after', times: 1 }, async () => await hide(hidden), [
    { kind: 'drop', when: 'after', action: 'insert_data', times: 1 },
  ]);
}

const caps = async () => (await place.stored()).filter(({ values }) => values.Name === 'Cap');

describe.each(['upsert', 'sync'])('%s', (operation) => {
  test.each<[string, Given, string]>([
    ['a part', given, 'Note'],
    ['a table part', withRows, 'Lines'],
  ])('its own record is known although %s may not be seen', async (_, what, hidden) => {
    await ownRecord(hidden);
    const { json, error } = await place.run(operation, what, { input: cap });
    expect([error, json]).toEqual([undefined, [{ id: '2', outcome: 'created' }]]);
    expect(await place.calls('update_data')).toEqual([]);
    expect(await caps()).toHaveLength(1);
  });

  test("somebody else's record is not taken for its own where a part may not be seen", async () => {
    await othersRecord({ Price: '9', Note: 'theirs' }, { hidden: 'Note' });
    const { error } = await place.run(operation, given, { input: cap });
    expect(error?.message).toMatch(/no right to change the part "Note"/);
    expect((await caps())[0]?.values).toMatchObject({ Price: '9', Note: 'theirs' });
  });

  test('where changing that record fails, a further try does not say that it was created', async () => {
    await othersRecord({ Price: '9' }, { others: [noUpdate] });
    const { json, error } = await place.run(operation, given, { input: cap, node: RETRY });
    expect([error, json]).toEqual([undefined, [{ id: '2', outcome: 'updated' }]]);
    expect((await caps()).map(({ values }) => [values.Price, values.Note])).toEqual([['1', 'mine']]);
  });
});

describe('upsert', () => {
  test("rows are not added to somebody else's record: it may be its own, changed since", async () => {
    await othersRecord({});
    const { error } = await place.upsert(withRows);
    expect(error?.message).toMatch(/outcome unknown/);
    expect((await caps()).map(({ values }) => values.Lines)).toEqual([undefined]);
  });

  test.each(['fail', 'skip'])('the policy %s leaves that record alone', async (conflictPolicy) => {
    await othersRecord({ Price: '9' });
    const { error } = await place.upsert({ ...given, conflictPolicy }, { input: cap });
    expect(error?.message).toMatch(/outcome unknown/);
    expect((await caps()).map(({ values }) => values.Price)).toEqual(['9']);
  });

  test('where changing that record fails, the next item of the key changes it', async () => {
    await othersRecord({ Price: '9' }, { others: [noUpdate] });
    const { json } = await place.upsert(given, {
      input: itemsOf({ n: 'Cap', p: 1 }, { n: 'Cap', p: 2 }),
      node: { onError: 'continueRegularOutput' },
    });
    expect(json).toEqual([
      { error: expect.stringMatching(/not now/) as string },
      { id: '2', outcome: 'updated' },
    ]);
    expect((await caps()).map(({ values }) => values.Price)).toEqual(['2']);
  });
});

test("sync: rows are written to somebody else's record, once", async () => {
  await othersRecord({});
  const { json, error } = await place.sync(withRows);
  expect([error, json]).toEqual([undefined, [{ id: '2', outcome: 'updated' }]]);
  expect((await caps()).map(({ values }) => values.Lines)).toEqual([
    [expect.objectContaining({ Item: 'a' })],
  ]);
});
