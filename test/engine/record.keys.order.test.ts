import { partsOf } from '../support/parts';
import { TriggerEngine } from '../support/triggerEngine';
import { byId } from './support/saved';
import { testTable } from './support/table';
import { itemsOf, useWorkplace } from './support/workplace';

/** Keys before the parts, the parts in the application's order, those after. Only triggers have a `url` and `previous`. */
const place = useWorkplace({
  parts: partsOf({ previous: 'textbox', Note: 'textbox', url: 'textbox' }),
  records: [{ previous: 'a', Note: 'b', url: 'c' }],
});
const OWN = ['previous', 'Note', 'url'];
const SYSTEM = ['Created at', 'Created by', 'Updated at', 'Updated by'];
const LAST = ['revision', 'canWrite', 'canDelete'];

testTable(place, 'get', {
  "the ID, the application's own parts, the service's parts, then the node's keys": {
    run: { recordId: '1' },
    after: (_, { json: [record] }) =>
      expect(Object.keys(record!)).toEqual(['id', ...OWN, ...SYSTEM, ...LAST]),
  },
  'the outcome comes after the ID': {
    run: { operation: 'create', values: { Note: 'new' }, options: { returnRecord: true } },
    after: (_, { json: [record] }) =>
      expect(Object.keys(record!)).toEqual(['id', 'outcome', ...OWN, ...SYSTEM, ...LAST]),
  },
  'keys that only triggers use for themselves are names of parts where nodes read and write': {
    run: { operation: 'update', recordId: '1', values: null },
    ...{ items: [{ previous: 'x', url: 'y' }], stored: [{ previous: 'x', Note: 'b', url: 'y' }] },
  },
});

test('an item of a trigger has the event first, the revisions together, and parts as "<key> (part)"', async () => {
  const { baseUrl, accessKey } = place.sandbox;
  const application = byId(place.app.id);
  const trigger = new TriggerEngine({ baseUrl, accessKey }, { application, events: ['updated'] });
  await trigger.activate();
  await place.change({ Note: 'B' });
  const [item = {}] = await trigger.poll();

  const own = { 'previous (part)': 'a', Note: 'B', 'url (part)': 'c' };
  expect(item).toMatchObject(own);
  const keys = Object.keys(item);
  expect(keys.slice(0, 5)).toEqual(['event', 'id', ...Object.keys(own)]);
  expect(keys.filter((key) => /revision|url$/i.test(key))).toEqual(['revision', 'previousRevision']);
  expect(keys.indexOf('previousRevision')).toBe(keys.indexOf('revision') + 1);

  // An action node accepts them so, and nothing else that the trigger says of itself.
  const changed = { ...item, url: 'https://service.example/1', sample: true, 'url (part)': 'C' };
  await place.create({ values: null }, { input: itemsOf(changed) });
  expect((await place.stored()).at(-1)?.values).toEqual({ previous: 'a', Note: 'B', url: 'C' });
});
