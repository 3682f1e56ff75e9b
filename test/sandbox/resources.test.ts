import { containing, matching } from './support/matchers';
import { useClient, type Definition } from './support/serviceCall';

/** interface.md, "Resources and their fields". */
const client = useClient('kept');

async function definitions(application: string): Promise<Map<string, Definition>> {
  const { fields: found } = await client.ok('get_app', { app_id: application });
  return new Map((found?.item ?? []).map((part) => [part.name, part]));
}

describe('Application', () => {
  it('has the fields of list_apps', async () => {
    const [first] = await client.list('list_apps');
    expect(first).toEqual({
      id: '301',
      name: 'Customers',
      app_status: 'running',
      overview_text: containing('All companies we sell to'),
      portal_icon: matching(/^http/),
      pallet_menu_icon: matching(/^http/),
    });
  });

  it('shows its description as HTML in get_app, and icons that can be fetched', async () => {
    const answer = await client.ok('get_app', { app_id: '301' });
    expect(answer).toMatchObject({ id: '301', name: 'Customers', app_status: 'running' });
    expect(answer.overview).toContain('<b>sell</b>');
    expect(answer).not.toHaveProperty('overview_text');
    const icon = await fetch(String(answer.portal_icon));
    expect(icon.headers.get('content-type')).toBe('image/svg+xml');
  });

  it('cuts overview_text at 256 characters', async () => {
    await client.sandbox.createApplication({
      name: 'Wordy',
      overview: `<p>${'語'.repeat(300)}</p>`,
      parts: [],
    });
    const found = (await client.list('list_apps')).find(({ name }) => (name as unknown) === 'Wordy');
    expect(found?.overview_text).toBe('語'.repeat(256));
  });

  it.each([
    ['<style>p { color: red }</style>A<script type="x">alert("<b>")</script> B<!-- <p>c</p> -->', 'A B'],
    ['A&nbsp;&amp; B &unknown;', 'A & B &unknown;'],
    ['1 &lt; 2 &amp;lt; 3', '1 < 2 &lt; 3'],
  ])('overview_text of %s', async (overview, text) => {
    const { id } = await client.sandbox.createApplication({ name: 'Texts', overview, parts: [] });
    const apps = (await client.list('list_apps')) as unknown as Record<string, unknown>[];
    expect(apps.find((app) => app.id === id)?.overview_text).toBe(text);
  });
});

