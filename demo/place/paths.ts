import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where things stand. Everything the demo makes lies in `demo/node_modules` and `demo/.data`. */
export const demoFolder = dirname(dirname(fileURLToPath(import.meta.url)));
export const repository = dirname(demoFolder);
export const examplesFolder = join(repository, 'examples');

/** Kept from one start to the next; `--reset` removes it. */
export const keptDataFolder = join(demoFolder, '.data');

export const n8nCommand = join(demoFolder, 'node_modules', 'n8n', 'bin', 'n8n');

/** What Node.js has compiled of n8n, so that its next start does not have to. */
export const compiledFolder = join(demoFolder, 'node_modules', '.cache', 'compiled');
