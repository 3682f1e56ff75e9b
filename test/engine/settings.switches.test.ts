import type { INodeExecutionData } from 'n8n-workflow';

import { OPERATIONS } from '../../nodes/ApplicationDataService/operations/registry';
import { ORDER_PARTS } from './support/orders';
import { rowOf, withFiles } from './support/rows';
import { useWorkplace, type RunSettings } from './support/workplace';

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

/** Every operation that writes item by item, with settings for the application of these tests. */
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

const valueOf = (name: string) => name.slice(name.indexOf('.') + 1);
/** Names of the operations that have an option or parameter. */
const having = (setting: string) =>
  OPERATIONS.filter(
    ({ properties, options }) => setting in options || properties.some(({ name }) => name === setting),
  ).map(({ resource, value }) => `${resource}.${value}`);

/** Items whose expression returns these values. */
async function itemsReturning(values: readonly unknown[]): Promise<INodeExecutionData[]> {
  const [file] = (await place.storedAt())?.values.Docs as { id: string }[];
  return values.map((v) =>
    withFiles({ data: { name: 'x.txt', text: 'x' } }, { file: file!.id, v: v as string }),
  );
}

const writes = async () =>
  (await place.sandbox.log()).filter(({ action }) => /^(insert|update|delete)_data$/.test(action));

const AUTOMATIC = Object.keys(WRITES).filter((name) => name !== 'record.delete');

test.each(AUTOMATIC)('%s with Run Automatic Processing as the text "False" runs none', async (name) => {
  const settings = { ...WRITES[name], options: { autoAction: '={{ $json.v }}' } };
  const { json } = await place.run(valueOf(name), settings, { input: await itemsReturning(['False']) });
  expect(json.at(-1)).toHaveProperty('outcome');
  const sent = (await writes()).map(({ parameters }) => Object.fromEntries(parameters).auto_action);
  expect(sent).toEqual(['off']);
});

test('no other operation has the option, but Sync', () => {
  expect(having('autoAction').sort()).toEqual([...AUTOMATIC, 'record.sync'].sort());
});

describe('an ID that was rounded', () => {
  const ROUNDED = 2 ** 53 + 2;
  const PLACES: Readonly<Record<string, RunSettings>> = {
    ...WRITES,
    'record.get': { recordId: '1' },
    'tableRow.getAll': rowOf({}),
    'attachment.download': { ...IN_DOCS, binaryPropertyName: 'data' },
    'attachment.getAll': IN_DOCS,
  };
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
    expect(json[0]).toMatchObject({ error: 'An ID is too large for a number' });
    expect(json[1]).toHaveProperty('error');
    expect(await writes()).toEqual([]);
    expect(await place.calls('download_data_file')).toEqual([]);
  });

  test('is checked in every operation that accepts one', () => {
    expect(IDS).toHaveLength(19);
    expect(IDS.filter(([name]) => PLACES[name] === undefined)).toEqual([]);
  });
});
