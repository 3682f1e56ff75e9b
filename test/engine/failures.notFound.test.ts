import type { INodeParameters } from 'n8n-workflow';

import { itemsOf, useWorkplace } from './support/workplace';
import { useQuickRetries } from './support/quickRetries';

useQuickRetries();

const place = useWorkplace({
  records: [{ Name: 'Bolt', Lines: [{ Item: 'a' }], Photo: [{ name: 'a.png', text: 'x' }] }],
});

const hintsOf = ({ hints }: { hints: readonly { message: string }[] }): string[] =>
  hints.map(({ message }) => message);

const row = { mappingMode: 'defineBelow', value: { Item: 'b' }, matchingColumns: [], schema: [] };
const inRow: INodeParameters = { resource: 'tableRow', recordId: '1', tablePart: 'Lines' };

/** What to change or delete by a missing ID, and the message about it. */
const CASES: readonly (readonly [string, string, INodeParameters, string, RegExp])[] = [
  [
    'Delete',
    'delete',
    { recordId: '={{ $json.id }}' },
    'Records not found, so there was nothing to delete: 2',
    /^There is no record 98 in Goods$/,
  ],
  [
    'Table Row > Update',
    'update',
    { ...inRow, rowId: '={{ $json.id }}', row },
    'Rows not found, so there was nothing to change: 2',
    /^Record 1 has no row 98 in "Lines"/,
  ],
  [
    'Table Row > Delete',
    'delete',
    { ...inRow, rowId: '={{ $json.id }}' },
    'Rows not found, so there was nothing to delete: 2',
    /^Record 1 has no row 98 in "Lines"/,
  ],
  [
    'Attachment > Delete',
    'delete',
    { resource: 'attachment', recordId: '1', attachmentPart: 'Photo', attachmentIds: '={{ $json.id }}' },
    'Files not found, so there was nothing to delete: 2',
    /^Record 1 has no file 98 in "Photo"/,
  ],
];

const input = itemsOf({ id: '98' }, { id: '99' });

describe.each(CASES)('%s of something missing', (_name, operation, parameters, hint, refusal) => {
  test('has the outcome notFound and is counted above the output', async () => {
    const ran = await place.run(operation, parameters, { input });
    expect(ran.json).toEqual([
      expect.objectContaining({ outcome: 'notFound' }),
      expect.objectContaining({ outcome: 'notFound' }),
    ]);
    expect(hintsOf(ran)).toEqual([hint]);
  });

  test('is an error of each item with Fail If Not Found', async () => {
    const failing = { ...parameters, options: { failIfNotFound: true } };
    const { error } = await place.run(operation, failing, { input });
    expect(error?.message).toMatch(refusal);
    expect(error?.context?.itemIndex).toBe(0);
    const node = { onError: 'continueRegularOutput' } as const;
    const { json } = await place.run(operation, failing, { input, node });
    expect(json).toEqual([
      expect.objectContaining({ error: expect.stringMatching(refusal) as string }),
      expect.objectContaining({ error: expect.stringContaining('99') as string }),
    ]);
  });
});

test('Fail If Not Found accepts items of which only some are missing', async () => {
  const options = { failIfNotFound: true };
  const records = await place.delete('1,99', { options });
  expect(records.json).toEqual([{ deleted: true, ids: ['1'], notFound: ['99'], outcome: 'deleted' }]);
  expect(hintsOf(records)).toEqual(['Records not found, so there was nothing to delete: 1']);
});

describe('a dry run', () => {
  const values = { Name: 'x' };
  test.each([
    ['create', { values }],
    ['update', { recordId: '1', values }],
    ['upsert', { values, matchBy: ['Name'] }],
    ['delete', { recordId: '1' }],
    ['add', { ...inRow, row }],
    ['delete', { ...inRow, rowId: '1' }],
  ])('of %s says once that nothing was written', async (operation, settings) => {
    const dry = { ...settings, options: { dryRun: true } };
    const ran = await place.run(operation, dry, {
      input: itemsOf(...Array.from({ length: 12 }, () => ({}))),
    });
    expect(ran.error).toBeUndefined();
    expect(hintsOf(ran)).toEqual(['Dry run: nothing was written']);
    expect((await place.sandbox.log()).filter(({ action }) => /insert|update|delete/.test(action))).toEqual(
      [],
    );
  });

  test('also says what would fail because something is missing', async () => {
    const options = { dryRun: true, failIfNotFound: true };
    const { error } = await place.delete('99', { options });
    expect(error?.message).toBe('There is no record 99 in Goods');
  });
});
