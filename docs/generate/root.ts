import { resolve } from 'node:path';

/** The repository. */
export const ROOT = resolve(__dirname, '../..');
