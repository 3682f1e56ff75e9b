/**
 * Runs executions that create records, all at once, in a process of its own, as an n8n with workers has several. Says `ready`,
 * begins when it is given a line, and prints how many items failed. Argument: what to do, as JSON.
 */
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { Engine } from '../../test/support/engine';
import type { SandboxAddresses } from '../../test/support/sandboxControl';
import { byId } from './setup';

/** Executions of one process. */
export interface Writers {
  readonly sandbox: SandboxAddresses;
  /** ID of the application. */
  readonly app: string;
  readonly executions: number;
  /** Requests that each may have under way. */
  readonly concurrency: number;
  /** Records of each execution. */
  readonly records: number;
  /** What the codes of the records begin with. */
  readonly name: string;
}

/** Gives the number of items that failed. */
async function write({ sandbox, app, executions, ...given }: Writers): Promise<number> {
  const { baseUrl, accessKey } = sandbox;
  const engine = new Engine({ baseUrl, accessKey });
  const parameters = {
    resource: 'record',
    operation: 'create',
    application: byId(app),
    parts: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] },
    options: { concurrency: given.concurrency },
  };
  const execute = async (_: unknown, execution: number): Promise<number> => {
    const input = Array.from({ length: given.records }, (_, record) => ({
      json: { Code: `${given.name}-${execution}-${record}` },
    }));
    const { json, error } = await engine.run(parameters, {
      input,
      node: { onError: 'continueRegularOutput' },
    });
    return error === undefined ? json.filter((item) => 'error' in item).length : given.records;
  };
  const failed = await Promise.all(Array.from({ length: executions }, execute));
  return failed.reduce((sum, count) => sum + count, 0);
}

async function main(what: Writers): Promise<void> {
  const lines = createInterface(process.stdin);
  console.log('ready');
  await once(lines, 'line');
  console.log(await write(what));
  lines.close();
}

main(JSON.parse(process.argv[2] ?? '') as Writers).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
