import { randomBytes } from 'node:crypto';
import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { findFreePort, LOOPBACK } from '../../../demo/place/checks.ts';
import type { Children } from '../../../demo/process/children.ts';
import type { DemoAddress } from '../../../demo/n8n/demo-address.ts';
import { ensureN8n } from '../../../demo/n8n/install-n8n.ts';
import { ensureBuilt } from '../../../demo/package/build.ts';
import { installPackage } from '../../../demo/package/install-package.ts';
import { type Place, takePlace } from '../../../demo/place/place.ts';
import { withProgress } from '../../../scripts/progress.mjs';
import { startSandbox } from '../../../demo/n8n/sandbox.ts';
import { owner, seed } from '../../../demo/n8n/seed.ts';
import { describeMain, describeWebhook, describeWorker, Members } from './members.ts';
import type { ClusterOptions } from './options.ts';
import { startPostgres } from './postgres.ts';
import { requirePrograms } from './program.ts';
import { startRedis } from './redis.ts';

export interface RunningCluster {
  /** The files of its workflows are with the worker that runs them. */
  readonly demo: DemoAddress;
  /** Address of the production webhooks, without a slash at the end. */
  readonly webhookUrl: string;
  readonly members: Members;
}

/** Starts Redis, PostgreSQL, the sandbox, n8n's main, webhook process and workers, with the examples in it. */
export async function startCluster(children: Children, options: ClusterOptions): Promise<RunningCluster> {
  requirePrograms();
  const { logFolder } = options;
  const ports = { n8nPort: undefined, sandboxPort: undefined };
  const kept = { reset: false, ephemeral: true, dataFolder: undefined };
  const place = await takePlace({ ...ports, ...kept, logFolder }, children);
  await ensureN8n(children);
  await ensureBuilt(children, place.logFile('build'));
  const webhookPort = await findFreePort();
  const members = await describeMembers(children, place, webhookPort, options);
  await installEverywhere(children, place, members.userFolders);
  const sandbox = await startSandbox(children, {
    port: place.sandboxPort,
    dataFile: join(place.sandboxFolder, 'sandbox.sqlite'),
    logFile: place.logFile('sandbox'),
  });
  const [main = '', ...others] = members.names;
  await withProgress('Starting the main', members.start(main));
  const n8nUrl = `http://${LOOPBACK}:${place.n8nPort}`;
  const starting = Promise.all(others.map(async (name) => await members.start(name)));
  const [seeded] = await Promise.all([
    seed(n8nUrl, sandbox, place.seedRecord),
    withProgress('Starting the webhook process and the workers', starting),
  ]);
  const { email, password } = owner;
  const { credentialId, workflows } = seeded;
  const demo = { n8nUrl, email, password, sandbox, credentialId, workflows };
  return { demo, webhookUrl: `http://${LOOPBACK}:${webhookPort}`, members };
}

/** n8n looks for community packages in its own user folder, so the main's are copied to the others'. */
async function installEverywhere(
  children: Children,
  place: Place,
  [main = '', ...others]: readonly string[],
): Promise<void> {
  await installPackage(children, main, (name) => place.logFile(name));
  const nodes = join('.n8n', 'nodes');
  for (const folder of others) cpSync(join(main, nodes), join(folder, nodes), { recursive: true });
}

async function describeMembers(
  children: Children,
  place: Place,
  webhookPort: number,
  { workers, settings }: ClusterOptions,
): Promise<Members> {
  const folder = dirname(place.n8nFolder);
  const logFile = (name: string) => place.logFile(name);
  const [redisPort, database] = await Promise.all([
    startRedis(children, folder, logFile('redis')),
    startPostgres(children, logFile),
  ]);
  const queue = queueSettings(redisPort, place.n8nPort, webhookPort);
  const shared = { ...queue, ...database, ...settings };
  const setting = { folder, logFile, settings: shared };
  const numbers = Array.from({ length: workers }, (_, index) => index + 1);
  return new Members(
    children,
    new Map([
      describeMain(place.n8nPort, setting),
      describeWebhook(webhookPort, setting),
      ...(await Promise.all(numbers.map((number) => describeWorker(number, place.n8nPort, setting)))),
    ]),
  );
}

/** What makes several n8n processes one n8n: see docs/production.md. */
function queueSettings(redisPort: number, mainPort: number, webhookPort: number): NodeJS.ProcessEnv {
  return {
    EXECUTIONS_MODE: 'queue',
    OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
    QUEUE_BULL_REDIS_HOST: LOOPBACK,
    QUEUE_BULL_REDIS_PORT: `${redisPort}`,
    N8N_ENCRYPTION_KEY: randomBytes(24).toString('base64'),
    // Production addresses, also those from a worker, lead to the webhook process. The test addresses stay with the
    // main. N8N_WEBHOOK_URL would move them too, and would need a proxy that separates the two.
    WEBHOOK_URL: `http://${LOOPBACK}:${webhookPort}/`,
    N8N_EDITOR_BASE_URL: `http://${LOOPBACK}:${mainPort}/`,
  };
}
