import { useQuickRetries } from '../engine/support/quickRetries';
import { itemsOf, useWorkplace, type RunSettings } from '../engine/support/workplace';
import type { Fault, StoredRecord } from '../support/sandbox';
import { FAULTS, hasApplied } from './support/faults';
import type * as QuickWaits from './support/quickWaits';

jest.mock('../../nodes/ApplicationDataService/service/http/limiter', () =>
  jest.requireActual<typeof QuickWaits>('./support/quickWaits').quickLimiter(),
);

/**
 * Every fault at every call of a run that ends at its first error, once or for good: what the error says was written,
 * is unknown, failed or was not sent is compared with what the service stores, for each item.
 */
const place = useWorkplace(null);
useQuickRetries();

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
      records: RECORDS.slice(0, COUNT / 2),
      settings: { values: { Name, Price }, matchBy: ['Name'] },
    },
  };

/** What an error says of the items: by their numbers. */
interface Account {
  readonly written: ReadonlyMap<number, readonly string[]>;
  readonly unknown: readonly number[];
  readonly failed: readonly number[];
  readonly notSent: readonly number[];
}

/** Reads the last line of a description. */
function accountIn(description: string, ending: number, isUnknown: boolean): Account {
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
    unknown: isUnknown ? [...new Set([ending, ...unknown])] : unknown,
    failed: isUnknown ? failed : [...new Set([ending, ...failed])],
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

async function check(run: string, fault: Fault): Promise<void> {
  const { operation, records, settings } = RUNS[run]!;
  for (let skip = 0; ; skip++) {
    await place.open({ records });
    await place.sandbox.setFaults([{ ...fault, skip }]);
    const { error } = await place.run(operation, settings, { input: ITEMS });
    await place.engine.idle();
    const wasMet = await hasApplied(place);
    await place.sandbox.clearFaults();
    if (error !== undefined) {
      const text = `${error.message}\n${error.description ?? ''}`;
      const ending = Number(error.context?.itemIndex ?? 0);
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
