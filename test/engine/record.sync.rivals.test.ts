import { byName, COF, GOODS, list, pricesIn, removing } from './support/syncRuns';
import { after, Workplace } from './support/workplace';

/** What becomes of a run when somebody else writes meanwhile, or stops it. */
let place: Workplace;

beforeAll(async () => {
  place = await Workplace.start();
});

afterAll(async () => await place.stop());

beforeEach(async () => {
  await place.open({ records: GOODS });
});

const prices = async () => await pricesIn(place);

describe('somebody else', () => {
  /** Changes the first record before each of the first updates. */
  async function rival(times: number, change: (round: number) => Record<string, unknown>): Promise<void> {
    for (let round = 1; round <= times; round++) {
      while ((await place.calls('update_data')).length < round - 1) await after(2);
      await place.sandbox.changeRecord(place.app.id, place.record(0), change(round));
    }
  }

  const slowly = async (): Promise<void> =>
    await place.sandbox.setFaults([{ kind: 'latency', where: 'network', ms: 60, action: 'update_data' }]);

  const begun = async (): Promise<void> => {
    while ((await place.calls('list_data')).length === 0) await after(2);
  };

  test.each([
    [3, undefined, '2'],
    [4, /^The record 1 was changed by others each time that it was to be written$/, '1'],
  ])('changes a record %i times: it is compared again three times', async (times, message, price) => {
    await slowly();
    const running = place.sync(byName, { input: list });
    await begun();
    await rival(times, (round) => ({ Note: `round ${round}` }));
    const { error } = await running;
    if (message === undefined) expect(error).toBeUndefined();
    else expect(error?.message).toMatch(message);
    expect((await place.storedAt(0))?.values).toMatchObject({ Price: price, Note: `round ${times}` });
  });

  test("takes the key of a record away: it is the item's error at once", async () => {
    await slowly();
    const running = place.sync(byName, { input: list, node: COF });
    await begun();
    await rival(1, () => ({ Name: 'Screw' }));
    const { json } = await running;
    expect(json[0]?.error).toMatch(/^The record 1 no longer has the key of the item/);
    expect(await place.calls('update_data')).toHaveLength(1);
  });

  test('writes the same: nothing is left to write', async () => {
    await slowly();
    const running = place.sync(byName, { input: list });
    await begun();
    await rival(1, () => ({ Price: '2' }));
    expect((await running).json[0]?.outcome).toBe('unchanged');
  });

  test('touches a record just before it is removed: it stays', async () => {
    await place.sandbox.setFaults([{ kind: 'latency', where: 'network', ms: 60, action: 'update_data' }]);
    const running = place.sync(removing, { input: list });
    await begun();
    await place.sandbox.changeRecord(place.app.id, place.record(2), { Note: 'mine' });
    const { items, error, hints } = await running;
    expect(error).toBeUndefined();
    expect(items.slice(3)).toEqual([
      { json: { id: '3', outcome: 'conflict', Name: 'Old' }, pairedItem: { item: 0 } },
      { json: { id: '4', outcome: 'deleted', Name: 'Older' }, pairedItem: { item: 0 } },
    ]);
    expect(hints[0]?.message).toBe('0 created, 1 updated, 2 unchanged, 1 removed, 1 kept');
    expect(Object.keys(await prices())).toEqual(['Bolt', 'Nut', 'Old', 'Rest']);
  });

  test('removes a record that was to go: it is deleted', async () => {
    await slowly();
    const running = place.sync(removing, { input: list });
    await begun();
    await place.sandbox.removeRecord(place.app.id, place.record(2));
    const { json } = await running;
    expect(json.slice(3).map(({ id, outcome }) => [id, outcome])).toEqual([
      ['3', 'deleted'],
      ['4', 'deleted'],
    ]);
    expect((await place.sent('delete_data')).map(({ data_id: ids }) => ids)).toEqual(['4']);
  });
});

test('a cancelled run sends nothing more', async () => {
  await place.sandbox.setFaults([{ kind: 'latency', where: 'network', ms: 300, action: 'update_data' }]);
  let stop: () => void = () => undefined;
  const cancel = new Promise<void>((resolve) => (stop = resolve));
  const running = place.sync(removing, { input: list, cancel });
  while ((await place.calls('count_data')).length === 0) await after(2);
  await after(60);
  stop();
  await running;
  await after(400);
  expect(await place.calls('update_data')).toHaveLength(1);
  expect(await place.calls('delete_data')).toHaveLength(0);
  expect(await place.stored()).toHaveLength(5);
});
