import { everything } from './support/everything';
import { file, type Parameters, useClient } from './support/serviceCall';

/** interface.md, "Errors": what is refused. The answer names what was wrong, and nothing is written. */
const client = useClient('kept');
beforeAll(async () => {
  await client.sandbox.createApplication(everything);
});

/** A call, what its answer names, and the part at fault. */
type Row = readonly [action: string, sent: Parameters, named: string | readonly string[], part?: string];

const EVERYTHING = { app_id: '@everything' };
const values = (name: string, given: readonly string[]): Record<string, string>[] =>
  given.map((value) => ({ [name]: value }));
const asked = (name: string, ...pairs: readonly (readonly [value: string, named: string])[]): Row[] =>
  pairs.map(([value, named]) => ['list_data', { ...EVERYTHING, [name]: value }, [name, named]]);
const inserted = (...rows: readonly (readonly [part: string, value: string, because: string])[]): Row[] =>
  rows.map(([part, value, because]) => [
    ...(['insert_data', { app_id: '301', '{{Company}}': 'X', [`{{${part}}}`]: value }] as const),
    ...([because, `{{${part}}}`] as const),
  ]);
const order = { app_id: '302', data_id: '1', '{{revision}}': '0' };
const updated = (
  ...rows: readonly (readonly [name: string, value: string | File, because: string])[]
): Row[] => rows.map(([name, value, because]) => ['update_data', { ...order, [name]: value }, because]);
const looked = { app_id: '302', '{{Order No}}': 'L', '{{Customer ID}}': '3' };
const LOOKUP = 'relookup_key_field';

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  'the action': [
    ...['drop_table', 'LIST_APPS', '__proto__'].map((action): Row => [action, {}, action]),
    ['', {}, 'action'],
    ['download_data_file', { app_id: '301', field_id: '116', id: '1' }, 'action'],
  ],
  'the application': values('app_id', ['999', '0306', '@nothing', 'everything', '', '@']).map((sent): Row => [
    'list_data',
    sent,
    'app_id',
  ]),
  list_apps: [
    ...values('label_id', ['99', 'mine']).map((sent): Row => ['list_apps', sent, 'label_id']),
    ['list_apps', { offset: 'a' }, 'offset'],
    ['list_apps', { limit: '-1' }, 'limit'],
  ],
  data_id: [
    ...values('data_id', ['', '0', '99', 'x', '1,2']).map((sent): Row => [
      'get_data',
      { app_id: '301', ...sent },
      'data_id',
    ]),
    ...values('data_id', ['', ',', 'x', '1;2', '-1', '99']).map((sent): Row => [
      'delete_data',
      { app_id: '301', ...sent },
      'data_id',
    ]),
  ],
  load_rel_list: [['get_data', { app_id: '301', data_id: '1', load_rel_list: 'maybe' }, 'load_rel_list']],
  fields: asked(
    'fields',
    ['not json', 'JSON'],
    ['{"field_name":"Text"}', 'array'],
    ['["Text"]', 'field_name'],
    ['[{"field_name":"Nowhere"}]', 'Nowhere'],
    ['[{"field_alias":"nowhere"}]', 'nowhere'],
    ['[{"field_name":5}]', 'field_name'],
    ['[null]', 'field_name'],
  ),
  'the order': [
    ['list_data', { ...EVERYTHING, sort_field_id: '999' }, 'sort_'],
    ['list_data', { ...EVERYTHING, sort_field_id: '101', sort_order: 'up' }, 'sort_'],
  ],
  'the page': [{ offset: '-1' }, { offset: 'x' }, { limit: '1.5' }, { limit: '-5' }].map((page): Row => [
    'list_data',
    { ...EVERYTHING, ...page },
    Object.keys(page),
  ]),
  filter: asked(
    'filter',
    ['{', 'JSON'],
    ['[]', 'item'],
    ['{"item":{}}', 'item'],
    ['{"item":["x"]}', 'no object'],
    ['{"item":[{"field_id":"999","operator":"=","value":"1"}]}', '999'],
    ['{"item":[{"field_id":"101","operator":"like","value":"1"}]}', 'like'],
    ['{"item":[{"field_id":"101","operator":"="}]}', 'without a value'],
    ['{"item":[{"field_id":"101","operator":"=","value":"1","type":"name"}]}', 'type'],
    ['{"item":[{"field_id":"108","operator":"=","value":"many"}]}', 'a number'],
    ['{"item":[{"field_id":"109","operator":">=","value":"31.12.2026"}]}', 'yyyy-MM-dd'],
    ['{"item":[{"field_id":"110","operator":">=","value":"10:00"}]}', 'seconds'],
    ['{"item":[{"field_id":"111","operator":">=","value":"2026-01-01"}]}', 'yyyy-MM-ddTHH:mm'],
  ),
  'a value': inserted(
    ['Rank', 'D', 'option'],
    ['Interests', 'Tools\tSpace', 'option'],
    ['Credit Limit', 'much', 'number'],
    ['Credit Limit', '1,200', 'number'],
    ['Customer Since', '2026-02-30', 'yyyy-MM-dd'],
    ['Customer Since', '01.02.2026', 'yyyy-MM-dd'],
    ['Call Before', '10:30', 'seconds'],
    ['Call Before', '-1', 'seconds'],
    ['Next Visit', '2026-01-01 10:00', 'yyyy-MM-ddTHH:mm'],
    ['Next Visit', '2026-01-01T25:00', 'yyyy-MM-ddTHH:mm'],
    ['Account Managers', '1001\t9999', '9999'],
    ['Account Managers', 'Aiko Mori', 'Aiko Mori'],
    ['Departments', '1001', '1001'],
    ['Documents', 'text', 'files'],
    ['Company', '', 'empty'],
    ['Last Process', 'x', 'cannot be written'],
    ['Days Known', '5', 'cannot be written'],
    ['Orders', '[]', 'cannot be written'],
    ['ID', '5', 'cannot be written'],
    ['Created by', '1001', 'cannot be written'],
    ['Nowhere', 'x', 'no part'],
    ['revision', '1', 'no part'],
    // Without part identifier mode, a part has only its name.
    ['contact', 'x', 'no part'],
  ),
  'a name in part identifier mode': ['{{Subject}}', '{{Internal Remark}}'].map((part): Row => [
    'insert_data',
    { app_id: '304', '{{subject}}': 'Chair', [part]: 'x' },
    'no part',
    part,
  ]),
  'the revision': [
    ...updated(...['', 'new', '-1'].map((value) => ['{{revision}}', value, '{{revision}}'] as const)),
    ['update_data', { ...order, '{{revision}}': undefined, '{{Status}}': 'Paid' }, '{{revision}}'],
  ],
  rows: updated(
    ['{{Lines}}', 'not json', '{{Lines}}'],
    ['{{Lines}}', '{"Item":"a"}', 'array'],
    ['{{Lines}}', '["a"]', 'objects'],
    ['{{Lines}}', '[{"Nowhere":"a"}]', 'Nowhere'],
    ['{{Lines}}', '[{"Quantity":"many"}]', 'number'],
    ['{{Lines}}', '[{"Item":{"val":"a"}}]', 'text'],
    ['{{Lines}}', '[{"Amount":"1"}]', 'Amount'],
    ['{{Lines}}', '[{"Drawing":"x"}]', 'files'],
    ['{{Lines}}', '[{"data_id":"999","Item":"a"}]', '999'],
    ['{{Lines}}', '[{"data_id":"1"},{"data_id":"1"}]', '1'],
    ['{{Lines}}', '[{"data_id":{}}]', 'data_id'],
  ),
  files: [
    ...updated(
      ['{{Attachments}}.del_attachment_id', '999', 'no file'],
      ['{{Attachments}}.del_attachment_id', 'x', 'id of a file'],
      ['{{Note}}.del_attachment_id', '1', 'no attachment part'],
      ['{{Lines}}9.{{Drawing}}.del_attachment_id', '1', 'no row 9'],
      ['{{Lines}}0.{{Item}}', 'x', 'attachment parts only'],
      ['{{Note}}0.{{Drawing}}', 'x', 'no table part'],
      ['{{Note', 'x', 'cannot be read'],
      ...['{{Note}}', '{{Lines}}', '{{Lines}}0.{{Item}}', '{{Nowhere}}', 'plain'].map(
        (name) => [name, file('a.txt', 'a'), ''] as const,
      ),
    ),
    [
      'insert_data',
      { app_id: '302', '{{Order No}}': 'x', '{{Attachments}}.del_attachment_id': '1' },
      'update_data',
    ],
  ],
  'a switch': [['insert_data', { app_id: '301', '{{Company}}': 'X', auto_action: '1' }, 'auto_action']],
  'a lookup': [
    ['insert_data', { ...looked, [LOOKUP]: '101' }, [LOOKUP, 'no key part']],
    ['insert_data', { ...looked, [LOOKUP]: 'x' }, [LOOKUP, 'no key part']],
    ['insert_data', { app_id: '302', '{{Order No}}': 'L', [LOOKUP]: '102' }, [LOOKUP, 'not sent']],
  ],
};

const all = Object.entries(ROWS).flatMap(([what, rows]) =>
  rows.map(([action, sent, ...told]) => [what, action, sent, told] as const),
);
test.each(all)('%s: %s %j', async (_, action, sent, [named, part]) => {
  const stored = async () => await Promise.all(['301', '302', '304'].map((id) => client.sandbox.records(id)));
  const before = await stored();
  const { status, errorno, errormessage, errmsgadd } = await client.call(action, sent);
  expect(status).toBe('ng');
  expect(errorno).toBeLessThan(0);
  expect(errormessage).toMatch(/^W:.* \[W\d+\]$/s);
  for (const text of [named].flat()) expect(errormessage).toContain(text);
  if (part !== undefined) expect(errmsgadd).toBe(part);
  expect(await stored()).toEqual(before);
});
