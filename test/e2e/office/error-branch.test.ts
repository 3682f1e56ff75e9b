import { demo, demoCredential, n8n } from '../support/here';
import { useApplication } from '../support/use-application';
import { actionNode, chain, mapped, n8nNode, START } from '../support/workflow';

const GOODS = 'e2e_error_branch';
const { baseUrl, accessKey } = demo.sandbox;

useApplication({ name: 'Goods', identifier: GOODS, parts: [{ name: 'Name', type: 'textbox' }] });

/** What stops the whole run: n8n would pass the input on as if it had succeeded if the node threw. */
describe('The error branch gets every item', () => {
  it.each([
    ['no address', { baseUrl: 'somewhere' }, /Base URL|address/i],
    ['a key with a line break', { accessKey: 'one\ntwo' }, /Access Key/i],
    ['a time zone that does not exist', { timeZone: 'Mars/Olympus' }, /time zone/i],
    ['a path as data module', { dataModule: 'cgi/appsr.cgi' }, /Data Module/i],
    ['a wrong key', { accessKey: 'wrong' }, /access key/i],
    ['a service that is not there', { baseUrl: 'http://127.0.0.1:9/cgi-bin' }, /connect|reach|answer/i],
  ])('%s', async (_, changes, message) => {
    const name = 'Credential of the test';
    const body = { name, type: 'applicationDataServiceApi', data: { baseUrl, accessKey, ...changes } };
    const { id } = await n8n.post<{ id: string }>('credentials', body);
    const { succeeded, failed } = await branches({ id, name }, GOODS);
    expect(succeeded).toEqual([]);
    expect(failed.map(({ error }) => error)).toEqual(Array(3).fill(expect.stringMatching(message)));
    await n8n.delete(`credentials/${id}`);
  });

  it('an application that is not there', async () => {
    const { succeeded, failed } = await branches(demoCredential, 'e2e_nowhere');
    expect(succeeded).toEqual([]);
    expect(failed.map(({ error }) => error)).toEqual(Array(3).fill(expect.stringContaining('e2e_nowhere')));
  });

  it('values that are refused, with what to do', async () => {
    const { succeeded, failed } = await branches(demoCredential, GOODS, 'Nmae');
    expect(succeeded).toEqual([]);
    const details = { outcome: 'notDone', hint: expect.stringMatching(/^Did you mean "Name"\? /) as string };
    expect(failed).toMatchObject(Array(3).fill({ details }));
  });
});

/** The items that come out of both branches of a Create that gets three items. */
async function branches(
  credential: typeof demoCredential,
  application: string,
  part = 'Name',
): Promise<Record<'succeeded' | 'failed', Record<string, unknown>[]>> {
  const create = actionNode('Create', credential, ['record', 'create', application], {
    parts: mapped({ [part]: '={{ $json.name }}' }),
  });
  const items = ['Bolt', 'Nut', 'Cap'].map((name) => ({ json: { name } }));
  const workflow = chain('Error branch', [
    n8nNode('Items', 'code', 2, { jsCode: `return ${JSON.stringify(items)};` }),
    { ...create, onError: 'continueErrorOutput' },
    n8nNode('Succeeded', 'noOp', 1, {}),
    n8nNode('Failed', 'noOp', 1, {}),
  ]);
  const to = (node: string) => [{ node, type: 'main', index: 0 }];
  const connections = {
    ...workflow.connections,
    Create: { main: [to('Succeeded'), to('Failed')] },
    Succeeded: {},
  };
  const { id } = await n8n.post<{ id: string }>('workflows', { ...workflow, connections });
  const { status, items: itemsOf } = await n8n.run(id, START);
  expect(status).toBe('success');
  return { succeeded: itemsOf('Succeeded'), failed: itemsOf('Failed') };
}
