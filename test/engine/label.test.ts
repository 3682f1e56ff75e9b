import type { INodeParameters } from 'n8n-workflow';

import { Engine, type EngineOptions, type EngineResult } from '../support/engine';
import { Sandbox } from '../support/sandbox';

let sandbox: Sandbox;
let engine: Engine;

beforeAll(async () => {
  sandbox = await Sandbox.borrow();
  engine = new Engine({ baseUrl: sandbox.baseUrl, accessKey: sandbox.accessKey });
});

afterEach(async () => {
  await sandbox.resetDialect();
  await sandbox.clearFaults();
  await sandbox.clearLog();
});

afterAll(async () => await sandbox.stop());

async function labels(parameters: INodeParameters = {}, options?: EngineOptions): Promise<EngineResult> {
  return await engine.run(
    { resource: 'label', operation: 'getAll', returnAll: true, ...parameters },
    options,
  );
}

test('returns every label, with its parent or none', async () => {
  const { json } = await labels();
  const sales = json.find(({ name }) => name === 'Sales');
  expect(sales).toEqual({
    id: expect.any(String) as string,
    name: 'Sales',
    color: expect.any(String) as string,
    parentId: null,
  });
  expect(json.find(({ name }) => name === 'Key Accounts')).toMatchObject({ parentId: sales?.id });
});

test('returns no more than the limit', async () => {
  expect((await labels({ returnAll: false, limit: 1 })).json).toHaveLength(1);
});

test('reads the same in any form of ids', async () => {
  const plain = await labels();
  await sandbox.setDialect({ ids: 'number' });
  expect((await labels()).json).toEqual(plain.json);
});

test('reads the labels once, however many items ask for them', async () => {
  const input = [{ json: {} }, { json: {} }];
  const { items } = await labels({ returnAll: false, limit: 1 }, { input });
  expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
  expect((await sandbox.log()).map(({ action }) => action)).toEqual(['list_applabels']);
});

test('Continue On Fail returns the failed item in its place', async () => {
  const input = [{ json: { limit: 1 } }, { json: { limit: 0 } }];
  const { json } = await labels(
    { returnAll: false, limit: '={{ $json.limit }}' },
    { input, node: { onError: 'continueRegularOutput' } },
  );
  expect(json).toEqual([
    expect.objectContaining({ parentId: null }),
    { error: '"Limit" must be a whole number of 1 or more, not 0' },
  ]);
});

test("succeeds despite a full queue, and shows the service's words for a refusal", async () => {
  await sandbox.setFaults([{ kind: 'status', status: 429, retryAfter: 0, times: 1 }]);
  expect((await labels()).error).toBeUndefined();
  await sandbox.setFaults([{ kind: 'ng', errorno: -1, message: 'No right' }]);
  expect((await labels()).error?.message).toMatch(/^The service refused: .*No right/);
});
