import { join } from 'node:path';

export const repository = join(__dirname, '..', '..', '..');
export const examplesFolder = join(repository, 'examples');

/** The results of a run that a person can look at; not under version control. */
export const artifactsFolder = join(repository, 'test', 'e2e', '.artifacts');

/** Logs of stories with a separate n8n, which begin while others are in progress. */
export const ownLogsFolder = join(artifactsFolder, 'own');
