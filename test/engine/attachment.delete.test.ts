import { LINES } from './support/rows';
import { itemsOf, useWorkplace } from './support/workplace';

interface StoredFile {
  readonly id: string;
  readonly name: string;
}

const files = (...names: string[]) => names.map((name) => ({ name, text: name }));

const place = useWorkplace({
  parts: [{ name: 'Docs', type: 'files' }, LINES],
  records: [
    {
      Docs: files('a', 'b', 'c', 'd'),
      Lines: [
        { Item: 'x', Plan: files('p') },
        { Item: 'y', Plan: files('q', 'r', 's') },
      ],
    },
  ],
});

const docs = async () => ((await place.storedAt())?.values.Docs ?? []) as StoredFile[];
const plans = async () =>
  ((await place.storedAt())?.values.Lines as { Plan?: StoredFile[] }[]).map(({ Plan }) => Plan ?? []);
const remove = async (attachmentIds: unknown, more = {}, input = itemsOf({})) =>
  await place.run(
    'delete',
    { resource: 'attachment', recordId: '1', attachmentPart: 'Docs', attachmentIds, ...more },
    { input },
  );

test('removes the named files, one in each request, under successive revisions', async () => {
  const [a, b, , d] = (await docs()).map(({ id }) => id);
  const { json } = await remove(`${a},${b},${d},99999`);
  expect(json).toEqual([
    { deleted: true, recordId: '1', outcome: 'deleted', ids: [a, b, d], notFound: ['99999'] },
  ]);
  expect((await docs()).map(({ name }) => name)).toEqual(['c']);
  const calls = await place.calls('update_data');
  expect(
    calls.map(({ parameters }) => parameters.filter(([name]) => name.endsWith('.del_attachment_id')).length),
  ).toEqual([1, 1, 1]);
  expect(calls.map(({ parameters }) => Object.fromEntries(parameters)['{{revision}}'])).toEqual([
    '1',
    '2',
    '3',
  ]);
});

test('removes files of a row and leaves the others', async () => {
  const [, [q, , s] = []] = await plans();
  const { json } = await remove([q?.id, s?.id], { attachmentPart: 'Lines.Plan', rowId: '2' });
  expect(json[0]).toMatchObject({ outcome: 'deleted', ids: [q?.id, s?.id] });
  expect((await plans()).map((plan) => plan.map(({ name }) => name))).toEqual([['p'], ['r']]);
});

test('missing files are reported, and nothing is sent', async () => {
  expect((await remove('99998,99999')).json).toEqual([
    { deleted: false, recordId: '1', outcome: 'notFound', ids: [], notFound: ['99998', '99999'] },
  ]);
  expect(await place.calls('update_data')).toEqual([]);
  expect((await remove('={{ "" }}')).error?.message).toBe('The list of attachment IDs is empty');
});

test('a file that two items name is deleted once, and counts for both', async () => {
  const [a, b] = (await docs()).map(({ id }) => id);
  const more = { options: { failIfNotFound: true } };
  const input = itemsOf({ ids: [a] }, { ids: [a, b] }, { ids: [a] });
  const { json } = await remove('={{ $json.ids }}', more, input);
  expect(json.map(({ outcome, ids, notFound }) => [outcome, ids, notFound])).toEqual([
    ['deleted', [a], []],
    ['deleted', [a, b], []],
    ['deleted', [a], []],
  ]);
  expect(await place.calls('update_data')).toHaveLength(2);
});

test.each([
  ['changes the record', { Lines: [{ Item: 'z' }] }, 2],
  ['removes the file', { Docs: [] }, 1],
])('the removal is planned again if somebody %s, and tells what it found first', async (_, values, count) => {
  const [a] = (await docs()).map(({ id }) => id);
  await place.meanwhile({ action: 'update_data', times: 1 }, async () => await place.change(values));
  const { json } = await remove(`${a},99999`);
  expect(json).toEqual([{ deleted: true, recordId: '1', outcome: 'deleted', ids: [a], notFound: ['99999'] }]);
  expect(await place.calls('update_data')).toHaveLength(count);
});

test('the editor marks files that are not chosen', async () => {
  await expect(remove({ __rl: true, mode: 'list', value: '' })).rejects.toThrow('has issues');
  expect(await docs()).toHaveLength(4);
});
