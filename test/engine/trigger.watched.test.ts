import type { INodeParameters } from 'n8n-workflow';

import { FakePollClock } from '../support/fakePollClock';
import type { ApplicationDefinition, Sandbox } from '../support/sandbox';
import type { TriggerEngine, TriggerOptions } from '../support/triggerEngine';
import { inWords, numbered, polled, TICKETS, watchTickets } from '../support/triggerTickets';
import { useSandbox } from './support/useSandbox';

let sandbox: Sandbox;
useSandbox(null, (own) => (sandbox = own));

function watch(parameters: INodeParameters = {}, options: TriggerOptions = {}): TriggerEngine {
  return watchTickets(sandbox, parameters, { clock: new FakePollClock(), ...options });
}

/** Sixty parts, of which a list without `fields` shows only the first ones. */
const WIDE: ApplicationDefinition = {
  name: 'Tickets',
  identifier: 'tickets',
  parts: Array.from({ length: 60 }, (_, index) => ({ name: `Part ${index}`, type: 'textbox' })),
  records: [{ 'Part 59': 'a' }, { 'Part 59': 'b' }],
};

const by = (part: string): INodeParameters => ({
  filters: { condition: [{ part, operator: 'startsWith', value: 'a', valueType: 'value' }] },
});
const watched = (...parts: string[]): INodeParameters => ({ watchParts: parts });

test.each([
  ['watched', (id: string) => watched(id)],
  ['returned', (id: string) => ({ options: { partsToReturn: [id] } })],
])('a part that shares its name with another one cannot be %s', async (_, choosing) => {
  const twins = ['Twin', 'Twin', 'Title'].map((name) => ({ name, type: 'textbox' }));
  await sandbox.reset();
  const { id } = await sandbox.createApplication({
    name: 'Twins',
    identifier: 'twins',
    parts: twins,
    records: [],
  });
  const { fields } = await sandbox.call('get_app', { app_id: id });
  const { item } = fields as { item: { id: string; name: string }[] };
  const twin = item.find(({ name }) => name === 'Twin')!.id;
  const trigger = watch({ application: { __rl: true, mode: 'id', value: id }, ...choosing(twin) });
  await expect(trigger.activate()).rejects.toThrow(
    `Part "Twin" (ID ${twin}) cannot be read: another part has the same name, "Twin"`,
  );
});

describe('a part that lists do not show', () => {
  const IDENTIFIED: ApplicationDefinition = {
    ...TICKETS,
    parts: [...TICKETS.parts, { name: 'Nameless', type: 'textbox' }],
    partIdentifierMode: true,
    systemIdentifiers: { id: 'no' },
  };

  it.each([
    ['watched', watched('Title', 'Nameless'), /^Part "Nameless" .*cannot be read: it has no part identifier/],
    ['of a condition that the node checks', by('Nameless'), /Part "Nameless" .*has no part identifier/],
  ])('because it has no identifier is refused by name: %s', async (_, parameters, message) => {
    await sandbox.createApplication(IDENTIFIED);
    await expect(watch(parameters).activate()).rejects.toThrow(message);
  });

  it('is refused as soon as the identifiers become the keys, while the trigger runs', async () => {
    await sandbox.createApplication({ ...IDENTIFIED, partIdentifierMode: false });
    const trigger = watch(watched('Nameless'));
    await trigger.activate();
    await sandbox.changeRecord('tickets', '1', { Nameless: 'a' });
    expect(await polled(trigger)).toEqual(['updated 1 (1 to 2)']);
    await sandbox.changeApplication('tickets', { partIdentifierMode: true });
    await sandbox.changeRecord('tickets', '1', { Nameless: 'b' });
    await expect(trigger.poll()).rejects.toThrow(/^Part "Nameless" .*cannot be read/);
    await sandbox.changeApplication('tickets', { partIdentifierMode: false });
    expect(await polled(trigger, 2)).toEqual(['updated 1 (2 to 3)']);
  });

  describe('because it is behind the first fifty of lists without fields', () => {
    const narrow = async (): Promise<void> => {
      await sandbox.setDialect({ listRevision: 'never' });
      await sandbox.createApplication(WIDE);
    };

    it.each([
      ['watched', watched('Part 59')],
      ['of a condition that the node checks', by('Part 59')],
    ])('is refused by name: %s', async (_, parameters) => {
      await narrow();
      await expect(watch(parameters).activate()).rejects.toThrow(/^Part "Part 59" .*cannot be watched/);
    });

    it('is refused as soon as a record shows that it is hidden', async () => {
      await sandbox.setDialect({ listRevision: 'never' });
      await sandbox.createApplication({ ...WIDE, records: [] });
      const trigger = watch(watched('Part 59'));
      expect(await trigger.activate()).toEqual([]);
      await sandbox.addRecords('tickets', [{ 'Part 59': 'c' }]);
      await expect(trigger.poll()).rejects.toThrow(/^Part "Part 59" .*cannot be watched/);
    });

    it('is watched if it is among them', async () => {
      await narrow();
      const trigger = watch(watched('Part 3'));
      await trigger.activate();
      await sandbox.changeRecord('tickets', '1', { 'Part 59': 'c' });
      await sandbox.changeRecord('tickets', '2', { 'Part 3': 'c' });
      expect(await polled(trigger, 2)).toEqual(['updated 2 (1 to 2)']);
    });
  });

  it.each([
    ['lists show the revision', {}],
    ['lists without fields show all parts', { listRevision: 'never', fieldsOmitted: 'all' }],
  ])('is watched by default even if %s', async (_, dialect) => {
    await sandbox.setDialect(dialect);
    await sandbox.createApplication(WIDE);
    const trigger = watch(watched('Part 59'));
    await trigger.activate();
    await sandbox.changeRecord('tickets', '1', { 'Part 0': 'x' });
    await sandbox.changeRecord('tickets', '2', { 'Part 59': 'x' });
    expect(await polled(trigger, 2)).toEqual(['updated 2 (1 to 2)']);
  });
});

