import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { N8nClient, N8nRefusal } from './client.ts';
import { examplesFolder } from '../place/paths.ts';
import { say } from '../../scripts/progress.mjs';
import type { SandboxAddress } from './sandbox.ts';

/** The user who logs in to the demo. Only this machine can reach the demo, so the password need not be secret. */
export const owner = {
  email: 'owner@example.com',
  password: 'DemoOwner1',
  firstName: 'Demo',
  lastName: 'Owner',
} as const;

const CREDENTIAL_TYPE = 'applicationDataServiceApi';
const CREDENTIAL_NAME = 'Application Data Service sandbox';
const OWN_NODES = 'n8n-nodes-application-data-service.';

/** The examples to open first: they need nothing but a click, and each run ends well. */
const FIRST_STEPS = ['create-customer.json', 'list-orders.json', 'list-applications.json'];

/** What the demo has put into n8n. It never does this again, because the user may have changed or removed it. */
export interface Seeded {
  readonly credentialId: string;
  /** The address in the credential. */
  readonly baseUrl: string;
  /** Workflow ids by the example's file name. */
  readonly workflows: Readonly<Record<string, { readonly id: string; readonly name: string }>>;
}

interface ExampleNode {
  readonly type: string;
}

interface Example {
  readonly name: string;
  readonly nodes: readonly ExampleNode[];
}

/**
 * Creates the owner, the credential for the sandbox and the example workflows in a new n8n. In an existing n8n, adds
 * examples that are new, and updates the sandbox's address if it has changed.
 * @param recordFile remembers what was done
 */
export async function seed(url: string, sandbox: SandboxAddress, recordFile: string): Promise<Seeded> {
  const before = readRecord(recordFile);
  const examples = exampleFiles();
  const fresh = examples.filter((file) => before?.workflows[file] === undefined);
  if (before && fresh.length === 0 && before.baseUrl === sandbox.baseUrl) return before;

  const client = new N8nClient(url);
  if (!(await logIn(client)) && before) {
    say(
      `You changed the login of n8n, so the demo could not update it. The sandbox is at ${sandbox.baseUrl}.` +
        (fresh.length > 0
          ? ` You can import these new examples: examples/${fresh.join(', examples/')}.`
          : ''),
    );
    return before;
  }
  const credentialId = before?.credentialId ?? (await createCredential(client, sandbox));
  if (before && before.baseUrl !== sandbox.baseUrl) await moveCredential(client, before, sandbox.baseUrl);
  let seeded: Seeded = { credentialId, baseUrl: sandbox.baseUrl, workflows: before?.workflows ?? {} };
  writeRecord(recordFile, seeded);
  // n8n lists the newest workflow first.
  for (const file of fresh.toReversed()) {
    const workflow = await createWorkflow(client, file, credentialId);
    seeded = { ...seeded, workflows: { ...seeded.workflows, [file]: workflow } };
    writeRecord(recordFile, seeded);
  }
  return seeded;
}

/** The files of the examples, those to open first at the beginning. */
export function exampleFiles(): string[] {
  const files = readdirSync(examplesFolder).filter(
    (file) => file.endsWith('.json') && !FIRST_STEPS.includes(file),
  );
  return [...FIRST_STEPS, ...files.sort()];
}

/** Logs in. In an n8n without an owner, creates the owner first. @returns whether the demo's owner could log in. */
async function logIn(client: N8nClient): Promise<boolean> {
  const settings = (await client.request('GET', 'settings')) as {
    userManagement: { showSetupOnFirstLoad: boolean };
  };
  if (settings.userManagement.showSetupOnFirstLoad) {
    await client.request('POST', 'owner/setup', owner);
    return true;
  }
  try {
    await client.request('POST', 'login', { emailOrLdapLoginId: owner.email, password: owner.password });
    return true;
  } catch (error) {
    if (error instanceof N8nRefusal && error.status === 401) return false;
    throw error;
  }
}

async function createCredential(client: N8nClient, { baseUrl, accessKey }: SandboxAddress): Promise<string> {
  const data = { baseUrl, accessKey };
  const body = { name: CREDENTIAL_NAME, type: CREDENTIAL_TYPE, data };
  return ((await client.request('POST', 'credentials', body)) as { id: string }).id;
}

/** Moves the credential to another port, if it still points to the sandbox. */
async function moveCredential(client: N8nClient, before: Seeded, baseUrl: string): Promise<void> {
  const path = `credentials/${before.credentialId}`;
  try {
    const credential = (await client.request('GET', `${path}?includeData=true`)) as {
      name: string;
      type: string;
      data: Record<string, unknown>;
    };
    if (credential.data.baseUrl !== before.baseUrl) return;
    const { name, type } = credential;
    await client.request('PATCH', path, { name, type, data: { ...credential.data, baseUrl } });
  } catch (error) {
    if (!(error instanceof N8nRefusal && error.status === 404)) throw error;
  }
}

async function createWorkflow(
  client: N8nClient,
  file: string,
  credentialId: string,
): Promise<{ id: string; name: string }> {
  const example = JSON.parse(readFileSync(join(examplesFolder, file), 'utf8')) as Example;
  const credentials = { [CREDENTIAL_TYPE]: { id: credentialId, name: CREDENTIAL_NAME } };
  const nodes = example.nodes.map((node) =>
    node.type.startsWith(OWN_NODES) ? { ...node, credentials } : node,
  );
  const { id, name } = (await client.request('POST', 'workflows', { ...example, nodes })) as Example & {
    id: string;
  };
  return { id, name };
}

function readRecord(file: string): Seeded | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Seeded) : undefined;
}

function writeRecord(file: string, seeded: Seeded): void {
  writeFileSync(file, JSON.stringify(seeded, null, 2));
}
