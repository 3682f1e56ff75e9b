import type { INodeExecutionData } from 'n8n-workflow';

import { OPERATIONS } from '../../nodes/ApplicationDataService/operations/registry';
import { ORDER_PARTS } from './support/orders';
import { rowOf, withFiles } from './support/rows';
import { itemsOf, useWorkplace, type RunSettings } from './support/workplace';

/** Settings from an expression that, read wrongly, would write, delete or run what nobody wants. */
const place = useWorkplace({
  parts: ORDER_PARTS,
  records: [
    {
      Name: 'Order',
      Docs: [{ name: 'a.txt', text: 'a' }],
      Lines: [{ Item: 'a', Plan: [{ name: 'plan.txt', text: 'plan' }] }, { Item: 'b' }],
    },
    { Name: 'Plain' },
  ],
});

const CONTINUE = { onError: 'continueRegularOutput' } as const;
const IN_DOCS = { resource: 'attachment', recordId: '1', attachmentPart: 'Docs' };

/** Every operation that writes, with settings for the application of these tests. */
const WRITES: Readonly<Record<string, RunSettings>> = {
  'record.create': { values: { Name: 'new' } },
  'record.upsert': { values: { Name: 'Order', Note: 'new' }, matchBy: ['Name'] },
  'record.delete': { recordId: '2' },
  'record.update': { recordId: '1', values: { Note: 'new' } },
  'tableRow.add': rowOf({ Item: 'new' }),
  'tableRow.delete': rowOf({}, { rowId: '2' }),
  'tableRow.update': rowOf({ Item: 'new' }, { rowId: '2' }),
  'attachment.delete': { ...IN_DOCS, attachmentIds: '={{ $json.file }}' },
  'attachment.upload': { ...IN_DOCS, binaryPropertyName: 'data' },
};
/** It handles its items together, so a setting that is invalid for one of them is refused for all. */
const WHOLE_LIST = 'record.sync';
const READS: Readonly<Record<string, RunSettings>> = {
  'application.getAll': { resource: 'application', limit: 1 },
  'label.getAll': { resource: 'label', limit: 1 },
  'record.getAll': { limit: 1 },
};

const valueOf = (name: string) => name.slice(name.indexOf('.') + 1);
/** Names of the operations that have an option or parameter. */
const having = (setting: string) =>
  OPERATIONS.filter(
    ({ properties, options }) => setting in options || properties.some(({ name }) => name === setting),
  ).map(({ resource, value }) => `${resource}.${value}`);

/** Items whose expression returns these values; `undefined` for none. */
async function itemsReturning(values: readonly unknown[]): Promise<INodeExecutionData[]> {
  const [file] = (await place.storedAt())?.values.Docs as { id: string }[];
  return values.map((v) =>
    withFiles(
      { data: { name: 'x.txt', text: 'x' } },
      { file: file!.id, ...(v !== undefined && { v: v as string }) },
    ),
  );
}

/** Values that cannot be read as a switch. */
const UNREADABLE = ['yes', 'on', 2, [], null, '', undefined];
const refused = (name: string) =>
  UNREADABLE.map((): unknown =>
    expect.objectContaining({
      error: expect.stringMatching(`^"${name}" (must be true or false|is empty)`) as string,
    }),
  );
const writes = async () =>
  (await place.sandbox.log()).filter(({ action }) => /^(insert|update|delete)_data$/.test(action));

describe('Dry Run', () => {
  test.each(Object.keys(WRITES).filter((name) => !name.startsWith('attachment')))(
    '%s as the text "true" writes nothing, and unreadable values are refused only for their item',
    async (name) => {
      const { json } = await place.run(
        valueOf(name),
        { ...WRITES[name], options: { dryRun: '={{ $json.v }}' } },
        { input: await itemsReturning(['true', ...UNREADABLE, ' TRUE ', true]), node: CONTINUE },
      );
      const planned = expect.objectContaining({ dryRun: true }) as object;
      expect(json).toEqual([planned, ...refused('Dry Run'), planned, planned]);
      expect(await writes()).toEqual([]);
    },
  );

  test('exists in no other operation', () => {
    const names = Object.keys(WRITES).filter((name) => !name.startsWith('attachment'));
    expect(having('dryRun').sort()).toEqual([...names, WHOLE_LIST].sort());
  });
});

