import type { INodeParameters } from 'n8n-workflow';

import { itemsOf, useWorkplace, type RunSettings } from './support/workplace';

const LINES = {
  name: 'Lines',
  type: 'input_list',
  children: [
    { name: 'Item', type: 'textbox' },
    { name: 'Buyer', type: 'users' },
  ],
};

const place = useWorkplace({
  parts: [
    { name: 'Name', type: 'textbox' },
    { name: 'Owner', type: 'users' },
    { name: 'Team', type: 'groups' },
    LINES,
  ],
  records: [
    { Name: 'a', Owner: ['1001'], Team: ['201'] },
    { Name: 'b', Lines: [{ Item: 'x', Buyer: ['1002'] }] },
  ],
});

const hintsOf = ({ hints }: { hints: readonly { message: string }[] }): string[] =>
  hints.map(({ message }) => message);

const byName = (more: INodeParameters = {}): INodeParameters => ({ peopleByName: true, ...more });

async function names(): Promise<{ user: string; buyer: string; team: string }> {
  const { json } = await place.run('getAll', { returnAll: true });
  const [first, second] = json as unknown as Record<string, { name: string; Buyer: { name: string }[] }[]>[];
  return {
    user: first?.Owner?.[0]?.name ?? '',
    team: first?.Team?.[0]?.name ?? '',
    buyer: second?.Lines?.[0]?.Buyer[0]?.name ?? '',
  };
}

test('a name that exactly one ID has is accepted in any part and row, and a hint names them', async () => {
  const { user, buyer, team } = await names();
  await place.sandbox.clearLog();
  const values = { Name: 'c', Owner: `${buyer}, 1001`, Team: [team], Lines: [{ Item: 'y', Buyer: user }] };
  const ran = await place.create({ values, options: byName() }, { input: itemsOf({}, {}) });
  expect(ran.error).toBeUndefined();
  expect((await place.stored()).at(-1)?.values).toMatchObject({
    Owner: ['1002', '1001'],
    Team: ['201'],
    Lines: [expect.objectContaining({ Buyer: ['1001'] })],
  });
  expect(hintsOf(ran).sort()).toEqual(
    [
      `"${buyer}" was matched to the user with the ID 1002`,
      `"${user}" was matched to the user with the ID 1001`,
      `"${team}" was matched to the group with the ID 201`,
    ].sort(),
  );
  // The records are read once for all items.
  const lists = (await place.calls('list_data')).filter(({ parameters }) =>
    parameters.some(([key]) => key === 'fields'),
  );
  expect(lists).toHaveLength(1);
});

test('IDs need no reading of records', async () => {
  const { error } = await place.create({ values: { Owner: '1001' }, options: byName() });
  expect(error).toBeUndefined();
  expect(await place.calls('list_data')).toEqual([]);
});

test('the user who created the records counts, too', async () => {
  const { json } = await place.run('get', { recordId: '1' });
  const creator = (json[0]?.['Created by'] as { id: string; name: string }[])[0];
  await place.update({ values: { Owner: creator?.name }, options: byName() });
  expect((await place.storedAt())?.values.Owner).toEqual([creator?.id]);
});

const row: INodeParameters = { resource: 'tableRow', recordId: '1', tablePart: 'Lines' };
const mapped = (value: INodeParameters): INodeParameters => ({
  mappingMode: 'defineBelow',
  value,
  matchingColumns: [],
  schema: [],
});

test.each<[string, (name: string) => RunSettings]>([
  ['update', (name) => ({ recordId: '1', values: { Owner: name } })],
  ['upsert', (name) => ({ values: { Name: 'a', Owner: name }, matchBy: ['Name'] })],
  ['add', (name) => ({ ...row, row: mapped({ Buyer: name }) })],
])('%s also accepts names', async (operation, settings) => {
  const { buyer } = await names();
  const { error } = await place.run(operation, { ...settings(buyer), options: byName() });
  expect(error).toBeUndefined();
  expect(JSON.stringify((await place.storedAt())?.values)).toContain('1002');
});

test('Sync accepts names, some items by name and some by ID', async () => {
  const { buyer } = await names();
  const input = itemsOf({ n: 'a', o: buyer }, { n: 'b', o: '1001' });
  const values = { Name: '={{ $json.n }}', Owner: '={{ $json.o }}' };
  const { json } = await place.run('sync', { values, matchBy: ['Name'], options: byName() }, { input });
  expect(json.map(({ outcome }) => outcome)).toEqual(['updated', 'updated']);
  expect((await place.stored()).map(({ values: { Owner } }) => Owner)).toEqual([['1002'], ['1001']]);
});

describe('is refused before anything is written:', () => {
  async function refusal(name: string, options = byName()): Promise<string> {
    const { error } = await place.create({ values: { Owner: name }, options });
    expect(await place.calls('insert_data')).toEqual([]);
    return `${error?.message}. ${error?.description}`;
  }

  test('a name without the option, and in a dry run, too', async () => {
    const { user } = await names();
    for (const dryRun of [false, true]) {
      expect(await refusal(user, { dryRun })).toMatch(/it is not the ID of a user\. .*"People by Name"/);
    }
  });

  test('an unknown name, also one in another case, with the most similar one', async () => {
    const { user } = await names();
    for (const name of [`${user}i`, user.toLowerCase()])
      expect(await refusal(name)).toMatch(
        new RegExp(`no user in the records has this name or email.*Did you mean "${user}"\\?`),
      );
  });

  test('a name that only a group has', async () => {
    const { team } = await names();
    expect(await refusal(team)).toMatch(/no user in the records has this name or email/);
  });
});
