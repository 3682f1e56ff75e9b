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

describe('a person or group that no record contains', () => {
  test.each(['getAll', 'count', 'export'])(
    'is reported by %s, with the most similar name',
    async (operation) => {
      const { creator } = await names();
      const text = swapped(creator);
      const messages = await hints(operation, by({ part: 'Created by', operator: 'equals', value: text }));
      expect(messages).toEqual([
        expect.stringMatching(
          new RegExp(
            `^No record that was read names "${text}" in part "Created by" \\(ID \\d+\\)\\. The nearest name is "${creator}"$`,
          ),
        ),
      ]);
    },
  );

  test.each(['equals', 'contains', 'oneOf'])('is reported with the operator %s', async (operator) => {
    const { team } = await names();
    const messages = await hints('getAll', by({ part: 'Team', operator, value: swapped(team) }));
    expect(messages).toContainEqual(expect.stringContaining(`The nearest name is "${team}"`));
    expect(messages).toHaveLength(operator === 'oneOf' ? 2 : 1);
  });

  test.each(['notEquals', 'notContains'])(
    'is reported with %s, even if there are records',
    async (operator) => {
      const { owner } = await names();
      const messages = await hints('getAll', by({ part: 'Owner', operator, value: swapped(owner) }));
      expect(messages).toContainEqual(expect.stringContaining(`The nearest name is "${owner}"`));
      expect(await hints('getAll', by({ part: 'Owner', operator, value: owner }))).toHaveLength(1);
    },
  );

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
    expect(messages).toEqual([expect.stringContaining('If it is an ID, choose "ID" under Compare By')]);
  });

  test('is looked up once for all items', async () => {
    const input = itemsOf({}, {}, {});
    await place.sandbox.clearLog();
    const messages = await hints('getAll', by({ part: 'Owner', operator: 'equals', value: 'Zzzz' }), input);
    expect(messages).toEqual([expect.stringMatching(/Check the spelling \(3 items\)$/)]);
    expect((await place.calls('list_data')).filter(({ parameters }) => !isNarrowed(parameters))).toHaveLength(
      1,
    );
  });
});

describe('nothing is reported, and no other request is made,', () => {
  async function asked(parameters: INodeParameters): Promise<number> {
    await place.sandbox.clearLog();
    expect(await hints('getAll', parameters)).toEqual([]);
    return (await place.calls('list_data')).filter(({ parameters: sent }) => !isNarrowed(sent)).length;
  }

  test('if a record is found', async () => {
    const { owner } = await names();
    expect(await asked(by({ part: 'Owner', operator: 'equals', value: owner }))).toBe(0);
  });

  test('if the condition names no person, or an ID', async () => {
    expect(await asked(by({ part: 'Name', operator: 'equals', value: 'nobody' }))).toBe(0);
    const byId = { part: 'Owner', operator: 'equals', value: '4711', valueType: 'id' };
    expect(await asked(by(byId))).toBe(0);
  });

  test('if the name is known, and another condition is not met', async () => {
    const { owner } = await names();
    const messages = await hints(
      'getAll',
      by(
        { part: 'Name', operator: 'equals', value: 'nobody' },
        { part: 'Owner', operator: 'equals', value: owner },
      ),
    );
    expect(messages).toEqual([]);
  });

  test('if the records cannot be read', async () => {
    await place.sandbox.setFaults([
      { kind: 'ng', errorno: -1, message: 'Not now', action: 'list_data', skip: 1, times: 100 },
    ]);
    const ran = await place.run('getAll', by({ part: 'Owner', operator: 'equals', value: 'Zzzz' }));
    expect([ran.error, ran.json, ran.hints]).toEqual([undefined, [], []]);
  });
});

function isNarrowed(parameters: readonly (readonly [string, string])[]): boolean {
  return parameters.some(([key]) => key === 'filter');
}
