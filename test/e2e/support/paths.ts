import { join } from 'node:path';

export const repository = join(__dirname, '..', '..', '..');
export const examplesFolder = join(repository, 'examples');

/** What a run leaves behind for a person to look at; not under version control. */
export const artifactsFolder = join(repository, 'test', 'e2e', '.artifacts');

/** Logs of stories with an n8n of their own, which begin while others are under way. */
export const ownLogsFolder = join(artifactsFolder, 'own');