describe('an operation on the whole list', () => {
  test.each(['dryRun', 'autoAction'])('writes nothing if %s cannot be read', async (setting) => {
    const { error } = await place.run(
      'sync',
      { values: { Name: '={{ $json.v }}' }, matchBy: ['Name'], options: { [setting]: '={{ $json.v }}' } },
      { input: await itemsReturning(UNREADABLE) },
    );
    expect(error?.message).toMatch(/(must be true or false|is empty)/);
    expect(await writes()).toEqual([]);
  });
});

describe('Run Automatic Processing', () => {
  const names = Object.keys(WRITES).filter((name) => name !== 'record.delete');

  test.each(names)(
    '%s as the text "False" runs none, and unreadable values are refused only for their item',
    async (name) => {
      const { json } = await place.run(
        valueOf(name),
        { ...WRITES[name], options: { autoAction: '={{ $json.v }}' } },
        { input: await itemsReturning([...UNREADABLE, 'False']), node: CONTINUE },
      );
      expect(json.slice(0, -1)).toEqual(refused('Run Automatic Processing'));
      expect(json.at(-1)).toHaveProperty('outcome');
      const sent = (await writes()).map(({ parameters }) => Object.fromEntries(parameters).auto_action);
      expect(sent).toEqual(['off']);
    },
  );

  test('exists in no other operation', () => {
    expect(having('autoAction').sort()).toEqual([...names, WHOLE_LIST].sort());
  });
});

describe('Return All', () => {
  test.each(Object.keys(READS))(
    '%s as text is read, and unreadable values are refused only for their item',
    async (name) => {
      const { items } = await place.run(
        valueOf(name),
        { ...READS[name], returnAll: '={{ $json.v }}' },
        { input: await itemsReturning(['true', ...UNREADABLE, 'FALSE']), node: CONTINUE },
      );
      const of = (index: number) =>
        items.filter(({ pairedItem }) => (pairedItem as { item: number }).item === index);
      const errors = UNREADABLE.flatMap((_, index) => of(index + 1)).map(({ json }) => json);
      expect(of(0).length).toBeGreaterThan(1);
      expect(errors).toEqual(refused('Return All'));
      expect(of(UNREADABLE.length + 1)).toHaveLength(1);
    },
  );

  test('exists in no other operation', () => {
    expect(having('returnAll').sort()).toEqual(Object.keys(READS).sort());
  });
});

test('Delete with an option that cannot be read fails only for its item', async () => {
  const { json } = await place.delete(
    '={{ $json.id }}',
    { options: { dryRun: '={{ $json.dry }}' } },
    { input: itemsOf({ id: '1', dry: false }, { id: '2', dry: 'maybe' }), node: CONTINUE },
  );
  expect(json).toEqual([
    expect.objectContaining({ deleted: true, ids: ['1'] }),
    { error: '"Dry Run" must be true or false, not "maybe"', details: { outcome: 'notDone' } },
  ]);
  expect((await place.stored()).map(({ id }) => id)).toEqual(['2']);
});

describe('an ID that was rounded', () => {
  const ROUNDED = 2 ** 53 + 2;
  const OTHERS: Readonly<Record<string, RunSettings>> = {
    'record.get': { recordId: '1' },
    'tableRow.getAll': rowOf({}),
    'attachment.download': { ...IN_DOCS, binaryPropertyName: 'data' },
  };
  const PLACES: Readonly<Record<string, RunSettings>> = { ...WRITES, ...OTHERS };
  const IDS = ['recordId', 'rowId', 'attachmentIds'].flatMap((parameter) =>
    having(parameter).map((name) => [name, parameter] as const),
  );

  test.each(IDS)('%s refuses it as %s', async (name, parameter) => {
    const settings = {
      ...PLACES[name],
      // In an attachment operation, the row matters if the part is in a table.
      ...(parameter === 'rowId' && name.startsWith('attachment') && { attachmentPart: 'Lines.Plan' }),
      [parameter]: '={{ $json.v }}',
    };
    const input = await itemsReturning([ROUNDED, [ROUNDED]]);
    const { json } = await place.run(valueOf(name), settings, { input, node: CONTINUE });
    const error = 'An ID is too large for a number';
    expect(json[0]).toMatchObject({ error });
    expect(json[1]).toHaveProperty('error');
    expect(await writes()).toEqual([]);
    expect(await place.calls('download_data_file')).toEqual([]);
  });

  test('is checked in every operation that accepts one', () => {
    expect(IDS).toHaveLength(17);
    expect(IDS.filter(([name]) => PLACES[name] === undefined)).toEqual([]);
  });
});
