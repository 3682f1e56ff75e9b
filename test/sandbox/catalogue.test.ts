import { useClient } from './support/serviceCall';

/** interface.md, "list_apps (application list)" and "States and transitions". */
const client = useClient();

describe('list_apps', () => {
  const names = (parameters = {}) =>
    client.list('list_apps', parameters).then((items) => items.map(({ name }) => name as unknown));

  it.each([
    [{}, ['Customers', 'Orders', 'Inventory', 'Purchase Requests', 'Price List']],
    [{ label_id: 'all' }, ['Customers', 'Orders', 'Inventory', 'Purchase Requests', 'Price List']],
    [{ label_id: 'self' }, ['Customers', 'Orders', 'Purchase Requests', 'Price List']],
    [{ label_id: 'favorite' }, ['Customers']],
    [{ label_id: '1' }, ['Customers', 'Orders']],
    [{ label_id: '4' }, ['Inventory']],
    [{ keyword: 'ORDER' }, ['Orders']],
    [{ keyword: 'stock on' }, ['Inventory']],
    [{ keyword: '<p>' }, []],
    [{ offset: '1', limit: '2' }, ['Orders', 'Inventory']],
    [{ label_id: '1', keyword: 'sell' }, ['Customers']],
  ])('%j', async (parameters, expected) => {
    expect(await names(parameters)).toEqual(expected);
  });
});

it.each(['maintenance', 'stopped'] as const)(
  'Application status %s: data actions are refused, the definition is not',
  async (status) => {
    await client.sandbox.changeApplication('orders', { status });
    for (const action of ['list', 'count', 'get', 'insert', 'update', 'delete']) {
      const sent = { app_id: '302', data_id: '1', '{{revision}}': '0' };
      expect(await client.call(`${action}_data`, sent)).toMatchObject({ status: 'ng' });
    }
    expect(await client.ok('get_app', { app_id: '302' })).toMatchObject({ app_status: status });
  },
);
