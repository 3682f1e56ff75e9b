import { rowOf } from './support/rows';
import { testTable, type Row } from './support/table';
import { useWorkplace, type RunSettings } from './support/workplace';

const children = [
  { name: 'Item', type: 'textbox' },
  { name: 'Buyer', type: 'users' },
];
const application = {
  parts: [
    { name: 'Name', type: 'textbox' },
    { name: 'Owner', type: 'users' },
    { name: 'Team', type: 'groups' },
    { name: 'Lines', type: 'input_list', children },
  ],
  records: [
    { Name: 'a', Owner: ['1001'], Team: ['201'] },
    { Name: 'b', Lines: [{ Item: 'x', Buyer: ['1002'] }] },
  ],
};
const place = useWorkplace(null);

/** The names of the user 1001, of the user 1002, who stands only in a row, and of the group 201. */
const [USER, BUYER, TEAM] = ['Aiko Mori', 'Ken Tanaka', 'Sales'];
const byName = { options: { peopleByName: true } };
const owner = (name: unknown, more: RunSettings = byName): RunSettings => ({
  values: { Owner: name },
  ...more,
});
/** The records are read once for all items. */
const reads = (count: number) => async () =>
  expect((await place.sent('list_data')).filter((call) => 'fields' in call)).toHaveLength(count);

testTable(
  place,
  { operation: 'create' },
  [
    {
      name: 'a name that exactly one ID has is accepted in any part and row, and a hint names them',
      run: {
        values: { Name: 'c', Owner: `${BUYER}, 1001`, Team: [TEAM], Lines: [{ Item: 'y', Buyer: USER }] },
        ...byName,
      },
      items: [{}, {}],
      stored: [
        ...[{}, {}],
        ...Array<Record<string, unknown>>(2).fill({
          ...{ Owner: ['1002', '1001'], Team: ['201'] },
          Lines: [expect.objectContaining({ Buyer: ['1001'] })],
        }),
      ],
      after: async (_, { hints }) => {
        expect(hints.map(({ message }) => message).sort()).toEqual([
          `"${USER}" was matched to the user with the ID 1001`,
          `"${BUYER}" was matched to the user with the ID 1002`,
          `"${TEAM}" was matched to the group with the ID 201`,
        ]);
        await reads(1)();
      },
    },
    { name: 'IDs need no reading of records', run: owner('1001'), sent: { list_data: 0 } },
    {
      name: 'a person is named in Update',
      ...{ run: { operation: 'update', recordId: '1', ...owner(BUYER) }, stored: [{ Owner: ['1002'] }, {}] },
    },
    {
      name: 'the user who created the records counts, too',
      application: { ...application, records: [{ Name: 'a', Team: ['201'] }] },
      ...{ run: { operation: 'update', recordId: '1', ...owner(USER) }, stored: [{ Owner: ['1001'] }] },
    },
    {
      name: 'a person is named in Create or Update',
      run: { operation: 'upsert', matchBy: ['Name'], values: { Name: 'a', Owner: BUYER }, ...byName },
      stored: [{ Owner: ['1002'] }, {}],
    },
    {
      name: 'a person is named in a row',
      run: { operation: 'add', ...rowOf({ Buyer: BUYER }, byName) },
      stored: [{ Lines: [expect.objectContaining({ Buyer: ['1002'] })] }, {}],
    },
    {
      name: 'Sync accepts names, some items by name and some by ID',
      run: {
        ...{ operation: 'sync', values: { Name: '={{ $json.n }}', Owner: '={{ $json.o }}' } },
        ...{ matchBy: ['Name'], ...byName },
      },
      items: [`a:${BUYER}`, 'b:1001'].map((text) => ({ n: text[0], o: text.slice(2) })),
      ...{ outcomes: ['updated', 'updated'], stored: [{ Owner: ['1002'] }, { Owner: ['1001'] }] },
    },
    ...[false, true].map((dryRun): Row => ({
      name: `a name without the option is refused: Dry Run ${dryRun}`,
      ...{
        run: owner(USER, { options: { dryRun } }),
        error: 'it is not the ID of a user',
        sent: { insert_data: 0 },
      },
      advice: '"People by Name"',
    })),
    ...[USER.toLowerCase(), TEAM].map((name): Row => ({
      name: `an unknown name is refused, with the most similar one: ${name}`,
      ...{
        run: owner(name),
        error: 'no user in the records has this name or email',
        sent: { insert_data: 0 },
      },
      ...(name !== TEAM && { advice: `Did you mean "${USER}"?` }),
    })),
  ],
  { application },
);
