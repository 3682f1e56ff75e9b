import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Everything that the demo creates is in `demo/node_modules` and `demo/.data`. */
export const demoFolder = dirname(dirname(fileURLToPath(import.meta.url)));
export const repository = dirname(demoFolder);
export const examplesFolder = join(repository, 'examples');

/** Stays from one start to the next; `--reset` removes it. */
export const keptDataFolder = join(demoFolder, '.data');

export const n8nCommand = join(demoFolder, 'node_modules', 'n8n', 'bin', 'n8n');

/** Node.js's compile cache for n8n, which makes the next start faster. */
export const compiledFolder = join(demoFolder, 'node_modules', '.cache', 'compiled');
