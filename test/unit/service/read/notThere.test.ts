import {
  askWhyRefused,
  findExisting,
  findMissing,
} from '../../../../nodes/ApplicationDataService/service/read/notThere';
import { ServiceError } from '../../../../nodes/ApplicationDataService/service/http/errors';
import { type Call, FakeService, val, type Reply } from '../support/fakeService';

const numbers = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index + 1));

interface Holding {
  /** What the service lists; the same as it holds if left out. */
  readonly listed?: readonly string[];
  readonly count?: number;
  /** Replies to reads of a record, in their order; then what is held decides. */
  readonly reads?: Readonly<Record<string, Reply[]>>;
  readonly status?: string;
}

/** A service that holds records with these IDs. */
function serviceOf(held: readonly string[], { listed = held, count, reads = {}, status }: Holding = {}) {
  const fake = new FakeService([], (call: Call): Reply => {
    const id = call.data_id ?? '';
    if (call.action === 'count_data') return { allcnt: count ?? held.length };
    if (call.action === 'get_data')
      return reads[id]?.shift() ?? (held.includes(id) ? { record: { ID: val(id) } } : 'refused');
    const sorted = call.sort_order === 'desc' ? listed.toReversed() : listed;
    const from = Number(call.offset ?? 0);
    return {
      list: { item: sorted.slice(from, from + Number(call.limit)).map((each) => ({ ID: val(each) })) },
    };
  });
  if (status !== undefined) fake.definition = { id: '301', name: 'Goods', app_status: status };
  return fake;
}

/** The requests, in short: `get_data 7`, `list_data desc`. */
const asked = ({ calls }: FakeService): string[] =>
  calls.map(({ action, data_id: id, sort_order: order }) =>
    [action, id ?? (action === 'list_data' ? order : '')].join(' ').trim(),
  );

const hidden = (...ids: string[]): Record<string, Reply[]> =>
  Object.fromEntries(ids.map((id) => [id, Array<Reply>(9).fill('refused')]));

describe('a record that was refused is not there, if', () => {
  test.each<[string, FakeService, string | undefined, readonly string[]]>([
    [
      'one known to be there is read, it is refused again, and the application is running',
      serviceOf(['5']),
      '5',
      ['get_data 5', 'get_data 99', 'get_app'],
    ],
    [
      'the newest is read',
      serviceOf(numbers(9)),
      undefined,
      ['list_data desc', 'get_data 9', 'get_data 99', 'get_app'],
    ],
    [
      'the fourth of the newest is read',
      serviceOf(numbers(9), { reads: hidden('9', '8', '7') }),
      undefined,
      ['list_data desc', 'get_data 9', 'get_data 8', 'get_data 7', 'get_data 6', 'get_data 99', 'get_app'],
    ],
    [
      'one of the oldest is read, where none of the newest can',
      serviceOf(numbers(12), { reads: hidden('12', '11', '10', '9', '8', '1') }),
      '12',
      [
        ...['get_data 12', 'list_data desc', ...['11', '10', '9', '8'].map((id) => `get_data ${id}`)],
        ...['list_data asc', 'get_data 1', 'get_data 2', 'get_data 99', 'get_app'],
      ],
    ],
    [
      'none is left, as a count says',
      serviceOf([]),
      undefined,
      ['list_data desc', 'count_data', 'get_data 99', 'get_app'],
    ],
  ])('%s', async (_, fake, other, requests) => {
    expect([...(await findMissing(fake.app, ['99'], other))]).toEqual(['99']);
    expect(asked(fake)).toEqual(requests);
  });

  test('one look serves a batch, of which some may be there after all', async () => {
    const fake = serviceOf(numbers(9), { reads: { '2': [] } });
    expect([...(await findMissing(fake.app, ['99', '2', '98']))]).toEqual(['99', '98']);
    expect(asked(fake)).toEqual([
      'list_data desc',
      'get_data 9',
      'get_data 99',
      'get_data 2',
      'get_data 98',
      'get_app',
    ]);
  });

  test('nothing was refused: then nothing is asked', async () => {
    const fake = serviceOf([]);
    expect(await findMissing(fake.app, [])).toEqual(new Set());
    expect(fake.calls).toEqual([]);
  });
});

describe('nothing is known of a refused record, if', () => {
  test.each<[string, FakeService, RegExp]>([
    [
      'neither the newest nor the oldest can be read',
      serviceOf([], { listed: numbers(30) }),
      /refuses to return records that may exist, and also one that does exist/,
    ],
    ['none is listed, but some are counted', serviceOf([], { count: 3 }), /and also one that does exist/],
    [
      'the application is in maintenance',
      serviceOf(['1'], { status: 'maintenance' }),
      /is not running \(maintenance\)/,
    ],
    [
      'the application is stopped, and refuses all',
      serviceOf([], { listed: ['1'], status: 'stopped' }),
      /is not running \(stopped\)/,
    ],
    ['the key is refused', serviceOf([], { listed: ['1'], reads: { '1': ['unauthorized'] } }), /access key/],
  ])('%s', async (_, fake, message) => {
    await expect(findMissing(fake.app, ['99'])).rejects.toThrow(message);
  });

  test('one known to be there is refused now, too: the right to read may be gone, whatever a count says', async () => {
    await expect(findMissing(serviceOf([]).app, ['99'], '5')).rejects.toThrow(/and also one that does exist/);
  });
});

describe('which IDs exist', () => {
  test.each<[string, readonly string[], number, readonly string[]]>([
    [
      'is read one by one if they are few',
      ['5', '99999'],
      12_000,
      ['get_data', 'get_data', 'get_data', 'get_data', 'get_app'],
    ],
    ['costs no look if all are there', ['5', '6'], 12_000, ['get_data', 'get_data']],
    [
      'is read one by one if a scan costs more',
      numbers(60),
      12_000,
      ['count_data', ...numbers(60).map(() => 'get_data')],
    ],
    [
      'is scanned if that is cheaper, up to the last of them',
      numbers(64),
      12_000,
      ['count_data', 'list_data', 'list_data'],
    ],
    [
      'is scanned to a proof',
      [...numbers(9), '99999'],
      20,
      ['count_data', 'list_data', 'count_data', 'get_app'],
    ],
  ])('%s', async (_, ids, held, actions) => {
    const fake = serviceOf(numbers(held));
    expect([...(await findExisting(fake.app, ids))]).toEqual(ids.filter((id) => Number(id) <= held));
    expect(fake.calls.map(({ action }) => action)).toEqual(actions);
  });

  test('tells one that was refused until others were read', async () => {
    const fake = serviceOf(['1', '2'], { reads: { '1': ['refused'] } });
    expect([...(await findExisting(fake.app, ['1', '2']))]).toEqual(['1', '2']);
    expect(fake.waits.filter((wait) => wait > 0)).toEqual([]);
  });
});

test('refusals are put into words by one look', async () => {
  const fake = serviceOf(['1', '2']);
  const refusals = ['98', '99', '98', '2'].map((id) => new ServiceError('refused', `No ${id}`, '').about(id));
  const words = await askWhyRefused(fake.app, refusals);
  expect(words.map(({ message }) => message)).toEqual([
    'There is no record 98 in Goods',
    'There is no record 99 in Goods',
    'There is no record 98 in Goods',
    'No 2',
  ]);
  expect(asked(fake)).toEqual([
    'list_data desc',
    'get_data 2',
    'get_data 98',
    'get_data 99',
    'get_data 2',
    'get_app',
  ]);
});
