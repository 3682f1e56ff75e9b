/**
 * Runs executions that create records, all at the same time, in a separate process, as a worker of n8n would. Prints
 * `ready`, starts when it receives a line, and prints the number of failed items. Argument: what to do, as JSON.
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
  /** The number of records in each execution. */
  readonly records: number;
  /** The prefix of the records' codes. */
  readonly name: string;
}

/** Runs the executions. @returns the number of failed items. */
async function write({ sandbox, app, executions, ...settings }: Writers): Promise<number> {
  const { baseUrl, accessKey } = sandbox;
  const engine = new Engine({ baseUrl, accessKey });
  const parameters = {
    resource: 'record',
    operation: 'create',
    application: byId(app),
    parts: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] },
  };
  const execute = async (_: unknown, execution: number): Promise<number> => {
    const input = Array.from({ length: settings.records }, (_, record) => ({
      json: { Code: `${settings.name}-${execution}-${record}` },
    }));
    const { json, error } = await engine.run(parameters, {
      input,
      node: { onError: 'continueRegularOutput' },
    });
    return error === undefined ? json.filter((item) => 'error' in item).length : settings.records;
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
