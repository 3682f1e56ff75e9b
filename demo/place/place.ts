import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { findFreePort, requireFreePort } from './checks.ts';
import type { Children } from '../process/children.ts';
import { takeFileLock } from './file-lock.ts';
import { keptDataFolder } from './paths.ts';

export const N8N_PORT = 5678;
export const SANDBOX_PORT = 8787;

/** What the command line says about the place. */
export interface PlaceOptions {
  /** `undefined` for the default port, or with `ephemeral` for a free one. */
  readonly n8nPort: number | undefined;
  readonly sandboxPort: number | undefined;
  readonly reset: boolean;
  readonly ephemeral: boolean;
  readonly dataFolder: string | undefined;
  readonly logFolder: string | undefined;
}

/** Folders and ports of one running demo. */
export interface Place {
  readonly n8nFolder: string;
  readonly sandboxFolder: string;
  readonly seedRecord: string;
  readonly n8nPort: number;
  readonly sandboxPort: number;
  logFile(name: string): string;
}

/**
 * Reserves the kept folder and the default ports, or with `--ephemeral` a temporary folder and free ports.
 * @throws DemoError if another demo uses them
 */
export async function takePlace(options: PlaceOptions, children: Children): Promise<Place> {
  const folder = options.ephemeral
    ? takeTemporaryFolder(children)
    : takeKeptFolder(resolve(options.dataFolder ?? keptDataFolder), children);
  const logFolder = resolve(options.logFolder ?? join(folder, 'logs'));
  const n8nFolder = join(folder, 'n8n');
  const sandboxFolder = join(folder, 'sandbox');
  if (options.reset)
    for (const each of [n8nFolder, sandboxFolder]) rmSync(each, { recursive: true, force: true });
  for (const each of [n8nFolder, sandboxFolder, logFolder]) mkdirSync(each, { recursive: true });
  return {
    n8nFolder,
    sandboxFolder,
    seedRecord: join(n8nFolder, 'seeded.json'),
    n8nPort: await choosePort(options.n8nPort, options.ephemeral, N8N_PORT, 'n8n', '--n8n-port'),
    sandboxPort: await choosePort(
      options.sandboxPort,
      options.ephemeral,
      SANDBOX_PORT,
      'the sandbox',
      '--sandbox-port',
    ),
    logFile: (name) => join(logFolder, `${name}.log`),
  };
}

function takeTemporaryFolder(children: Children): string {
  const folder = mkdtempSync(join(tmpdir(), 'application-data-service-demo-'));
  children.afterStop(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function takeKeptFolder(folder: string, children: Children): string {
  const busy = `Another demo is already using ${folder}`;
  children.afterStop(takeFileLock(join(folder, 'demo.lock'), busy));
  return folder;
}

async function choosePort(
  wanted: number | undefined,
  ephemeral: boolean,
  usual: number,
  user: string,
  option: string,
): Promise<number> {
  if (wanted === undefined && ephemeral) return await findFreePort();
  const port = wanted ?? usual;
  await requireFreePort(port, user, `${option} ${port + 1}`);
  return port;
}
