import type { INodeParameters } from 'n8n-workflow';

import { Engine, type EngineResult } from '../../test/support/engine';
import { Sandbox, type CreatedApplication, type SandboxStart } from '../../test/support/sandbox';
import { DirectClient } from './direct';
import { peerTypes } from './peer';

/** A sandbox, the engine with our node and the peers', and undici, all for the same service. */
export interface Setup {
  readonly sandbox: Sandbox;
  readonly engine: Engine;
  readonly direct: DirectClient;
  /** Address of the data module. */
  readonly url: string;
}

/** Runs a comparison with a new sandbox. */
export async function withSetup<T>(start: SandboxStart, use: (setup: Setup) => Promise<T>): Promise<T> {
  const sandbox = await Sandbox.start(start);
  const { baseUrl, accessKey } = sandbox;
  const direct = new DirectClient(baseUrl, accessKey);
  try {
    const engine = new Engine({ baseUrl, accessKey }, peerTypes());
    return await use({ sandbox, engine, direct, url: `${baseUrl}/appsr.cgi` });
  } finally {
    await direct.close();
    await sandbox.stop();
  }
}

/** The application Goods, which the write comparisons use. */
export async function goods(sandbox: Sandbox, records: number): Promise<CreatedApplication> {
  return await sandbox.createApplication({
    name: 'Goods',
    identifier: `goods-${Math.random().toString(36).slice(2)}`,
    parts: [
      { name: 'Code', type: 'textbox' },
      { name: 'Name', type: 'textbox' },
      { name: 'Price', type: 'number' },
    ],
    records: Array.from({ length: records }, (_, index) => ({
      Code: `C${index}`,
      Name: `Good ${index}`,
      Price: index,
    })),
  });
}

/** Runs our node. @throws Error if it fails. */
export async function runOurs(
  engine: Engine,
  parameters: INodeParameters,
  input?: { json: object }[],
): Promise<EngineResult> {
  const result = await engine.run(parameters, { input: input as never });
  if (result.error !== undefined) throw result.error;
  return result;
}

/** A resource locator by id. */
export function byId(id: string): INodeParameters {
  return { __rl: true, mode: 'id', value: id };
}

/** The number of records that the calls in a sandbox's log have read, found by repeating the calls. */
export async function recordsRead(sandbox: Sandbox): Promise<number> {
  const log = await sandbox.log();
  let records = log.filter(({ action }) => action === 'get_data').length;
  for (const { parameters } of log.filter(({ action }) => action === 'list_data')) {
    const { list } = await sandbox.call('list_data', Object.fromEntries(parameters));
    records += (list as { item: unknown[] }).item.length;
  }
  return records;
}
