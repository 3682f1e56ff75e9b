import { Sandbox } from '../support/sandbox';
import { inWords, numbered, TICKETS, watchTickets } from '../support/triggerTickets';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await Sandbox.borrow();
});
afterAll(async () => await sandbox.stop());

const UPDATED_AT = 'Updated At';

const DIALECTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'the most likely dialect': {},
  'revision always in lists': { listRevision: 'always' },
  'revision never in lists of some parts': { listRevision: 'never' },
  'all parts without fields': { listRevision: 'never', fieldsOmitted: 'all' },
  'an empty list as -110, one item as object': { emptyList: 'error', singleItem: 'object' },
  'an empty list without list': { emptyList: 'noList', emptyInner: 'noValue' },
  'ids and counts as numbers': { ids: 'number', counts: 'number' },
  'dates as objects': { dates: 'object' },
  'failures as 400, refusals alike': { failureStatus: '400', refusals: 'alike' },
  'failures as 500': { failureStatus: '500' },
  'no permissions in lists': { listPermissions: 'absent' },
  'a filter that refuses ids': { equals: 'refused:*' },
  'a filter that ignores ids': { equals: 'ignored:*' },
  'a filter that misses ids': { equals: 'misses:*' },
};

describe.each(Object.entries(DIALECTS))('a service with %s', (name, dialect) => {
  beforeEach(async () => {
    await sandbox.reset();
    await sandbox.setDialect(dialect);
    await sandbox.createApplication(TICKETS);
  });

  it.each([
    ['full scans', {}],
    ['watched parts', { watchParts: ['Title'] }],
    ['quick polls', { quick: true }],
  ])('loses and repeats nothing, by %s', async (_name, { quick, ...watched }: Record<string, unknown>) => {
    const ids = await sandbox.partIds('tickets');
    const updatedPart = ids[UPDATED_AT] ?? '4';
    const trigger = watchTickets(sandbox, {
      ...(watched as object),
      options: { ...(quick === true && { updatedPart, fullScanEvery: 1 }) } as never,
    });
    await trigger.activate();
    await sandbox.addRecords('tickets', numbered(8));
    await sandbox.changeRecord('tickets', '1', { Title: 'Uno' });
    const first = await trigger.poll();
    expect(inWords(first).sort()).toEqual(
      [
        'updated 1 (1 to 2)',
        ...[3, 4, 5, 6, 7, 8, 9].map((id) => `created ${id} (1)`),
        'created 10 (1)',
      ].sort(),
    );
    expect(first.find(({ id }) => id === '3')).toMatchObject({ Title: 'Ticket 0', State: 'open' });
    expect(await trigger.poll()).toEqual([]);
    for (const id of ['4', '5', '6', '7', '8', '9'])
      await sandbox.changeRecord('tickets', id, { Title: `Again ${id}` });
    expect(inWords(await trigger.poll()).sort()).toEqual(
      [4, 5, 6, 7, 8, 9].map((id) => `updated ${id} (1 to 2)`),
    );
    expect(await trigger.poll()).toEqual([]);
  });

  it('loses no deletion, down to the last record', async () => {
    const trigger = watchTickets(sandbox);
    await trigger.activate();
    await sandbox.removeRecord('tickets', '2');
    await sandbox.addRecords('tickets', [{ Title: 'Three' }]);
    // A 5xx is never a refusal: it does not tell that a record is gone.
    if (name === 'failures as 500') {
      expect(inWords(await trigger.poll())).toEqual(['created 3 (1)']);
      return;
    }
    expect(inWords(await trigger.poll())).toEqual(['created 3 (1)', 'deleted 2 (1)']);
    await sandbox.removeRecord('tickets', '1');
    await sandbox.removeRecord('tickets', '3');
    expect(inWords(await trigger.poll())).toEqual(['deleted 1 (1)', 'deleted 3 (1)']);
    expect(await trigger.poll()).toEqual([]);
    await sandbox.addRecords('tickets', [{ Title: 'Four' }]);
    expect(inWords(await trigger.poll())).toEqual(['created 4 (1)']);
  });
});

describe('part identifiers', () => {
  beforeEach(async () => {
    await sandbox.reset();
    await sandbox.createApplication({
      ...TICKETS,
      partIdentifierMode: true,
      systemIdentifiers: { id: 'no', updatedAt: 'updated_at' },
    });
  });

  it('are the keys of the parts', async () => {
    const trigger = watchTickets(sandbox, { watchParts: ['title'] });
    await trigger.activate();
    await sandbox.changeRecord('tickets', '1', { Title: 'Uno' });
    const [item] = await trigger.poll();
    expect(item).toMatchObject({ event: 'updated', id: '1', title: 'Uno' });
  });

  it('may be switched on while the trigger runs', async () => {
    await sandbox.changeApplication('tickets', { partIdentifierMode: false });
    const trigger = watchTickets(sandbox);
    await trigger.activate();
    await sandbox.changeApplication('tickets', { partIdentifierMode: true });
    await sandbox.changeRecord('tickets', '1', { Title: 'Uno' });
    expect((await trigger.poll())[0]).toMatchObject({ event: 'updated', id: '1', title: 'Uno' });
  });

  it('that the ID part lacks are required', async () => {
    await sandbox.createApplication({
      ...TICKETS,
      name: 'Nameless',
      identifier: 'nameless',
      partIdentifierMode: true,
      systemIdentifiers: {},
    });
    const trigger = watchTickets(sandbox, {
      application: { __rl: true, mode: 'identifier', value: 'nameless' },
    });
    await expect(trigger.activate()).rejects.toThrow(/has no part identifier/);
  });
});

describe('applications of many parts', () => {
  it.each([{}, { listRevision: 'never' }])('are read completely with %j', async (dialect) => {
    await sandbox.reset();
    await sandbox.setDialect(dialect);
    const parts = Array.from({ length: 60 }, (_, index) => ({ name: `Part ${index}`, type: 'textbox' }));
    await sandbox.createApplication({
      name: 'Wide',
      identifier: 'wide',
      parts,
      records: [{ 'Part 59': 'a' }],
    });
    const trigger = watchTickets(sandbox, {
      application: { __rl: true, mode: 'identifier', value: 'wide' },
    });
    await trigger.activate();
    await sandbox.addRecords(
      'wide',
      Array.from({ length: 6 }, (_, index) => ({ 'Part 59': `last ${index}` })),
    );
    const items = await trigger.poll();
    expect(items.map((item) => item['Part 59'])).toEqual([0, 1, 2, 3, 4, 5].map((index) => `last ${index}`));
  });
});
