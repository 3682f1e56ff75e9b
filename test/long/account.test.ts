import type * as LimiterModule from '../../nodes/ApplicationDataService/service/http/limiter';
import { useQuickRetries } from '../engine/support/quickRetries';
import { itemsOf, useWorkplace, type RunSettings } from '../engine/support/workplace';
import type { Fault, StoredRecord } from '../support/sandbox';

/** How many times as fast the time of the limiter passes. */
const mockFaster = 50;
// Other tests cover the waits between tries and after a 429; here, they would take most of the time.
useQuickRetries();
jest.mock('../../nodes/ApplicationDataService/service/http/limiter', () => {
  const limiter = jest.requireActual<typeof LimiterModule>(
    '../../nodes/ApplicationDataService/service/http/limiter',
  );
  return {
    ...limiter,
    Limiters: class extends limiter.Limiters {
      constructor(clock: LimiterModule.LimiterClock) {
        super({
          now: () => clock.now() * mockFaster,
          sleep: async (milliseconds) => await clock.sleep(milliseconds / mockFaster),
        });
      }
    },
  };
});

/** Everything that can happen to a call. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'HTTP 429': { kind: 'status', status: 429, retryAfter: 0 },
  'HTTP 500': { kind: 'status', status: 500 },
  'HTTP 503': { kind: 'status', status: 503 },
  'a refusal': { kind: 'ng', errorno: -1, message: 'not now' },
  'HTTP 500 after the work': { kind: 'status', status: 500, when: 'after' },
  'a connection lost before the work': { kind: 'drop', when: 'before' },
  'a connection lost after the work': { kind: 'drop', when: 'after' },
  'an answer cut off': { kind: 'cut' },
  'a connection lost within the answer': { kind: 'cut', how: 'abort' },
  'a page before the work': { kind: 'html', when: 'before' },
  'a page after the work': { kind: 'html', when: 'after' },
  'a redirect': { kind: 'redirect', location: 'http://127.0.0.1:9/' },
  'a slow answer': { kind: 'slow', ms: 5 },
  'a call that waits before the queue': { kind: 'latency', where: 'network', ms: 5 },
  'an outage before the work': { kind: 'down', ms: 10, when: 'before' },
  'an outage after the work': { kind: 'down', ms: 10, when: 'after' },
};

/**
 * Every fault at every call of a run that ends at its first error, once or for good: what the error says was written,
 * is unknown, failed or was not sent is compared with what the service stores, for each item.
 */
const place = useWorkplace(null);

const COUNT = 8;
const RECORDS = Array.from({ length: COUNT }, (_, n) => ({ Name: `N${n}`, Price: '1' }));
const PRICES = RECORDS.map((_, n) => String(100 + n));
const ITEMS = itemsOf(...RECORDS.map(({ Name }, n) => ({ id: String(n + 1), name: Name, price: PRICES[n] })));
const Name = '={{ $json.name }}';
const Price = '={{ $json.price }}';

const RUNS: Readonly<Record<string, { settings: RunSettings; records: typeof RECORDS; operation: string }>> =
  {
    Create: { operation: 'create', records: [], settings: { values: { Name, Price } } },
    Update: {
      operation: 'update',
      records: RECORDS,
      settings: { recordId: '={{ $json.id }}', values: { Price } },
    },
    'Update with rows': {
      operation: 'update',
      records: RECORDS,
      settings: { recordId: '={{ $json.id }}', values: { Price, Lines: [{ Item: 'new' }] } },
    },
    'Create or Update': {
      operation: 'upsert',
      records: RECORDS.slice(0, COUNT / 2),
      settings: { values: { Name, Price }, matchBy: ['Name'] },
    },
    Sync: {
      operation: 'sync',
      records: [...RECORDS.slice(0, COUNT / 2), { Name: 'Old', Price: '1' }],
      settings: { values: { Name, Price }, matchBy: ['Name'], missing: 'delete' },
    },
  };

/** What an error says of the items: by their numbers. */
interface Account {
  readonly written: ReadonlyMap<number, readonly string[]>;
  readonly unknown: readonly number[];
  readonly failed: readonly number[];
  readonly notSent: readonly number[];
}

