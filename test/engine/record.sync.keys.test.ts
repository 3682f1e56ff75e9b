import { assertUntouched, COF, most, named, NAMES, openNamed, removingNamed } from './support/syncRuns';
import { itemsOf, useWorkplace } from './support/workplace';

/** Keys that do not identify a record for certain. Sync refuses each before anything is written. */
const place = useWorkplace(null);

const open = async (names?: readonly string[]) => await openNamed(place, names);

beforeEach(async () => {
  await open();
});

describe('keys', () => {
  test.each([
    ['an empty key', named('Bolt', ' 　'), 'Item 1 has no value for "Name"'],
    ['no key at all', itemsOf({ n: 'Bolt' }, {}), 'Item 1 has no value for "Name"'],
    ['a key in two items', named('Bolt', 'Nut', 'Bolt'), 'The items 0 and 2 have the same key: "Name"'],
  ])('%s is refused, also with Keep and Continue On Fail', async (_, input, message) => {
    const { error } = await place.sync({ ...removingNamed, missing: 'keep' }, { input, node: COF });
    expect(error?.message).toContain(message);
    expect(error?.description).toContain('As everywhere in n8n, the first item is item 0.');
    // Else n8n shows "[item 0]" behind a refusal of the whole list.
    expect(error?.context?.itemIndex).toBeUndefined();
    await assertUntouched(place);
  });

  test("an item's key that two records have; two records without an item may be alike", async () => {
    await open(['Bolt', 'Bolt', 'Nut', 'Nut', 'Cap']);
    const { error } = await place.sync(
      { ...removingNamed, missing: 'keep' },
      { input: named('Nut'), node: COF },
    );
    expect(error?.message).toMatch(/^2 records have the key of item 0, "Name" \(ID \d+\) = "Nut": 3, 4$/);
    await assertUntouched(place, 5);
    const other = await place.sync({ ...removingNamed, missing: 'keep' }, { input: named('Cap') });
    expect(other.json).toEqual([{ id: '5', outcome: 'updated' }]);
  });

  test('a hidden key part', async () => {
    await place.sandbox.setUser('1001', { rights: { goods: { parts: { Name: 'none' } } } });
    const { error } = await place.sync(
      { ...removingNamed, missing: 'keep' },
      { input: named('Bolt'), node: COF },
    );
    expect(error?.message).toMatch(/^The record 1 does not show "Name"/);
    await assertUntouched(place);
  });

  test.each([
    ['upper and lower case', 'BOLT', 'bolt'],
    ['full width', 'Bolt', 'Ｂｏｌｔ'],
    ['spaces around', 'Bolt', 'Bolt '],
    ['spaces within', 'Big Bolt', 'Big  Bolt'],
    ['leading zeros', '7', '007'],
    ['separators', '1200', '1,200'],
  ])('a record to remove whose key is nearly that of an item: %s', async (_, ours, theirs) => {
    await open([ours, ...NAMES.slice(1)]);
    const { error } = await place.sync(removingNamed, { input: named(theirs, ...NAMES.slice(1)), node: COF });
    expect(error?.message).toContain(
      `the key of record 1, "${ours}", is nearly the same as that of an item, "${theirs}"`,
    );
    await assertUntouched(place);
    const kept = await place.sync(
      { ...removingNamed, missing: 'keep' },
      { input: named(theirs, ...NAMES.slice(1)) },
    );
    expect(kept.error).toBeUndefined();
    expect(await place.stored()).toHaveLength(9);
  });
});

test('keys that are nearly the same are allowed otherwise: among items, and for records that stay or have an item', async () => {
  await open(['bolt', 'BOLT', 'Nut', 'nut', 'Cap']);
  const filters = { condition: [{ part: 'Name', operator: 'equals', value: 'Cap' }] };
  const { json } = await place.sync(
    { ...removingNamed, ...most, filters },
    { input: named('bolt', 'Bolt', 'Nut', 'NUT') },
  );
  expect(json.map(({ id, outcome }) => [id, outcome])).toEqual([
    ['1', 'updated'],
    ['6', 'created'],
    ['3', 'updated'],
    ['7', 'created'],
    ['5', 'deleted'],
  ]);
});
