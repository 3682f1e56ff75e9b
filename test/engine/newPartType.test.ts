import { BINARY_ENCODING } from 'n8n-workflow';

import { ApplicationDataService } from '../../nodes/ApplicationDataService/ApplicationDataService.node';
import { codecs } from '../../nodes/ApplicationDataService/parts/codecs';
import { refuse } from '../../nodes/ApplicationDataService/parts/model/errors';
import type { PartCodec } from '../../nodes/ApplicationDataService/parts/model/part';
import { readText } from '../../nodes/ApplicationDataService/parts/values/shapes';
import { TriggerEngine } from '../support/triggerEngine';
import { byId } from './support/saved';
import { itemsOf, useWorkplace } from './support/workplace';

/** A part type that no service has: one to five, kept as that many stars. */
const rating: PartCodec = {
  label: 'Rating',
  read: ({ val }) => readText(val).length || null,
  write(value, part) {
    const count = Number(value);
    if (count >= 1 && count <= 5) return { kind: 'text', text: '*'.repeat(count) };
    throw refuse(part, value, 'it is no rating');
  },
  accepts: '1 to 5',
  form: '1 to 5',
  sortable: true,
  filterable: true,
  compares: 'number',
};

// A new part type is one file, and one line. To the sandbox it is a text.
(codecs as Map<string, PartCodec>).set('textbox', rating);

const place = useWorkplace({ parts: [{ name: 'Stars', type: 'textbox' }], records: [] });

async function getAll(more: object): Promise<unknown[]> {
  return (await place.run('getAll', { returnAll: true, ...more })).json.map(({ Stars }) => Stars);
}

const condition = (operator: string, value: string): object => ({
  filters: { condition: [{ part: 'Stars', operator, value }] },
});

test('a new part type is written, read, compared, sorted, exported, watched and offered', async () => {
  const values = { Stars: '={{ $json.n }}' };
  const written = await place.create({ values }, { input: itemsOf({ n: 3 }, { n: 5 }, { n: 1 }) });
  expect(written.json.map(({ outcome }) => outcome)).toEqual(['created', 'created', 'created']);
  expect((await place.stored()).map(({ values: stored }) => stored.Stars)).toEqual(['***', '*****', '*']);
  expect((await place.create({ values: { Stars: '6' } })).error?.message).toMatch(/"6".*it is no rating/s);

  expect(await getAll(condition('gt', '2'))).toEqual([3, 5]);
  expect(await getAll(condition('equals', '5'))).toEqual([5]);
  expect(await getAll({ sort: { by: { part: 'Stars', order: 'desc' } } })).toEqual([5, 3, 1]);

  const { items } = await place.run('export', { format: 'csv', options: { partsToReturn: ['Stars'] } });
  const csv = Buffer.from(items[0]?.binary?.data?.data ?? '', BINARY_ENCODING).toString('utf8');
  expect(csv.split('\r\n').map((line) => line.split(',')[2])).toEqual(['Stars', '3', '5', '1', undefined]);
});

test('the trigger watches it, and the editor offers it', async () => {
  const { baseUrl, accessKey } = place.sandbox;
  const application = byId(place.app.id);
  const trigger = new TriggerEngine(
    { baseUrl, accessKey },
    { application, events: ['updated'], watchParts: ['Stars'], options: { previousValues: 'updated' } },
  );
  const created = await place.create({ values: { Stars: '2' } });
  await trigger.activate();
  await place.run('update', { recordId: created.json[0]?.id, values: { Stars: '4' } });
  expect(await trigger.poll()).toMatchObject([{ Stars: 4, changes: { Stars: { from: 2, to: 4 } } }]);

  const { loadOptions, resourceMapping } = new ApplicationDataService().methods;
  const context = place.engine.editor({ resource: 'record', operation: 'create', application });
  const { fields } = await resourceMapping.getPartFields.call(context);
  expect(fields).toMatchObject([{ displayName: 'Stars · 1 to 5', type: 'string', canBeUsedToMatch: true }]);
  const parts = await loadOptions.getParts.call(context);
  expect(parts).toContainEqual({ name: 'Stars', value: place.part('Stars'), description: 'Rating' });
});
