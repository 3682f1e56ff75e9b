import { assertUntouched, COF, most, named, NAMES, openNamed, removingNamed } from './support/syncRuns';
import { useWorkplace } from './support/workplace';

/** The guards of Sync's removals. Each refuses before anything is written. */
const place = useWorkplace(null);

beforeEach(async () => await openNamed(place));

const five = '1 "Bolt"; 2 "Nut"; 3 "Cap"; 4 "Hat"; 5 "Pin"';

describe('the number of removals', () => {
  test('more than Max Removals are refused, also with Continue On Fail: how many, the first five, and why', async () => {
    const settings = { ...removingNamed, ...most, maxRemovals: 6 };
    const { error } = await place.sync(settings, { input: named('Axe'), node: COF });
    expect(error?.message).toBe(`Sync refused to remove 7 records (${five}; and 2 more): Max Removals is 6`);
    expect(error?.description).toMatch(/\nNothing was written\.$/);
    await assertUntouched(place);
    expect(
      (await place.sync({ ...settings, maxRemovals: 7 }, { input: named('Axe') })).error,
    ).toBeUndefined();
    expect(await place.stored()).toHaveLength(1);
  });

  test('none is allowed with 0', async () => {
    const { error } = await place.sync(
      { ...removingNamed, maxRemovals: 0 },
      { input: named(...NAMES.slice(1)) },
    );
    expect(error?.message).toBe('Sync refused to remove 1 record (1 "Bolt"): Max Removals is 0');
    await assertUntouched(place);
  });

  test('more than half of those in scope are refused', async () => {
    const { error } = await place.sync(removingNamed, { input: named('Axe', 'Rod', 'Cog') });
    expect(error?.message).toBe(
      `Sync refused to remove 5 records (${five}): that is more than half of the 8 records that may be removed`,
    );
    await assertUntouched(place);
    const half = await place.sync(removingNamed, { input: named('Axe', 'Rod', 'Cog', 'Pin') });
    expect(half.error).toBeUndefined();
    expect(await place.stored()).toHaveLength(4);
  });

  test.each(['', '={{ undefined }}', '-1', 'many'])(
    'an unreadable limit is not read as 100: %s',
    async (maxRemovals) => {
      const { error } = await place.sync(
        { ...removingNamed, maxRemovals },
        { input: named(...NAMES.slice(1)) },
      );
      expect(error?.message).toMatch(/^"Max Removals" /);
      await assertUntouched(place);
    },
  );
});

test('settings that differ between items are refused', async () => {
  const settings = { ...removingNamed, missing: '={{ $json.n === "Nut" ? "keep" : "delete" }}' };
  const { error } = await place.sync(settings, { input: named(...NAMES), node: COF });
  expect(error?.message).toBe('The items 0 and 1 differ in "Records Not in the Input"');
  await assertUntouched(place);
});

test('a dry run lists what would be removed, and says that it would be refused', async () => {
  const { json, hints } = await place.sync(
    { ...removingNamed, maxRemovals: 0, options: { dryRun: true } },
    { input: named(...NAMES.slice(1)) },
  );
  expect(json.at(-1)).toEqual({
    id: '1',
    outcome: 'deleted',
    Name: 'Bolt',
    dryRun: true,
    request: { action: 'delete_data', app_id: place.app.id, data_id: '1' },
    changes: {},
  });
  expect(hints.map(({ message }) => message)).toEqual([
    'Dry run: nothing was written',
    'Without Dry Run this would be refused: Sync refused to remove 1 record (1 "Bolt"): Max Removals is 0',
    '0 would be created, 7 would be updated, 0 unchanged, 1 would be removed, 0 kept',
  ]);
  await assertUntouched(place);
});
