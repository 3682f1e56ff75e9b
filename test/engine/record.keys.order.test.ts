import type { IDataObject } from 'n8n-workflow';

import { TriggerEngine } from '../support/triggerEngine';
import { itemsOf, useWorkplace } from './support/workplace';

/** Every kind of key: those before the parts, the parts in the application's order, those after. */
const OWN = ['previous', 'Note', 'url'];
const SYSTEM = ['Created At', 'Created By', 'Updated At', 'Updated By'];
const LAST = ['revision', 'canWrite', 'canDelete'];

const place = useWorkplace({
  parts: OWN.map((name) => ({ name, type: 'textbox' })),
  records: [{ previous: 'a', Note: 'b', url: 'c' }],
});

/** The item of a trigger for a record that was changed. */
async function polled(): Promise<IDataObject> {
  const { baseUrl, accessKey } = place.sandbox;
  const application = { __rl: true, mode: 'id', value: place.app.id };
  const trigger = new TriggerEngine({ baseUrl, accessKey }, { application, events: ['updated'] });
  await trigger.activate();
  await place.change({ Note: 'B' });
  return (await trigger.poll())[0] ?? {};
}

async function systemNames(): Promise<string[]> {
  const [{ json } = { json: {} }] = (await place.run('get', { recordId: place.record() })).items;
  return Object.keys(json).filter((key) => !['id', ...OWN, ...LAST].includes(key));
}

describe('the order of keys', () => {
  test("is: the ID, the application's own parts, the service's parts, then the node's keys", async () => {
    const system = await systemNames();
    expect(system).toHaveLength(SYSTEM.length);
    const { json } = await place.run('get', { recordId: place.record() });
    expect(Object.keys(json[0] ?? {})).toEqual(['id', ...OWN, ...system, ...LAST]);
  });

  test('has the outcome after the ID', async () => {
    const values = { [place.part('Note')]: 'new' };
    const { json } = await place.create({ values, options: { returnRecord: true } });
    expect(Object.keys(json[0] ?? {}).slice(0, 4)).toEqual(['id', 'outcome', 'previous', 'Note']);
    expect(Object.keys(json[0] ?? {}).slice(-LAST.length)).toEqual(LAST);
  });

  test("has a trigger's event first, and the revisions together", async () => {
    const item = await polled();
    const own = ['previous (part)', 'Note', 'url (part)'];
    const keys = Object.keys(item);
    expect(keys.slice(0, 5)).toEqual(['event', 'id', ...own]);
    expect(keys.filter((key) => /revision/i.test(key))).toEqual(['revision', 'previousRevision']);
    expect(keys.slice(keys.indexOf('revision'), keys.indexOf('revision') + 2)).toEqual([
      'revision',
      'previousRevision',
    ]);
  });
});

describe('keys that only the triggers use for themselves', () => {
  test('are names of parts for the action node, when reading and writing', async () => {
    const { json } = await place.run('get', { recordId: place.record() });
    expect(json[0]).toMatchObject({ previous: 'a', url: 'c' });
    const input = itemsOf({ previous: 'x', url: 'y' });
    expect((await place.update({ values: null }, { input })).json).toMatchObject([{ outcome: 'updated' }]);
    expect((await place.storedAt())?.values).toEqual({ previous: 'x', Note: 'b', url: 'y' });
  });

  test('are output and accepted as "<key> (part)" if an item has an event', async () => {
    const item = await polled();
    expect(item).toMatchObject({ 'previous (part)': 'a', Note: 'B', 'url (part)': 'c' });
    expect(item).not.toHaveProperty('url');

    const changed = { ...item, url: 'https://service.example/1', sample: true, 'url (part)': 'C' };
    const { json } = await place.create({ values: null }, { input: itemsOf(changed) });
    const made = (await place.stored()).find(({ id }) => id === json[0]?.id);
    expect(made?.values).toEqual({ previous: 'a', Note: 'B', url: 'C' });
  });

  test('keep the value that was read under "<key> (part)", so that Merge knows it', async () => {
    const item = await polled();
    await place.sandbox.changeRecord(place.app.id, '1', { Note: 'C' });
    const settings = {
      values: { [place.part('url')]: 'new' },
      conflictPolicy: 'merge',
      revision: item.revision,
    };
    const { json } = await place.update(settings, { input: itemsOf(item) });
    expect(json[0]).toMatchObject({ outcome: 'updated' });
    expect((await place.storedAt())?.values).toEqual({ previous: 'a', Note: 'C', url: 'new' });
  });
});
