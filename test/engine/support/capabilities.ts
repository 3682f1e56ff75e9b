import { PollContext, WorkflowExecute } from 'n8n-core';
import type { INodeType } from 'n8n-workflow';

import { storeFile } from '../../support/binaryStore';
import { Engine, nodeThat } from '../../support/engine';
import { runAgent } from './agent';
import { connect, nodeOf } from './pass';

/**
 * The capabilities of this run's n8n. The newest has all of them. `test/compat/versions.json` lists what older ones
 * lack, and tests of such a capability ask here.
 */
export const CAPABILITIES = {
  /** The engine runs an agent's tools, and the agent reads their errors. */
  agents: async () =>
    await runAgent({ baseUrl: '', accessKey: '' }, 'engine', { resource: 'label', operation: 'getAll' }, [
      {},
    ]).then(
      () => true,
      () => false,
    ),
  /** A poll knows how long it may take. */
  pollBudget: () => PollContext.toString().includes('getPollBudgetMs'),
  /** An item with `details` beside its error goes to the error output. */
  errorDetails: () => handlerOf(WorkflowExecute).includes("'details'"),
  /** If a node with Continue On Fail is tried again, its last output counts. */
  lastTryCounts: async () => {
    const engine = new Engine({}, { 'test.flaky': flaky() });
    const { json } = await engine.runNodes([FLAKY], connect({ Start: ['Flaky'] }), 'Flaky');
    return json[0]?.error === undefined;
  },
  /** The exact size of a stored file is known. */
  fileSizes: async () => 'bytes' in (await storeFile(Buffer.from('x'), { mimeType: 'text/plain', data: '' })),
} satisfies Readonly<Record<string, () => boolean | Promise<boolean>>>;

/** What sends failed items to the error output. */
function handlerOf({ prototype }: typeof WorkflowExecute): string {
  return String(prototype.handleNodeErrorOutput);
}

const FLAKY = nodeOf('Flaky', {
  ...{ type: 'test.flaky', retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
  onError: 'continueRegularOutput',
});

/** A node that fails at its first try. */
function flaky(): INodeType {
  let tries = 0;
  return nodeThat(async () => await Promise.resolve([[{ json: ++tries === 1 ? { error: 'not now' } : {} }]]));
}
