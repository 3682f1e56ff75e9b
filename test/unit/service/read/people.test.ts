import { readNames } from '../../../../nodes/ApplicationDataService/service/read/people';
import { makePart } from '../../parts/support/parts';
import { applicationOf, type PreparedApplication, val } from '../support/preparedClient';

const owner = makePart('users', { name: 'Owner' });
const record = (id: string, ...users: readonly object[]): Readonly<Record<string, unknown>> => ({
  ID: val(id),
  Owner: val({ users: { item: users } }),
});

function serviceWith(...records: readonly Readonly<Record<string, unknown>>[]): PreparedApplication {
  return applicationOf([owner], ({ action, offset }) =>
    action === 'count_data'
      ? { allcnt: records.length }
      : { list: { item: offset === undefined ? records : [] } },
  );
}

it('knows names, and e-mail addresses under any key of a service, of one person each', async () => {
  const { app } = serviceWith(
    record(
      '1',
      { id: '7', Name: 'Mori', email: 'mori@x.example' },
      { id: '8', Name: 'Ken', Mail: 'ken@x.example' },
    ),
    record('2', {
      id: '9',
      Name: 'Mori',
      'e-mail': '',
      mail_address: 'm2@x.example',
      note: 'boss@x.example',
    }),
    record('3', { id: '7', Name: 'Mori', manager: 'boss@x.example' }),
  );
  const { users, groups, records } = (await readNames(app))!;
  expect(Object.fromEntries([...users].map(([text, ids]) => [text, [...ids]]))).toEqual({
    Mori: ['7', '9'],
    Ken: ['8'],
    'mori@x.example': ['7'],
    'ken@x.example': ['8'],
    'm2@x.example': ['9'],
  });
  expect([groups.size, records]).toEqual([0, 3]);
});
