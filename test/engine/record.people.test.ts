import { partsOf } from '../support/parts';
import { some } from './support/like';
import { rowOf } from './support/rows';
import { each, testTable } from './support/table';
import { useWorkplace, type RunSettings } from './support/workplace';

const children = partsOf({ Item: 'textbox', Buyer: 'users' });
const application = {
  parts: [
    ...partsOf({ Name: 'textbox', Owner: 'users', Team: 'groups' }),
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
const owner = (name: unknown): RunSettings => ({ values: { Owner: name } });
const CROWD = Array.from({ length: 12 }, (_, at) => String(2001 + at));
/** The records are read once for all items. */
const reads = (count: number) => async () =>
  expect((await place.sent('list_data')).filter((call) => 'fields' in call)).toHaveLength(count);

testTable(
  place,
  'create',
  {
    'a name that exactly one ID has is accepted in any part and row, and a hint names them': {
      run: {
        values: { Name: 'c', Owner: `${BUYER}, 1001`, Team: [TEAM], Lines: [{ Item: 'y', Buyer: USER }] },
      },
      items: [{}, {}],
      stored: [
        ...[{}, {}],
        ...Array<Record<string, unknown>>(2).fill({
          ...{ Owner: ['1002', '1001'], Team: ['201'] },
          Lines: [some({ Buyer: ['1001'] })],
        }),
      ],
      after: async (_, { hints }) => {
        expect(hints.map(({ message }) => message).sort()).toEqual([
          `"${USER}" was matched to the user with the ID 1001`,
          `"${BUYER}" was matched to the user with the ID 1002`,
          `"${TEAM}" was matched to the group with the ID 201`,
          'To match names, the node read 2 records of "Goods"',
        ]);
        await reads(1)();
      },
    },
    'IDs need no reading of records': { run: owner('1001'), sent: { list_data: 0, count_data: 0 } },
    'the option of earlier versions is passed over': {
      ...{ run: { ...owner(USER), options: { peopleByName: false } }, outcomes: ['created'] },
    },
    'the first ten choices are named, and the others counted': {
      before: async ({ sandbox }) => {
        for (const id of CROWD) await sandbox.setUser(id, { name: `User ${id}` });
        await place.change({ Owner: CROWD });
      },
      ...{ items: CROWD.map((id) => ({ id })), run: owner('=User {{ $json.id }}') },
      hints: [
        ...CROWD.slice(0, 10).map((id) => `"User ${id}" was matched to the user with the ID ${id}`),
        'Not shown: 2 more hints like the last one',
        'To match names, the node read 2 records of "Goods"',
      ],
    },
    'a person is named in Update': {
      ...{ run: { operation: 'update', recordId: '1', ...owner(BUYER) }, stored: [{ Owner: ['1002'] }, {}] },
    },
    'the user who created the records counts, too': {
      application: { ...application, records: [{ Name: 'a', Team: ['201'] }] },
      ...{ run: { operation: 'update', recordId: '1', ...owner(USER) }, stored: [{ Owner: ['1001'] }] },
    },
    'a person is named in Create or Update': {
      run: { operation: 'upsert', matchBy: ['Name'], values: { Name: 'a', Owner: BUYER } },
      stored: [{ Owner: ['1002'] }, {}],
    },
    'a person is named in a row': {
      run: { operation: 'add', ...rowOf({ Buyer: BUYER }) },
      stored: [{ Lines: [some({ Buyer: ['1002'] })] }, {}],
    },
    'Sync accepts names, some items by name and some by ID': {
      run: {
        ...{ operation: 'sync', values: { Name: '={{ $json.n }}', Owner: '={{ $json.o }}' } },
        matchBy: ['Name'],
      },
      items: [`a:${BUYER}`, 'b:1001'].map((text) => ({ n: text[0], o: text.slice(2) })),
      ...{ outcomes: ['updated', 'updated'], stored: [{ Owner: ['1002'] }, { Owner: ['1001'] }] },
    },
    ...each([50_000, 50_001])('a name is looked up in up to 50,000 records: %s', (allcnt) => ({
      faults: [
        {
          kind: 'status',
          status: 200,
          body: JSON.stringify({ status: 'ok', allcnt }),
          times: 1,
          action: 'count_data',
        },
      ],
      run: owner(USER),
      ...(allcnt > 50_000 && {
        error: /^Part "Owner" \(ID \d+\) does not accept "Aiko Mori": it is not the ID of a user$/,
        advice:
          /^Accepted: user IDs, .+\nNames are looked up in applications of up to 50,000 records only. Enter the ID.$/,
        sent: { insert_data: 0, list_data: 0 },
      }),
    })),
    ...each([USER.toLowerCase(), TEAM])('an unknown name is refused, with a similar one: %s', (name) => ({
      ...{
        run: owner(name),
        error: 'no user in the records has this name or email',
        sent: { insert_data: 0 },
      },
      ...(name !== TEAM && { advice: `Did you mean "${USER}"?` }),
    })),
  },
  { application },
);
