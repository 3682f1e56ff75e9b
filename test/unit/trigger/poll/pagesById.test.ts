import { newPollMemory } from '../../../../nodes/ApplicationDataService/trigger/poll/pageSize';
import { poll, type PollOutcome } from '../../../../nodes/ApplicationDataService/trigger/poll/poll';
import type { Change } from '../../../../nodes/ApplicationDataService/trigger/poll/settings';
import type { TriggerState } from '../../../../nodes/ApplicationDataService/trigger/state/triggerState';
import type { FromId, Snapshot } from '../../../support/triggerHappenings';
import { settings } from '../../../support/triggerProperties';
import { CALL_MS, World } from '../../../support/triggerWorld';

const RECORDS = 60;
const PAGE = 10;

/**
 * Milliseconds of a poll, for a hundred times as many calls as it needs. A poll that would never end, ends with them.
 */
const BUDGET_MS = 2000 * CALL_MS;

/** A trigger that has learned a world of several pages. */
async function watched(fromId: FromId, narrowed = false) {
  const world = new World({
    narrowed,
    ascending: true,
    growing: true,
    listsWhole: true,
    takesIds: true,
    fromId,
    hasNewest: false,
    msPerRecord: 0,
  });
  for (let record = 0; record < RECORDS; record++) world.happen({ kind: 'create', matches: true });
  const byId = jest.spyOn(world, 'headsFrom');
  const byPlace = jest.spyOn(world, 'heads');
  const memory = newPollMemory(PAGE);
  let state: TriggerState | null = null;
  const onePoll = async (): Promise<{ words: string[]; byId: number; byPlace: number }> => {
    byId.mockClear();
    byPlace.mockClear();
    const end = world.spent + BUDGET_MS;
    const outcome: PollOutcome<Change<Snapshot>> = await poll<Snapshot, Change<Snapshot>>(state, {
      source: world,
      settings: { ...settings, narrowed },
      budget: { left: () => end - world.spent },
      memory,
      deliver: async (change) => await Promise.resolve({ item: change }),
      warn: () => undefined,
      now: 0,
    });
    expect(world.spent).toBeLessThan(end);
    ({ state } = outcome);
    const words = outcome.given.map(({ event, id }) => `${event} ${id}`);
    return { words, byId: byId.mock.calls.length, byPlace: byPlace.mock.calls.length };
  };
  await onePoll();
  return { world, onePoll };
}

it('requests pages by the ID if that can be checked, with no more requests than by their places', async () => {
  const proved = await watched('numbers');
  const other = await watched('numbers', true);
  const quiet = await proved.onePoll();
  const byPlace = await other.onePoll();
  expect(byPlace.byId).toBe(0);
  expect(quiet.byId).toBeGreaterThan(3);
  // The first page, and the last one, after which new records appear.
  expect(quiet.byPlace).toBe(byPlace.byPlace - quiet.byId);
  expect(await proved.onePoll()).toEqual(quiet);
});

it.each<FromId>(['texts', 'ignored', 'nothing', 'refused'])(
  'requests once if the service does something else: %s',
  async (fromId) => {
    const { world, onePoll } = await watched(fromId);
    const honest = await (await watched('numbers', true)).onePoll();
    expect(await onePoll()).toMatchObject({ words: [], byId: 1 });
    expect(await onePoll()).toEqual(honest);
    world.happen({ kind: 'change', which: 40, watched: true, quiet: false });
    expect((await onePoll()).words).toHaveLength(1);
  },
);

it.each<FromId>(['holes', 'last'])(
  'does not use such lists if they leave out existing records: %s',
  async (fromId) => {
    const { world, onePoll } = await watched(fromId);
    world.happen({ kind: 'change', which: 33, watched: true, quiet: false });
    world.happen({ kind: 'delete', which: 50 });
    const changes = [await onePoll(), await onePoll(), await onePoll()].flatMap(({ words }) => words);
    expect(changes.map((each) => each.split(' ')[0]).sort()).toEqual(['deleted', 'updated']);
    expect(await onePoll()).toMatchObject({ words: [], byId: 0 });
  },
);

it('finds records that are added and deleted while pages are read', async () => {
  const { world, onePoll } = await watched('numbers');
  world.during = [
    { kind: 'minute' },
    { kind: 'delete', which: 2 },
    { kind: 'delete', which: 2 },
    { kind: 'create', matches: true },
    { kind: 'delete', which: 45 },
  ];
  const { words } = await onePoll();
  const later = (await onePoll()).words;
  expect([...words, ...later].map((each) => each.split(' ')[0]).sort()).toEqual([
    'created',
    'deleted',
    'deleted',
    'deleted',
  ]);
});

it.each([1, 2, 3, 8])('requests at most two pages more if %d records were deleted', async (gone) => {
  const { world, onePoll } = await watched('numbers');
  const quiet = await onePoll();
  for (let each = 0; each < gone; each++) world.happen({ kind: 'delete', which: 12 + 4 * each });
  const { words, byId, byPlace } = await onePoll();
  expect(words).toHaveLength(gone);
  expect(byId + byPlace).toBeLessThanOrEqual(quiet.byId + quiet.byPlace + 2);
  expect((await onePoll()).byId).toBeGreaterThan(0);
});

it('finds more records between others than pages overlap by', async () => {
  const { world, onePoll } = await watched('numbers');
  await onePoll();
  const [like] = world.records.values();
  for (const id of ['14', '17', '20', '23']) {
    expect(world.records.has(id)).toBe(false);
    world.records.set(id, { ...like!, id });
  }
  expect((await onePoll()).words).toEqual(['created 14', 'created 17', 'created 20', 'created 23']);
  expect(await onePoll()).toMatchObject({ words: [] });
});
