import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { readSetting, readSettings, type Setting } from '../../nodes/ApplicationDataService/common/setting';
import { OPERATIONS } from '../../nodes/ApplicationDataService/operations/registry';
import { triggerOptions } from '../../nodes/ApplicationDataService/trigger/node/settings';
import { webhookOptions } from '../../nodes/ApplicationDataService/webhook/register';
import { like } from './support/like';
import { withFiles } from './support/rows';
import { ORDERS, RUNS as SHOWN } from './support/runs';
import { useWorkplace, type RunSettings } from './support/workplace';

/**
 * Every setting of every operation, with an expression: the values that cannot be read, and those that leave it out.
 */
const GIVEN = {
  parts: ORDERS.parts!,
  records: [
    { Company: 'Acme', Files: [{ name: 'a.txt', text: 'a' }], Lines: [{ Item: 'a' }, { Item: 'b' }] },
  ],
};
const place = useWorkplace(GIVEN);

/** Settings with which each operation succeeds, if possible without writing. */
const RUNS = Object.fromEntries(
  OPERATIONS.map(({ resource, value, options }): [string, RunSettings] => {
    // Nothing is there that no item of Sync has.
    const here = value === 'sync' && { values: { Company: 'Acme' } };
    const parameters = { ...SHOWN[`${resource}.${value}`]![0]!.parameters, ...here };
    const dry = 'dryRun' in options && { dryRun: true };
    return [`${resource}.${value}`, { ...parameters, options: { ...parameters.options, ...dry } }];
  }),
);

/**
 * Settings besides the switches that must have a value. Otherwise, something could be written, deleted or run that the expression should
 * prevent.
 */
const MUST_BE_SAID = ['missing', 'maxRemovals', 'conflictPolicy', 'tableRowMode', 'match'];
const LEFT_OUT = [undefined, null, ''];

/** What narrows what is meant: an expression that returns nothing is an error, an empty text means none. */
const NARROWS = ['keyword', 'keywordParts', 'filterJson', 'limit', 'label'];

/** Values that cannot be read as a setting of this kind. */
function unreadable({ type, name, options }: INodeProperties): unknown[] {
  if (name === 'filterJson') return ['{', 'x', 5, true, { company: 'Acme' }];
  if (type === 'boolean') return ['maybe', '1', 2, {}, []];
  if (type === 'number') return ['many', 0.5, -1, true, {}, []];
  if (type === 'multiOptions') return [true, {}, [{}]];
  // n8n itself leaves out an expression for a whole collection.
  if (type === 'fixedCollection') return [];
  return options === undefined ? [{}, []] : ['other', 5, true, {}, []];
}

/** Whether a parameter is read as an option is. n8n's own kinds for names, IDs and values are read differently. */
const isSetting = ({ type, options }: INodeProperties): boolean =>
  type === 'boolean' || type === 'number' || (type === 'options' && options !== undefined);

const SETTINGS = OPERATIONS.flatMap(({ resource, value, properties, options }) => [
  ...properties
    .filter(isSetting)
    .map((property) => [`${resource}.${value}`, property.name, property, 'parameter'] as const),
  ...Object.values(options).map(
    ({ property }) => [`${resource}.${value}`, property.name, property, 'option'] as const,
  ),
]);

/** The error of an item for each value, or `undefined`. */
async function errorsOf(name: string, settings: RunSettings, values: readonly unknown[]): Promise<unknown[]> {
  const input = values.map((v) =>
    withFiles({ data: { name: 'x.txt', text: 'x' } }, v === undefined ? {} : { v: v as string }),
  );
  // It handles its items together, so each item has a separate run.
  const runs = name === 'record.sync' ? input.map((item) => [item]) : [input];
  const errors: unknown[] = [];
  for (const items of runs) {
    const ran = await place.run(name.slice(name.indexOf('.') + 1), settings, {
      input: items,
      node: { onError: 'continueRegularOutput' },
    });
    if (ran.error !== undefined) throw ran.error;
    items.forEach((_, index) => {
      const own = ran.items.filter(({ pairedItem }) => (pairedItem as { item: number }).item === index);
      errors.push(own.find(({ json }) => 'error' in json)?.json.error);
    });
  }
  return errors;
}

