import { findExisting, findMissing } from '../../../../nodes/ApplicationDataService/service/read/notThere';
import { applicationOf, type PreparedApplication, type Said, val } from '../support/preparedClient';

/** What a look asks for, step by step; what comes of it in an operation stands in test/engine/failures.missingRecord. */
const numbers = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index + 1));

/** A service that holds and lists records with these IDs, of which it refuses to return some. */
function serviceOf(listed: readonly string[], refused: readonly string[] = [], count = listed.length) {
  return applicationOf([], ({ action, data_id: id = '', sort_order: order, offset = '0', limit }): Said => {
    if (action === 'count_data') return { allcnt: count };
    if (action === 'get_data')
      return listed.includes(id) && !refused.includes(id) ? { record: { ID: val(id) } } : 'refused';
    const sorted = order === 'desc' ? listed.toReversed() : listed;
    const item = sorted
      .slice(Number(offset), Number(offset) + Number(limit))
      .map((each) => ({ ID: val(each) }));
    return { list: { item } };
  });
}

/** The requests, in short: `get 7`, `list desc`. */
const asked = ({ calls }: PreparedApplication): string =>
  calls
    .map(({ action = '', data_id: id, sort_order: order }) =>
      [action.replace(/_\w+/, ''), id ?? order].join(' ').trim(),
    )
    .join(', ');

test.each<[string, PreparedApplication, string | undefined, string]>([
  ['one known to be there is read', serviceOf(['5']), '5', 'get 5, get 99, get'],
  ['the newest is read', serviceOf(numbers(9)), undefined, 'list desc, get 9, get 99, get'],
  [
    'the fourth of the newest is read',
    serviceOf(numbers(9), ['9', '8', '7']),
    undefined,
    'list desc, get 9, get 8, get 7, get 6, get 99, get',
  ],
  [
    'one of the oldest is read, where none of the newest can',
    serviceOf(numbers(12), ['12', '11', '10', '9', '8', '1']),
    '12',
    'get 12, list desc, get 11, get 10, get 9, get 8, list asc, get 1, get 2, get 99, get',
  ],
  ['none is left, as a count says', serviceOf([]), undefined, 'list desc, count, get 99, get'],
])('a record that was refused is not there, if %s and the application is running', async (...row) => {
  const [, fake, other, requests] = row;
  expect([...(await findMissing(fake.app, ['99'], other))]).toEqual(['99']);
  expect(asked(fake)).toBe(requests);
});

test('a record that can be read after all is there, and no status is asked for', async () => {
  const fake = serviceOf(['5', '99']);
  expect([...(await findMissing(fake.app, ['99'], '5'))]).toEqual([]);
  expect(asked(fake)).toBe('get 5, get 99');
});

test.each<[string, PreparedApplication, string | undefined]>([
  ['neither the newest nor the oldest can be read', serviceOf(numbers(30), numbers(30)), undefined],
  ['none is listed, but some are counted', serviceOf([], [], 3), undefined],
  ['one known to be there is refused now, too, whatever a count says', serviceOf([]), '5'],
])('nothing is known of a refused record, if %s', async (_, fake, other) => {
  await expect(findMissing(fake.app, ['99'], other)).rejects.toThrow(
    'none of its records now, although there are some',
  );
});

test.each<[string, readonly string[], number, string[]]>([
  [
    'read one by one if they are few',
    ['5', '99999'],
    12_000,
    [...Array<string>(4).fill('get_data'), 'get_app'],
  ],
  ['without a look if all are there', ['5', '6'], 12_000, ['get_data', 'get_data']],
  [
    'read one by one if a scan costs more',
    numbers(60),
    12_000,
    ['count_data', ...Array<string>(60).fill('get_data')],
  ],
  [
    'scanned if that is cheaper, up to the last',
    numbers(64),
    12_000,
    ['count_data', 'list_data', 'list_data'],
  ],
  ['scanned to a proof', [...numbers(9), '99999'], 20, ['count_data', 'list_data', 'count_data', 'get_app']],
])('which IDs exist: %s', async (_, ids, held, actions) => {
  const fake = serviceOf(numbers(held));
  expect([...(await findExisting(fake.app, ids))]).toEqual(ids.filter((id) => Number(id) <= held));
  expect(fake.calls.map(({ action }) => action)).toEqual(actions);
});
