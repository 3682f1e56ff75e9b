import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { examplesFolder } from './paths';
import { runningDemo } from './running';

/** A workflow from the folder `examples`, as it is imported. */
export interface Example {
  readonly name: string;
  readonly nodes: readonly ExampleNode[];
  readonly connections: object;
  readonly settings: object;
}

export interface ExampleNode {
  readonly name: string;
  readonly type: string;
  readonly credentials?: Readonly<Record<string, { readonly id: string | null; readonly name: string }>>;
  readonly webhookId?: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** File names of all examples. */
export function exampleFiles(): string[] {
  return readdirSync(examplesFolder).filter((file) => file.endsWith('.json'));
}

export function readExample(file: string): Example {
  return JSON.parse(readFileSync(join(examplesFolder, file), 'utf8')) as Example;
}

/** The id of an example in the running demo. */
export function seededId(file: string): string {
  const id = runningDemo().workflows[file]?.id;
  if (id === undefined) throw new Error(`The demo has no example ${file}.`);
  return id;
}

/** An example after a user has chosen a credential in its nodes, the demo's by default. */
export function connectedExample(
  file: string,
  applicationDataServiceApi = { id: runningDemo().credentialId, name: 'sandbox' },
): Example {
  const example = readExample(file);
  const nodes = example.nodes.map((node) =>
    node.credentials ? { ...node, credentials: { applicationDataServiceApi } } : node,
  );
  return { ...example, nodes };
}