const withSetting = (
  name: string,
  setting: string,
  kind: 'parameter' | 'option',
  v: unknown,
): RunSettings => {
  const run = RUNS[name]!;
  return kind === 'option'
    ? { ...run, options: { ...run.options, [setting]: v as string } }
    : { ...run, [setting]: v };
};

test.each(SETTINGS)('%s: %s', async (name, setting, property, kind) => {
  const values = unreadable(property);
  const errors = await errorsOf(name, withSetting(name, setting, kind, '={{ $json.v }}'), [
    ...values,
    ...LEFT_OUT,
  ]);
  const title = setting === 'filterJson' ? 'The filter JSON' : `"${property.displayName}"`;
  const unsaid =
    property.type === 'boolean' || MUST_BE_SAID.includes(setting) ? `${title} is empty` : undefined;
  expect(errors).toEqual([
    ...values.map(() => like(title)),
    ...LEFT_OUT.map((value) =>
      NARROWS.includes(setting) && value !== '' ? `"${property.displayName}" is empty` : unsaid,
    ),
  ]);
});

/** The switches among the options that are on where they are not saved (parameters.md). */
const ABSENT_ON = ['autoAction', 'loadReferenceLists', 'bom', 'readable'];
const EVERY_OPTION = [...OPERATIONS.map(({ options }) => options), triggerOptions, webhookOptions].flatMap(
  (options): Setting<unknown>[] => Object.values(options),
);

test('an added switch always changes something', () => {
  for (const { property, absent } of EVERY_OPTION.filter((each) => each.property.type === 'boolean')) {
    expect([property.name, absent]).toEqual([property.name, ABSENT_ON.includes(property.name)]);
    expect([property.name, property.default]).toEqual([property.name, !ABSENT_ON.includes(property.name)]);
  }
});

test.each(OPERATIONS)('without options, $resource $value reads what absent keys mean', ({ options }) => {
  const read = readSettings(options, {});
  for (const [name, { absent }] of Object.entries(options))
    expect([name, read[name]]).toEqual([name, absent]);
});

/** What a run gives, asks and leaves behind, in a place that nothing was done in. */
async function effectsOf(name: string, options: RunSettings['options']): Promise<unknown> {
  await place.open(GIVEN);
  const { items, hints } = await place.run(
    name.slice(name.indexOf('.') + 1),
    { ...RUNS[name], options },
    { input: [withFiles({ data: { name: 'x.txt', text: 'x' } }, {})] },
  );
  const done = { items, hints, actions: await place.actions(), stored: await place.stored() };
  // The sandbox gives every file a new ID, and the next minute may have begun.
  return JSON.parse(
    JSON.stringify(done, (_, value: unknown) => {
      if (typeof value === 'string') return value.replaceAll(MINUTE, '');
      if (typeof value !== 'object' || value === null || !('mimeType' in value)) return value;
      const data = 'data' in value ? Buffer.from(String(value.data), 'base64').toString() : '';
      return { ...value, data, id: '', url: '' };
    }),
  );
}

const MINUTE = /\d{4}-\d\d-\d\dT\d\d:\d\d/g;

test.each(OPERATIONS)(
  'with options: {}, $resource $value does the same as without, and as with what their absence means',
  async ({ resource, value, options }) => {
    const name = `${resource}.${value}`;
    const absent = Object.entries(options).flatMap(([key, setting]) =>
      setting.absent === undefined ? [] : [[key, setting.absent as string] as const],
    );
    const effects = await effectsOf(name, {});
    expect(await effectsOf(name, undefined)).toEqual(effects);
    expect(await effectsOf(name, Object.fromEntries(absent))).toEqual(effects);
  },
);

test('no operation asks for many options', () => {
  const most: Readonly<Record<string, number>> = {
    'record.upsert': 10,
    'record.create': 7,
    'record.getAll': 5,
  };
  for (const { resource, value, options } of OPERATIONS) {
    const name = `${resource}.${value}`;
    expect([name, Object.keys(options).length <= (most[name] ?? 9)]).toEqual([name, true]);
  }
  expect(Object.keys(triggerOptions)).toHaveLength(10);
});

