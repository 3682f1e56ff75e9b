import type { CreatedApplication, Sandbox } from '../support/sandbox';
import {
  condition,
  listCalls,
  listing,
  numberedTickets,
  recordParameters,
  TICKET_RECORDS,
  tickets,
  useTickets,
} from './support/tickets';
import { useQuickRetries } from './support/quickRetries';

useQuickRetries(20);

const place = useTickets();
const { getAll, titles } = listing(place);

describe('dialects', () => {
  test.each<[string, Record<string, unknown>]>([
    ['ids as numbers', { ids: 'number', counts: 'number' }],
    ['numbers with separators', { numbers: 'separators' }],
    ['dates as objects', { dates: 'object' }],
    ['single items as objects', { singleItem: 'object' }],
    ['empty values', { emptyInner: 'emptyString' }],
    ['no item', { emptyInner: 'noItem' }],
    ['no value', { emptyInner: 'noValue' }],
    ['permissions with two backslashes', { permissionsKey: 'two' }],
    ['permissions without a backslash', { permissionsKey: 'plain' }],
    ['the revision always', { listRevision: 'always' }],
    ['failures as HTTP 400', { failureStatus: '400' }],
  ])('reads the same with %s', async (_, dialect) => {
    const plain = await getAll();
    await place.sandbox.setDialect(dialect);
    const { json } = await getAll();
    expect(json).toEqual(plain.json);
  });

  test('reads a list of one as an object', async () => {
    await place.sandbox.setDialect({ singleItem: 'object' });
    expect(await titles(condition({ part: 'Title', value: 'Beta' }))).toEqual(['Beta']);
  });

  test('says so if lists contain no permissions or no revision', async () => {
    await place.sandbox.setDialect({ listPermissions: 'absent', listRevision: 'never' });
    const { json, hints } = await getAll();
    expect(json[0]).toMatchObject({ id: place.app.records[0], revision: null, Title: 'Acme Engineering' });
    expect(json[0]).not.toHaveProperty('canWrite');
    expect(hints.map(({ message }) => message)).toEqual([expect.stringContaining('no "revision"')]);
  });

  test("shows the service's words for a filter that it does not support", async () => {
    await place.sandbox.setDialect({ equalsRefused: ['textbox'] });
    const { error } = await getAll(condition({ part: 'Title', value: 'Beta' }));
    expect(error?.message).toMatch(/^The service refused: /);
  });

  test('an application by identifier, in part identifier mode', async () => {
    const keyed = await place.sandbox.createApplication(
      tickets({
        name: 'Keyed',
        identifier: 'keyed',
        partIdentifierMode: true,
        systemIdentifiers: { id: 'no' },
      }),
    );
    const { json, hints } = await place.engine.run(
      recordParameters('getAll', keyed, {
        application: { __rl: true, mode: 'identifier', value: 'keyed' },
        options: { partsToReturn: ['Title'] },
      }),
    );
    expect(json[0]).toMatchObject({ id: keyed.records[0], revision: 1, title: 'Acme Engineering' });
    expect(hints).toEqual([]);
  });

  test('says so if the ID part has no identifier, and refuses parts that have none', async () => {
    const anonymous = await place.sandbox.createApplication(
      tickets({ name: 'Anonymous', identifier: 'anonymous', partIdentifierMode: true }),
    );
    const { json, hints } = await place.engine.run(recordParameters('getAll', anonymous));
    expect(json.map(({ id, title }) => [id, title])).toEqual(
      TICKET_RECORDS.map(({ Title }) => [null, Title]),
    );
    expect(hints.map(({ message }) => message)).toEqual([expect.stringContaining('no "id"')]);
    const { error } = await place.engine.run(
      recordParameters('getAll', anonymous, { options: { partsToReturn: ['Created at'] } }),
    );
    expect(error?.message).toMatch(/"Created at" .* has no part identifier/);
  });
});

describe('faults', () => {
  let many: CreatedApplication;

  beforeAll(async () => {
    const records = numberedTickets(10_001);
    many = await place.sandbox.createApplication({
      name: 'Many',
      parts: [
        { name: 'Title', type: 'textbox' },
        { name: 'Hours', type: 'number' },
      ],
      records,
    });
  });

  test.each<[string, Parameters<Sandbox['setFaults']>[0][number]]>([
    ['a full queue', { kind: 'status', status: 429, retryAfter: 0, times: 1 }],
    ['a gateway error', { kind: 'status', status: 502, times: 1 }],
    ['a dropped connection', { kind: 'drop', when: 'after', times: 1 }],
    ['cut JSON', { kind: 'cut', times: 1 }],
    ['a broken body', { kind: 'cut', how: 'abort', times: 1 }],
    ['a slow body', { kind: 'slow', ms: 200, times: 1 }],
    ['a short outage', { kind: 'down', ms: 300, times: 1 }],
  ])('succeeds despite %s', async (_, fault) => {
    await place.sandbox.setFaults([{ ...fault, action: 'list_data' }]);
    const { json } = await getAll();
    expect(json).toHaveLength(3);
  });

  test.each<[string, Parameters<Sandbox['setFaults']>[0][number], RegExp]>([
    ['a refusal', { kind: 'ng', errorno: -10008, message: 'W:No right [W10008]' }, /No right/],
    ['a server error', { kind: 'status', status: 500 }, /HTTP 500/],
    ['a web page', { kind: 'html' }, /instead of/],
    ['a redirect', { kind: 'redirect', location: 'https://elsewhere.example/' }, /redirects/],
  ])('reports %s', async (_, fault, message) => {
    await place.sandbox.setFaults([{ ...fault, action: 'list_data' }]);
    const { error } = await getAll();
    expect(error?.message).toMatch(message);
    expect(error?.context?.itemIndex).toBe(0);
  });

  test('fails completely if a later page fails', async () => {
    await place.sandbox.setFaults([
      { kind: 'ng', errorno: -1, message: 'W:Stop [W1]', action: 'list_data', skip: 1 },
    ]);
    const { error } = await place.engine.run(recordParameters('getAll', many, { returnAll: true }));
    expect(error?.message).toMatch(/Stop/);
  });

  test('sends no more requests after the execution was cancelled', async () => {
    let stop = (): void => undefined;
    const cancel = new Promise<void>((resolve) => (stop = resolve));
    await place.sandbox.setFaults([
      await place.sandbox.holdDuring({ action: 'list_data', times: 1 }, () => stop()),
    ]);
    await place.engine.run(recordParameters('getAll', many, { returnAll: true }), { cancel });
    await place.engine.idle();
    await place.noted('list_data', 1);
    expect(await listCalls(place.sandbox)).toHaveLength(1);
  });
});
