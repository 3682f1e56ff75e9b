import { PollContext } from 'n8n-core';
import { NodeConnectionTypes, type INode, type INodeExecutionData, type INodeType } from 'n8n-workflow';

import { storeFile } from '../../support/binaryStore';
import { Engine } from '../../support/engine';
import { runAgent } from './agent';

/**
 * What the n8n of this run can do. The newest can do all of it; what older ones cannot is written down in
 * `test/compat/versions.json`, and tests of such a feature ask here.
 */
export const CAPABILITIES = {
  /** An agent's tools are run by the engine, and it is told what they refuse. */
  agents: async () =>
    await runAgent({ baseUrl: '', accessKey: '' }, 'engine', { resource: 'label', operation: 'getAll' }, [
      {},
    ]).then(
      () => true,
      () => false,
    ),
  /** A poll is told how long it may take. */
  pollBudget: () => PollContext.toString().includes('getPollBudgetMs'),
  /** Where a node with Continue On Fail is tried again, its last output counts. */
  lastTryCounts: async () => {
    const engine = new Engine({}, { 'test.flaky': flaky() });
    const { json } = await engine.runNodes(
      [FLAKY],
      { Start: { main: [[{ node: 'Flaky', type: 'main', index: 0 }]] } },
      'Flaky',
    );
    return json[0]?.error === undefined;
  },
  /** A stored file's size is known to the byte. */
  fileSizes: async () => 'bytes' in (await storeFile(Buffer.from('x'), { mimeType: 'text/plain', data: '' })),
} satisfies Readonly<Record<string, () => boolean | Promise<boolean>>>;

const FLAKY: INode = {
  id: '2',
  name: 'Flaky',
  type: 'test.flaky',
  typeVersion: 1,
  position: [200, 0],
  parameters: {},
  retryOnFail: true,
  maxTries: 2,
  waitBetweenTries: 1,
  onError: 'continueRegularOutput',
};

/** Fails at its first try. */
function flaky(): INodeType {
  let tries = 0;
  return {
    description: {
      displayName: 'Flaky',
      name: 'flaky',
      group: ['transform'],
      version: 1,
      description: 'Fails at its first try',
      defaults: { name: 'Flaky' },
      inputs: [NodeConnectionTypes.Main],
      outputs: [NodeConnectionTypes.Main],
      properties: [],
    },
    execute: async (): Promise<INodeExecutionData[][]> =>
      await Promise.resolve([[{ json: ++tries === 1 ? { error: 'not now' } : {} }]]),
  };
}
