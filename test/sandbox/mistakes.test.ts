import { useClient, type Definition } from './support/serviceCall';

/** Control refuses calls that make no sense: a typo must not allow more than was meant. */
describe('Mistakes', () => {
  const client = useClient();

  it.each([
    [{ kind: 'status', status: 99 }, '200 to 599'],
    [{ kind: 'status', status: 600 }, '200 to 599'],
    [{ kind: 'status', status: 200.5 }, '200 to 599'],
    [{ kind: 'html', status: 0 }, '200 to 599'],
    [{ kind: 'redirect', location: '/', status: 1000 }, '200 to 599'],
    [{ kind: 'drop', when: 'before', action: 'get_dada' }, 'of a fault must be one of'],
  ])('in a fault are refused: %j', async (fault, text) => {
    await expect(client.sandbox.setFaults([fault as never])).rejects.toThrow(text);
  });

  it.each([
    [{ customers: { parts: { 'Credit Limt': 'none' } } }, 'There is no part \\"Credit Limt\\"'],
    [{ '*': { parts: { Nowhere: 'none' } } }, 'There is no part'],
    [{ customer: { access: false } }, 'There is no application'],
    [{ customers: { acess: false } }, 'There is no right'],
    [{ customers: { read: 'mine' } }, 'must be one of: all, own, none'],
    [{ customers: { add: 'off' } }, 'add\\" must be one of'],
    [{ customers: { parts: { Company: 'hidden' } } }, 'must be one of: write, read, none'],
    [{ customers: { records: { 1: { raed: false } } } }, 'There is no right'],
  ])('in rights are refused: %j', async (rights, text) => {
    await expect(client.sandbox.setUser('1002', { rights })).rejects.toThrow(text);
  });

  it('keep the former rights; rights by id, name and identifier are accepted', async () => {
    await client.sandbox.setUser('1002', {
      rights: {
        301: { parts: { 102: 'none', Company: 'read', email: 'none' } },
        302: { parts: { Item: 'read' } },
      },
    });
    const tanaka = client.as('sandbox-key-tanaka');
    const hidden = { val: '', error: 'unauthorized' };
    expect(await tanaka.record('301', '1')).toMatchObject({ Contact: hidden, 'E-mail': hidden });
  });

  it('in an app_id name no application', async () => {
    expect(await client.call('count_data', { app_id: '0301' })).toMatchObject({ errorno: -10007 });
    expect(await client.call('count_data', { app_id: '301' })).toMatchObject({ status: 'ok' });
  });
});

describe('Former differences between the sandbox and the interface', () => {
  const client = useClient();

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
    const shown = children.map(({ name, type, is_ref, options, allow_other, time_unit }: Definition) => [
      name,
      type,
      is_ref,
      options,
      allow_other,
      time_unit,
    ]);
    expect(shown).toEqual([
      ['Rank', 'radio', 'on', 'A\tB\tC', 'off', undefined],
      ['Industry', 'select', 'on', 'Manufacturing\tTrade\tServices\tPublic', 'on', undefined],
      ['Call Before', 'time', 'on', '', 'off', 15],
      ['Credit Limit', 'number', 'on', '', 'off', undefined],
      ['Missing', 'rel_field', 'on', '', 'off', undefined],
    ]);
  });

  it('a lookup copies nothing from a record that the caller may not read', async () => {
    await client.sandbox.setUser('1002', { rights: { customers: { records: { 1: { read: false } } } } });
    const tanaka = client.as('sandbox-key-tanaka');
    const order = { '{{Order No}}': 'X-1', '{{Customer ID}}': '1', relookup_key_field: '102' };
    const [mine, theirs] = [await client.insert('302', order), await tanaka.insert('302', order)];
    const stored = await client.sandbox.records('302');
    const company = (id: string) => stored.find((record) => record.id === id)?.values['Delivery Name'];
    expect([company(mine), company(theirs)]).toEqual(['Acme Engineering', undefined]);
  });

  it.each([
    ['<style>p { color: red }</style>A<script type="x">alert("<b>")</script> B<!-- <p>c</p> -->', 'A B'],
    ['A&nbsp;&amp; B &unknown;', 'A & B &unknown;'],
    ['1 &lt; 2 &amp;lt; 3', '1 < 2 &lt; 3'],
  ])('overview_text of %s', async (overview, text) => {
    const { identifier } = await client.sandbox.createApplication({
      name: 'Texts',
      identifier: 'texts',
      overview,
      parts: [],
    });
    const apps = (await client.list('list_apps')) as unknown as Record<string, unknown>[];
    expect(identifier).toBe('texts');
    expect(apps.find(({ name }) => name === 'Texts')?.overview_text).toBe(text);
  });
});
