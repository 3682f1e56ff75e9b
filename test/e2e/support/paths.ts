import { rmSync } from 'node:fs';
import { join } from 'node:path';

export const repository = join(__dirname, '..', '..', '..');
export const examplesFolder = join(repository, 'examples');

/** The results of a run that a person can look at; not under version control. */
export const artifactsFolder = join(repository, 'test', 'e2e', '.artifacts');

/** Logs of stories with a separate n8n, which begin while others are in progress. */
export const ownLogsFolder = join(artifactsFolder, 'own');

/** An empty folder for the logs of a story with a separate n8n. */
export function emptyLogFolder(name: string): string {
  const folder = join(ownLogsFolder, name);
  rmSync(folder, { recursive: true, force: true });
  return folder;
}
