import type { INodeParameters } from 'n8n-workflow';

import type { PartDefinition } from '../support/sandbox';
import { condition } from './support/tickets';
import { useWorkplace } from './support/workplace';

/**
 * Every operator on every type: what the service is asked, by which operator, or that the node checks, and which of the
 * records are found: 1 has the value, 2 another one, 3 none.
 */
const place = useWorkplace(null);

type Found = Readonly<Record<string, string>>;

/** `equals: = 1; gt: node 2`: by operator, who is asked and how, and the records found. */
const found = (text: string, as: Found = {}): Found => ({
  ...as,
  ...(Object.fromEntries(text.split('; ').map((each) => each.split(': '))) as Found),
});

const TEXT = {
  ...found('equals: = 1; notEquals: node 2 3; oneOf: node 1; startsWith: node 1; endsWith: node 1'),
  ...found('contains: contains 1; notContains: node 2 3; isNull: is_null 3; isNotNull: node 1 2'),
  ...found('gt: refused; gte: refused; lt: refused; lte: refused; custom: != 2 3'),
};
const ORDERED = found('gt: node 2; gte: >= 1 2; lt: node; lte: node 1', TEXT);
const SEVERAL = found('equals: contains 1', TEXT);
const REFUSED = Object.fromEntries(Object.keys(TEXT).map((operator) => [operator, 'refused']));
const ROWS = found('isNull: node 3; isNotNull: node 1 2; custom: refused by the service', REFUSED);
/** Made by the service itself, so no record is without one. */
const NEVER_EMPTY = found('isNull: is_null; isNotNull: node 1 2 3');
const ID = found('gt: node 2 3; gte: >= 1 2 3', { ...ORDERED, ...NEVER_EMPTY });
const CREATOR = {
  ...{ ...SEVERAL, ...NEVER_EMPTY },
  ...found(
    'equals: contains 1 2 3; notEquals: node; oneOf: node 1 2 3; contains: contains 1 2 3; custom: !=',
  ),
  ...found('notContains: node; startsWith: node 1 2 3; endsWith: node 1 2 3'),
};
const FILE_BY_ID = {
  ...{ ...TEXT, ...found('equals: =; notEquals: node 1 2 3; oneOf: node; contains: contains') },
  ...found('notContains: node 1 2 3; startsWith: node; endsWith: node; custom: != 1 2 3'),
};
/** The sandbox gives choices no IDs, so it finds none. */
const CHOICE_BY_ID = found('equals: contains; contains: contains; custom: != 1 2 3', {
  ...REFUSED,
  ...found('isNull: is_null 3; isNotNull: node 1 2'),
});

interface Type {
  readonly more?: Partial<PartDefinition>;
  /** The values of the first two records. */
  readonly values?: readonly [unknown, unknown];
  /** What is compared with; the first record's value if it is left out. */
  readonly value?: unknown;
  readonly finds: Found;
  /** What is compared with by ID, and what that finds. */
  readonly byId?: readonly [value: string, finds: Found];
}

const options = { options: ['Won', 'Lost'] };
const byId = ['2', CHOICE_BY_ID] as const;
const files = [[{ name: 'a.txt', text: 'a' }], [{ name: 'b.txt', text: 'b' }]] as const;
const child = { children: [{ name: 'Item', type: 'textbox' }] };
const rows = [[{ Item: 'Bolt' }], [{ Item: 'Nut' }]] as const;

const TYPES: Readonly<Record<string, Type>> = {
  textbox: { values: ['[1]', '1'], finds: found('oneOf: node 1 2', TEXT) },
  textarea: { values: ['one\ntwo', 'one'], finds: found('oneOf: node 2', TEXT) },
  richeditor: { values: ['<p>a</p>', '<p>b</p>'], finds: TEXT },
  radio: { more: options, values: ['Won', 'Lost'], finds: TEXT, byId },
  select: { more: options, values: ['Won', 'Lost'], finds: TEXT, byId },
  checkbox: { more: options, values: [['Won'], ['Lost']], value: 'Won', finds: SEVERAL, byId },
  listbox: { more: options, values: [['Won'], ['Lost']], value: ['Won'], finds: SEVERAL, byId },
  number: { values: ['10000', '20000'], value: '10,000', finds: ORDERED, byId: ['10000', ORDERED] },
  date: { values: ['2026-03-01', '2026-04-01'], value: '2026/3/1', finds: ORDERED },
  time: { values: [34_200, 36_000], value: '09:30:00', finds: ORDERED },
  datetime: { values: ['2026-03-01T09:30', '2026-04-01T09:30'], value: '2026年3月1日 9:30', finds: ORDERED },
  files: { values: files, value: 'a.txt', finds: TEXT, byId: ['99999999', FILE_BY_ID] },
  users: { values: [['1001'], ['1002']], value: 'Aiko Mori', finds: SEVERAL, byId: ['1001', SEVERAL] },
  groups: { values: [['201'], ['202']], value: 'Sales', finds: SEVERAL, byId: ['201', SEVERAL] },
  input_list: { more: child, values: rows, value: 'Bolt', finds: ROWS },
  expression: { more: { formula: '{number}' }, value: '10000', finds: ORDERED },
  id: { value: '1', finds: ID, byId: ['1', ID] },
  user: { value: 'Aiko Mori', finds: CREATOR, byId: ['1001', CREATOR] },
};

const NAMES: Readonly<Record<string, string>> = { id: 'ID', user: 'Created by' };

beforeAll(async () => {
  const own = Object.entries(TYPES).filter(([type]) => NAMES[type] === undefined);
  const records = [0, 1].map((index) =>
    Object.fromEntries(own.flatMap(([type, { values }]) => (values ? [[type, values[index]]] : []))),
  );
  const parts = own.map(([type, { more }]) => ({ name: type, type, ...more }));
  await place.open({ parts, records: [...records, {}] });
});

async function find(saved: INodeParameters): Promise<string> {
  const before = (await place.sent('list_data')).length;
  const filters = condition({ customOperator: '!=', ...saved });
  const result = await place.run('getAll', { returnAll: true, ...filters });
  const sent = (await place.sent('list_data')).slice(before);
  if (result.error !== undefined) return sent.length === 0 ? 'refused' : 'refused by the service';
  const { item: [asked] = [] } = JSON.parse(sent[0]?.filter ?? '{}') as { item?: { operator: string }[] };
  return [asked?.operator ?? 'node', ...result.json.map(({ id }) => id as string)].join(' ');
}

test.each(Object.entries(TYPES))('%s', async (type, { values, value = values?.[0], finds, byId: ids }) => {
  const part = NAMES[type] ?? type;
  const findAll = async (more: object): Promise<Found> => {
    const told: Record<string, string> = {};
    for (const operator of Object.keys(TEXT)) told[operator] = await find({ part, operator, ...more });
    return told;
  };
  expect(await findAll({ value })).toEqual(finds);
  if (ids !== undefined) expect(await findAll({ value: ids[0], valueType: 'id' })).toEqual(ids[1]);
});
