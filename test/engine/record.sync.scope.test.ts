import type { INodeParameters } from 'n8n-workflow';

import { assertUntouched, COF, most, named, NAMES, openNamed, removingNamed } from './support/syncRuns';
import { useWorkplace } from './support/workplace';
import { useQuickRetries } from './support/quickRetries';

useQuickRetries();

/** Which records may be removed, and that all of them were read. */
const place = useWorkplace(null);

const open = async (names?: readonly string[]) => await openNamed(place, names);

beforeEach(async () => {
  await open();
});

describe('reading all of them', () => {
  test.each([
    ['a list that fails', { kind: 'status', status: 500, action: 'list_data' } as const],
    ['a refused list', { kind: 'ng', errorno: -1, message: 'no', action: 'list_data' } as const],
    [
      'a list that is reported as empty',
      { kind: 'ng', errorno: -110, message: 'W:no matching data [W110]', action: 'list_data' } as const,
    ],
    ['a count that fails', { kind: 'status', status: 500, action: 'count_data' } as const],
    [
      'an application that cannot be read afterwards',
      { kind: 'ng', errorno: -1, message: 'no', action: 'get_app', skip: 1 } as const,
    ],
  ])('%s ends the run, also with Continue On Fail', async (_, fault) => {
    await place.sandbox.setFaults([fault]);
    const { error } = await place.sync(removingNamed, { input: named(...NAMES.slice(1)), node: COF });
    expect(error).toBeDefined();
    await assertUntouched(place);
  });

  test('an application that is not running afterwards', async () => {
    await place.meanwhile({ action: 'count_data', when: 'after' }, async () => {
      await place.sandbox.changeApplication(place.app.id, { status: 'maintenance' });
    });
    const { error } = await place.sync(removingNamed, { input: named(...NAMES.slice(1)), node: COF });
    expect(error?.message).toMatch(/is not running|The service refused/);
    await assertUntouched(place);
  });
});

describe('which records may be removed', () => {
  const filters = (condition: INodeParameters): INodeParameters => ({ condition: [condition] });

  test('only those that meet the conditions, as the node checks them', async () => {
    await place.sandbox.changeRecord(place.app.id, place.record(0), { Price: '5' });
    const { json, hints } = await place.sync(
      { ...removingNamed, ...most, filters: filters({ part: 'Price', operator: 'gt', value: '4' }) },
      { input: named('Axe') },
    );
    expect(json.slice(1)).toEqual([{ id: '1', outcome: 'deleted', Name: 'Bolt' }]);
    expect(hints[0]?.message).toBe('0 created, 1 updated, 0 unchanged, 1 removed, 6 kept');
    expect((await place.sent('list_data')).every(({ filter }) => filter === undefined)).toBe(true);
  });

  test('any of several', async () => {
    const condition = ['Bolt', 'Nut'].map((value) => ({ part: 'Name', operator: 'equals', value }));
    const { json } = await place.sync(
      { ...removingNamed, ...most, matchBy: ['Name'], filters: { condition } },
      { input: named('Axe') },
    );
    expect(json).toHaveLength(1);
    const { json: some } = await place.sync(
      { ...removingNamed, ...most, match: 'any', filters: { condition } },
      { input: named('Axe') },
    );
    expect(some.slice(1).map(({ id }) => id)).toEqual(['1', '2']);
  });

  test('a hidden part meets no condition, and a hint says so', async () => {
    await place.sandbox.setUser('1001', { rights: { goods: { parts: { Kind: 'none' } } } });
    const { json, hints } = await place.sync(
      { ...removingNamed, ...most, filters: filters({ part: 'Kind', operator: 'isNull' }) },
      { input: named('Axe') },
    );
    expect(json).toHaveLength(1);
    expect(hints.map(({ message }) => message).join()).toMatch(/does not show part "Kind"/);
  });

  test.each(['stopWorkflow', 'continueRegularOutput'] as const)(
    'an operator of the service alone is refused: %s',
    async (onError) => {
      const condition = { part: 'Name', operator: 'custom', customOperator: '!=', value: 'x' };
      const { error } = await place.sync(
        { ...removingNamed, filters: filters(condition) },
        { input: named(...NAMES), node: { onError } },
      );
      expect(error?.message).toMatch(/^Filter 1: The operator "Custom" cannot be used here/);
      await assertUntouched(place);
    },
  );
});
