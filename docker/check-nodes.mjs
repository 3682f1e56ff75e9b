// node docker/check-nodes.mjs ADDRESS: waits until a new n8n answers, and asks it for its nodes as its editor does. Fails
// unless every node of the package is there: an n8n that loads none of them starts without an error, too.
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** The first start of n8n creates its database. */
const PATIENCE = 180_000;

const [address = 'http://127.0.0.1:5678'] = process.argv.slice(2);
const { name, n8n } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
/** n8n wants the same one in every request of a login. */
const headers = { 'content-type': 'application/json', 'browser-id': 'check-nodes' };

/** While n8n starts, it refuses connections, or answers with a page instead of its settings. */
async function isReady() {
  try {
    const response = await fetch(`${address}/rest/settings`, { signal: AbortSignal.timeout(5_000) });
    await response.body?.cancel();
    return response.ok && response.headers.get('content-type')?.includes('json') === true;
  } catch {
    return false;
  }
}

/** Makes the owner of the new n8n. @returns the cookie of the login */
async function logIn() {
  const owner = {
    email: 'owner@example.com',
    password: 'CheckNodes1',
    firstName: 'Check',
    lastName: 'Nodes',
  };
  const request = { method: 'POST', headers, body: JSON.stringify(owner) };
  const response = await fetch(`${address}/rest/owner/setup`, request);
  if (!response.ok) throw new Error(`n8n made no owner: ${response.status} ${await response.text()}`);
  return response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
}

const end = Date.now() + PATIENCE;
while (!(await isReady())) {
  if (Date.now() > end) throw new Error(`n8n does not answer at ${address}.`);
  await pause(1_000);
}
const cookie = (await logIn()).join('; ');
const response = await fetch(`${address}/types/nodes.json`, { headers: { ...headers, cookie } });
if (!response.ok) throw new Error(`n8n does not tell its nodes: ${response.status} ${await response.text()}`);
const known = new Set((await response.json()).map((type) => type.name.toLowerCase()));

// A file is named as its node, but for the case of the first letter.
const own = n8n.nodes.map((file) => `${name}.${file.split('/').at(-1).replace('.node.js', '')}`);
const missing = own.filter((type) => !known.has(type.toLowerCase()));
for (const type of missing) console.error(`n8n has not loaded ${type}.`);
console.log(
  `n8n knows ${known.size} nodes; of this package ${own.length - missing.length} of ${own.length}.`,
);
process.exitCode = missing.length > 0 ? 1 : 0;
