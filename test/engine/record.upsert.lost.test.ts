import type { Fault } from '../support/sandbox';
import { itemsOf, RETRY, useWorkplace, type RunSettings } from './support/workplace';

/** Inserts whose answer was lost, with a record that then has the key: is it the insert's own? */
const place = useWorkplace({ records: [{ Name: 'Bolt', Price: '1' }] });

const settings: RunSettings = {
  values: { Name: '={{ $json.n }}', Price: '={{ $json.p }}', Note: '={{ $json.note }}' },
  matchBy: ['Name'],
};
const cap = itemsOf({ n: 'Cap', p: 1, note: 'mine' });
const withRows: RunSettings = { values: { Name: 'Cap', Lines: [{ Item: 'a' }] }, matchBy: ['Name'] };

const hide = async (part: string) =>
  await place.sandbox.setUser('1001', { rights: { goods: { parts: { [part]: 'none' } } } });

/** Loses the insert, and adds a record with the key as somebody else. */
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

/** Does the insert but loses its answer, and hides a part when its record is searched. */
async function ownRecord(hidden: string): Promise<void> {
  await place.meanwhile({ action: 'insert_data', when: 'after', times: 1 }, async () => await hide(hidden), [
    { kind: 'drop', when: 'after', action: 'insert_data', times: 1 },
  ]);
}

const caps = async () => (await place.stored()).filter(({ values }) => values.Name === 'Cap');

describe.each(['upsert', 'sync'])('%s', (operation) => {
  test.each<[string, RunSettings, string]>([
    ['a part', settings, 'Note'],
    ['a table part', withRows, 'Lines'],
  ])('its own record is recognized even if %s is hidden', async (_, what, hidden) => {
    await ownRecord(hidden);
    const { json } = await place.run(operation, what, { input: cap });
    expect(json).toEqual([{ id: '2', outcome: 'created' }]);
    expect(await place.calls('update_data')).toEqual([]);
    expect(await caps()).toHaveLength(1);
  });

  test("somebody else's record is not mistaken for its own if a part is hidden", async () => {
    await othersRecord({ Price: '9', Note: 'theirs' }, { hidden: 'Note' });
    const { error } = await place.run(operation, settings, { input: cap });
    expect(error?.message).toMatch(/no right to change the part "Note"/);
    expect((await caps())[0]?.values).toMatchObject({ Price: '9', Note: 'theirs' });
  });

  test("rows are not added to somebody else's record, because it may be its own and changed since", async () => {
    await othersRecord({});
    const { error } = await place.run(operation, withRows);
    expect(error?.message).toMatch(/outcome unknown/);
    expect((await caps()).map(({ values }) => values.Lines)).toEqual([undefined]);
  });

  test('if changing that record fails, a later try does not report it as created', async () => {
    await othersRecord({ Price: '9' }, { others: [noUpdate] });
    const { json } = await place.run(operation, settings, { input: cap, node: RETRY });
    expect(json).toEqual([{ id: '2', outcome: 'updated' }]);
    expect((await caps()).map(({ values }) => [values.Price, values.Note])).toEqual([['1', 'mine']]);
  });
});

describe('upsert', () => {
  test.each(['fail', 'skip'])('the policy %s does not change that record', async (conflictPolicy) => {
    await othersRecord({ Price: '9' });
    const { error } = await place.upsert({ ...settings, conflictPolicy }, { input: cap });
    expect(error?.message).toMatch(/outcome unknown/);
    expect((await caps()).map(({ values }) => values.Price)).toEqual(['9']);
  });

  test('if changing that record fails, the next item with the key changes it', async () => {
    await othersRecord({ Price: '9' }, { others: [noUpdate] });
    const { json } = await place.upsert(settings, {
      input: itemsOf({ n: 'Cap', p: 1 }, { n: 'Cap', p: 2 }),
      node: { onError: 'continueRegularOutput' },
    });
    expect(json).toEqual([
      expect.objectContaining({ error: expect.stringMatching(/not now/) as string }),
      { id: '2', outcome: 'updated' },
    ]);
    expect((await caps()).map(({ values }) => values.Price)).toEqual(['2']);
  });
});