describe('Part definition', () => {
  it('marks system parts, ids 1 to 5, all others from 101 up', async () => {
    const parts = await definitions('301');
    expect([...parts.values()].slice(0, 5)).toMatchObject([
      { id: '1', type: 'id', system: 'on', readonly: 'on' },
      { id: '2', type: 'datetime', system: 'on' },
      { id: '3', type: 'user', system: 'on' },
      { id: '4', type: 'datetime', system: 'on' },
      { id: '5', type: 'user', system: 'on' },
    ]);
    expect(parts.get('Company')).toEqual({
      id: '101',
      name: 'Company',
      field_alias: 'company',
      is_ref: 'off',
      readonly: 'off',
      system: 'off',
      type: 'textbox',
      options: '',
      allow_other: 'off',
    });
  });

  it('separates options by tabs and says whether other values may be entered', async () => {
    const parts = await definitions('301');
    expect(parts.get('Rank')).toMatchObject({ options: 'A\tB\tC', allow_other: 'off' });
    expect(parts.get('Industry')).toMatchObject({ allow_other: 'on' });
    expect(parts.get('Call Before')).toMatchObject({ type: 'time', time_unit: 15 });
    expect(parts.get('Last Process')).toMatchObject({ readonly: 'on', system: 'off' });
  });

  it('lists the children of table parts and reference lists', async () => {
    const lines = (await definitions('302')).get('Lines');
    expect(lines?.child?.list.item.map(({ name, type }) => `${name} ${type}`)).toEqual([
      ...['Item textbox', 'Quantity number', 'Price number', 'Amount expression', 'Due date'],
      ...['Packed checkbox', 'Drawing files'],
    ]);
    const orders = (await definitions('301')).get('Orders');
    expect(orders).toMatchObject({ type: 'rel_list', readonly: 'on' });
    expect(orders?.child?.list.item.map(({ name }) => name)).toEqual(['Order No', 'Ordered On', 'Total']);
  });

  it('returns the type, options and flags of the source for a reference part', async () => {
    const parts = await definitions('302');
    expect(parts.get('Customer')).toMatchObject({ is_ref: 'on', type: 'textbox', system: 'off' });
    expect(parts.get('Customer Rank')).toMatchObject({ is_ref: 'on', type: 'radio', options: 'A\tB\tC' });
  });

  it('reports system of a reference part whose source is one, and rel_field on a reference error', async () => {
    const { id } = await client.sandbox.createApplication({
      name: 'Referring',
      parts: [
        { name: 'Key', type: 'number' },
        {
          name: 'Their ID',
          type: 'reference',
          reference: { application: 'customers', key: 'Key', match: 'ID', part: 'ID' },
        },
        {
          name: 'Lost',
          type: 'reference',
          reference: { application: 'nowhere', key: 'Key', match: 'ID', part: 'ID' },
        },
      ],
    });
    const parts = await definitions(id);
    expect(parts.get('Their ID')).toMatchObject({ is_ref: 'on', type: 'id', system: 'on' });
    expect(parts.get('Lost')).toMatchObject({ is_ref: 'on', type: 'rel_field' });
  });

  it('children of a reference list have the type, options and unit of their source', async () => {
    await client.sandbox.createApplication({
      name: 'Lists',
      identifier: 'lists',
      parts: [
        { name: 'Key', type: 'number' },
        {
          name: 'Customers',
          type: 'rel_list',
          relation: { application: 'customers', key: 'Key', match: 'ID' },
          children: ['Rank', 'Industry', 'Call Before', 'Credit Limit', 'Missing'].map((name) => ({
            name,
            type: 'reference',
          })),
        },
      ],
    });
    const { fields } = await client.ok('get_app', { app_id: '@lists' });
    const list = fields?.item.find(({ name }) => name === 'Customers');
    const children = list?.child?.list.item ?? [];
    const shown = children.map((child: Definition) => [
      ...[child.name, child.type, child.is_ref, child.options, child.allow_other, child.time_unit],
    ]);
    expect(shown).toEqual([
      ['Rank', 'radio', 'on', 'A\tB\tC', 'off', undefined],
      ['Industry', 'select', 'on', 'Manufacturing\tTrade\tServices\tPublic', 'on', undefined],
      ['Call Before', 'time', 'on', '', 'off', 15],
      ['Credit Limit', 'number', 'on', '', 'off', undefined],
      ['Missing', 'rel_field', 'on', '', 'off', undefined],
    ]);
  });

  it('knows all part types (a reference part shows its source type)', async () => {
    const all = [...(await definitions('301')).values(), ...(await definitions('302')).values()];
    const types = new Set(all.map(({ type }) => type));
    const dated = 'id date time datetime number expression user users groups files';
    const written = 'textbox textarea richeditor checkbox listbox radio select input_list rel_list';
    expect([...types].sort()).toEqual(`${dated} ${written}`.split(' ').sort());
  });
});

it('Application label has a color, and a parent id that is empty at the top', async () => {
  expect(await client.list('list_applabels')).toEqual([
    { id: '1', name: 'Sales', color: 'blue', parent_id: '' },
    { id: '2', name: 'Key Accounts', color: 'green', parent_id: '1' },
    { id: '3', name: 'Logistics', color: 'yellow', parent_id: '' },
    { id: '4', name: 'Warehouse', color: 'pink', parent_id: '3' },
    { id: '5', name: 'Internal', color: 'gray', parent_id: '' },
  ]);
});