test.each<[string, INodeParameters, string]>([
  ['the part to sort by', { sort: { by: { part: '={{ $json.v }}' } } }, 'There is no part'],
  ['the order', { sort: { by: { part: 'Company', order: '={{ $json.v }}' } } }, 'There is no order'],
  [
    'what a filter compares by',
    { filters: { condition: [{ part: 'Company', value: 'Acme', valueType: '={{ $json.v }}' }] } },
    'Filter 1: There is no way to compare by',
  ],
  [
    'the operator',
    { filters: { condition: [{ part: 'Company', value: 'Acme', operator: '={{ $json.v }}' }] } },
    'Filter 1: There is no operator',
  ],
])('%s cannot be read from other values, and may be left out', async (_, run, message) => {
  const errors = await errorsOf('record.getAll', run, [{}, [], ...LEFT_OUT]);
  const refused = like(message);
  const isFilter = 'filters' in run;
  const nothing = isFilter ? like(/^Filter 1: "[\w ]+" is empty$/) : undefined;
  expect(errors).toEqual([refused, refused, nothing, nothing, undefined]);
});

const OF_TRIGGERS = [...Object.entries(triggerOptions), ...Object.entries(webhookOptions)].filter(
  ([name]) => name !== 'filterJson', // read once the application is known
);

test.each(OF_TRIGGERS)('the triggers read %s in the same way', (_, setting) => {
  for (const value of unreadable(setting.property)) {
    expect(() => readSetting<unknown>(setting, value)).toThrow(`"${setting.property.displayName}"`);
  }
  for (const value of LEFT_OUT) {
    const read = () => readSetting<unknown>(setting, value);
    const isNothing = value === undefined || value === null;
    if (setting.refuses === 'empty' || (setting.refuses === 'nothing' && isNothing))
      expect(read).toThrow(/is empty$/);
    else expect(read()).toBe(setting.absent);
  }
});

/** Names of the operations that have an option or parameter. */
const having = (setting: string) =>
  OPERATIONS.filter(
    ({ properties, options }) => setting in options || properties.some(({ name }) => name === setting),
  ).map(({ resource, value }) => `${resource}.${value}`);
const writes = async () =>
  (await place.sandbox.log()).filter(({ action }) => /^(insert|update|delete)_data$/.test(action));

test.each(having('autoAction'))('%s with the text "False" runs no automatic processing', async (name) => {
  const [file] = (await place.storedAt())?.values.Files as { id: string }[];
  const input = [withFiles({ data: { name: 'x.txt', text: 'x' } }, { v: 'False', file: file!.id })];
  const run =
    name === 'record.sync' ? { ...RUNS[name], values: { Company: 'new' }, missing: 'keep' } : RUNS[name];
  const settings = { ...run, options: { autoAction: '={{ $json.v }}' } };
  const { json } = await place.run(name.slice(name.indexOf('.') + 1), settings, { input });
  expect(json.at(-1)).toHaveProperty('outcome');
  const sent = (await writes()).map(({ parameters }) => Object.fromEntries(parameters).auto_action);
  expect(sent).toEqual(['off']);
});

const IDS = ['recordId', 'rowId', 'attachmentIds'].flatMap((parameter) =>
  having(parameter).map((name) => [name, parameter] as const),
);
test.each(IDS)('%s refuses an ID that was rounded, as %s', async (name, parameter) => {
  const ROUNDED = 2 ** 53 + 2;
  // In an attachment operation, the row matters if the part is in a table.
  const inRow = parameter === 'rowId' && name.startsWith('attachment') && { attachmentPart: 'Lines.Plan' };
  const settings = { ...RUNS[name], ...inRow, [parameter]: '={{ $json.v }}' };
  const [whole, inList] = await errorsOf(name, settings, [ROUNDED, [ROUNDED]]);
  expect(whole).toBe('An ID is too large for a number');
  expect(inList).toBeDefined();
  expect(await writes()).toEqual([]);
  expect(await place.calls('download_data_file')).toEqual([]);
});