/** Reads the last line of a description. @param ending the item that ended the run; none for a removal */
function accountIn(description: string, ending: readonly number[], isUnknown: boolean): Account {
  const said = (heading: string): string =>
    new RegExp(`${heading}: items ([^.]*)\\.`).exec(description)?.[1] ?? '';
  const numbers = (heading: string): number[] =>
    said(heading)
      .split(', ')
      .filter((range) => range !== '')
      .flatMap((range) => {
        const [from = 0, to = from] = range.split(' to ').map(Number);
        return Array.from({ length: to - from + 1 }, (_, n) => from + n);
      });
  const written = [...said('Written, with their IDs').matchAll(/(\d+) \(([\d, ]+)\)/g)].map(
    ([, item, ids = '']) => [Number(item), ids.split(', ')] as const,
  );
  const [unknown, failed] = [numbers('Unknown whether written'), numbers('Failed')];
  return {
    written: new Map(written),
    unknown: isUnknown ? [...new Set([...ending, ...unknown])] : unknown,
    failed: isUnknown ? failed : [...new Set([...ending, ...failed])],
    notSent: numbers('Not sent'),
  };
}

/** A sentence for each item of which the account is not what is stored. */
function problemsOf(account: Account, stored: readonly StoredRecord[]): string[] {
  return PRICES.flatMap((price, item) => {
    const holders = stored.filter(({ values }) => values.Price === price).map(({ id }) => id);
    const ids = account.written.get(item);
    const claims = [
      ids !== undefined,
      ...[account.unknown, account.failed, account.notSent].map((all) => all.includes(item)),
    ];
    if (claims.filter(Boolean).length !== 1)
      return [`item ${item} is named ${claims.filter(Boolean).length} times`];
    if (ids !== undefined)
      return ids.join() === holders.join()
        ? []
        : [`item ${item} is said to be in ${ids.join()}, and is in ${holders.join()}`];
    if (account.unknown.includes(item) || holders.length === 0) return [];
    return [`item ${item} is in ${holders.join()}, and is said not to be written`];
  });
}

/** Sync removes a record only once every item is written, and has removed it where nothing failed. */
function removalIn(stored: readonly StoredRecord[], error: Error | undefined): string {
  const isGone = stored.every(({ values }) => values.Name !== 'Old');
  if (!isGone) return error === undefined ? 'it was not removed' : 'as it should be';
  const written = new Set(stored.map(({ values }) => values.Price));
  return PRICES.every((price) => written.has(price)) ? 'as it should be' : 'it was removed too early';
}

async function check(run: string, fault: Fault): Promise<void> {
  const { operation, records, settings } = RUNS[run]!;
  for (let skip = 0; ; skip++) {
    await place.open({ records });
    await place.sandbox.setFaults([{ ...fault, skip }]);
    const { error } = await place.run(operation, settings, { input: ITEMS });
    await place.engine.idle();
    // If not, it is set to skip more calls than the run makes.
    const wasMet = (await place.sandbox.log()).some(({ faults }) => faults.length > 0);
    await place.sandbox.clearFaults();
    if (run === 'Sync')
      expect([skip, removalIn(await place.stored(), error)]).toEqual([skip, 'as it should be']);
    if (error !== undefined) {
      const text = `${error.message}\n${error.description ?? ''}`;
      const ending = [error.context?.itemIndex ?? []].flat();
      if (error.description?.endsWith('Nothing was written.') === true) {
        const found = (await place.stored()).filter(({ values }) => PRICES.includes(String(values.Price)));
        expect([skip, found]).toEqual([skip, []]);
        continue;
      }
      const account = accountIn(error.description ?? '', ending, error.message.includes('outcome unknown'));
      expect([skip, problemsOf(account, await place.stored()), text]).toEqual([skip, [], text]);
    }
    if (!wasMet) return;
  }
}

describe.each(Object.keys(RUNS))('%s', (run) => {
  test.each(Object.entries(FAULTS))(
    '%s at each call: what is said of each item is true',
    async (_, fault) => {
      await check(run, { ...fault, times: 1 });
      // A queue that stays full is waited for, for two minutes at each call.
      if (fault.kind !== 'status' || fault.status !== 429) await check(run, fault);
    },
    300_000,
  );
});
