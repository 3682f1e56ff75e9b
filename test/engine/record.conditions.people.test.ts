import type { INodeParameters } from 'n8n-workflow';

import { itemsOf, useWorkplace } from './support/workplace';

const place = useWorkplace({
  parts: [
    { name: 'Name', type: 'textbox' },
    { name: 'Owner', type: 'users' },
    { name: 'Team', type: 'groups' },
  ],
  records: [
    { Name: 'a', Owner: ['1001'], Team: ['201'] },
    { Name: 'b', Owner: ['1002'] },
  ],
});

type Filter = Readonly<Record<string, string | readonly string[]>>;

const by = (...condition: readonly Filter[]): INodeParameters => ({
  returnAll: true,
  filters: { condition } as unknown as INodeParameters,
});

async function hints(operation: string, parameters: INodeParameters, input = itemsOf({})): Promise<string[]> {
  const ran = await place.run(operation, parameters, { input });
  expect(ran.error).toBeUndefined();
  return ran.hints.map(({ message }) => message);
}

/** The names that the service shows for the IDs. */
async function names(): Promise<{ owner: string; team: string; creator: string }> {
  const { json } = await place.run('get', { recordId: place.record() });
  const nameIn = (part: string): string => (json[0]?.[part] as { name: string }[])[0]?.name ?? '';
  return { owner: nameIn('Owner'), team: nameIn('Team'), creator: nameIn('Created by') };
}

const swapped = (name: string): string => `${name[1]}${name[0]}${name.slice(2)}`;

describe('a person or group by whose name nothing is found', () => {
  test.each(['getAll', 'count', 'export'])('is reported by %s', async (operation) => {
    const messages = await hints(operation, by({ part: 'Owner', operator: 'equals', value: 'Zzzz' }));
    expect(messages).toEqual([
      expect.stringMatching(
        /^Nothing was found with "Zzzz" in part "Owner" \(ID \d+\): people and groups are compared by their whole name\. Check the spelling$/,
      ),
    ]);
  });

  test.each(['equals', 'contains', 'oneOf'])('is reported with the operator %s', async (operator) => {
    const { team } = await names();
    const messages = await hints('getAll', by({ part: 'Team', operator, value: swapped(team) }));
    expect(messages).toContainEqual(
      expect.stringContaining(`Nothing was found with "${swapped(team)}" in part "Team"`),
    );
  });

  test('is reported if any condition is enough, for the condition that found nothing', async () => {
    const { owner } = await names();
    const conditions = by(
      { part: 'Name', operator: 'equals', value: 'a' },
      { part: 'Owner', operator: 'equals', value: swapped(owner) },
    );
    const messages = await hints('getAll', { ...conditions, match: 'any' });
    expect(messages).toEqual([expect.stringContaining(`"${swapped(owner)}" in part "Owner"`)]);
  });

  test('that looks like an ID may be one', async () => {
    const messages = await hints('getAll', by({ part: 'Owner', operator: 'equals', value: '1001' }));
    expect(messages).toEqual([expect.stringContaining('If it is an ID, select "ID" under Compare By')]);
    const named = await hints('getAll', by({ part: 'Owner', operator: 'equals', value: 'Team 1001' }));
    expect(named).toEqual([expect.stringMatching(/Check the spelling$/)]);
  });

  test('is counted once for all items, without a further request', async () => {
    await place.sandbox.clearLog();
    const condition = { part: 'Owner', operator: 'equals', value: 'Zzzz' };
    const messages = await hints('getAll', by(condition), itemsOf({}, {}, {}));
    expect(messages).toEqual([expect.stringMatching(/Check the spelling \(3 items\)$/)]);
    expect((await place.calls('list_data')).every(({ parameters }) => isNarrowed(parameters))).toBe(true);
  });
});

describe('nothing is reported', () => {
  test('if a record is found', async () => {
    const { owner } = await names();
    expect(await hints('getAll', by({ part: 'Owner', operator: 'equals', value: owner }))).toEqual([]);
  });

  test('if the condition names no person, or an ID', async () => {
    expect(await hints('getAll', by({ part: 'Name', operator: 'equals', value: 'nobody' }))).toEqual([]);
    const byId = { part: 'Owner', operator: 'equals', value: '4711', valueType: 'id' };
    expect(await hints('getAll', by(byId))).toEqual([]);
  });
});

function isNarrowed(parameters: readonly (readonly [string, string])[]): boolean {
  return parameters.some(([key]) => key === 'filter');
}