/** For users and sources under maintenance: trigger.previous, trigger.maintenance. */
describe('no change', () => {
  it('is another address of a file', async () => {
    const file = { name: 'a.txt', mimeType: 'text/plain', text: 'hello' };
    await sandbox.createApplication({ ...TICKETS, records: [{ Title: 'One', Files: [file] }] });
    const trigger = watch(watched('Files'));
    await trigger.activate();
    await sandbox.changeRecord('tickets', '1', { Title: 'Uno' });
    const listed = JSON.stringify(await sandbox.call('list_data', { app_id: '@tickets' }));
    const moved = listed.replaceAll('http://', 'https://elsewhere.example/');
    expect(moved).not.toBe(listed);
    trigger.between = {
      answer: ({ action }) =>
        action === 'list_data' ? { statusCode: 200, body: JSON.parse(moved) as object } : undefined,
    };
    expect(await polled(trigger, 2)).toEqual([]);
    trigger.between = {};
    await sandbox.changeRecord('tickets', '1', { Files: [{ ...file, name: 'b.txt' }] });
    expect(await polled(trigger)).toHaveLength(1);
  });

  it('is the order in which the watched parts were chosen', async () => {
    await sandbox.createApplication(TICKETS);
    const trigger = watch(watched('Title', 'Price', 'State'));
    await trigger.activate();
    await sandbox.changeRecord('tickets', '1', { Title: 'Uno' });
    trigger.parameters = { ...trigger.parameters, ...watched('State', 'Title', 'Price') };
    await sandbox.changeRecord('tickets', '2', { Price: '5' });
    expect(inWords(await trigger.restart())).toEqual(['updated 1 (1 to 2)', 'updated 2 (1 to 2)']);
    expect(trigger.warnings).toEqual([]);
  });
});

/** docs/guarantees.md says what a postponed first poll can lose if it is interrupted. */
describe('a postponed first poll', () => {
  it('has saved nothing if n8n is restarted before a poll had items', async () => {
    await sandbox.createApplication(TICKETS);
    const trigger = watch();
    trigger.between = { answer: () => ({ statusCode: 503, body: 'down' }) };
    await trigger.activate();
    trigger.between = {};
    expect(await trigger.poll()).toEqual([]);
    await sandbox.addRecords('tickets', numbered(1));
    expect(await trigger.restart()).toEqual([]);
    const [id] = await sandbox.addRecords('tickets', numbered(1));
    expect(await polled(trigger, 2)).toEqual([`created ${id} (1)`]);
  });
});

test('a deleted part that is watched is named, and where to take it out', async () => {
  await sandbox.createApplication(TICKETS);
  await expect(watch({ watchParts: ['999'] }).activate()).rejects.toMatchObject({
    message: 'There is no part "999", but it is watched',
    description: expect.stringContaining('Take it out of Only When These Parts Change') as string,
  });
});
