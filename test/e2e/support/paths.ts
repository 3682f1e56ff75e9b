import { join } from 'node:path';

export const repository = join(__dirname, '..', '..', '..');
export const examplesFolder = join(repository, 'examples');

/** What a run leaves behind for a person to look at; not under version control. */
export const artifactsFolder = join(repository, 'test', 'e2e', '.artifacts');
