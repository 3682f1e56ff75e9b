import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { project, reporters } from '../../jest.config.mjs';

// Runs the engine tests on an older n8n. test/run/compat.ts sets which one, and starts jest on a Node.js of its time.
const folder = process.env.COMPAT_FOLDER;
if (!folder) throw new Error('Start these tests with "npm run compat".');
const modules = join(folder, 'node_modules');

/** The capabilities that this n8n lacks; test/engine/capabilities.test.ts checks this. */
const versions = JSON.parse(readFileSync(new URL('versions.json', import.meta.url), 'utf8'));
const { lacks } = versions.find((version) => version.folder === basename(folder));

export default {
  ...project('engine'),
  rootDir: '../..',
  testMatch: ['<rootDir>/test/{compat,engine}/**/*.test.ts'],
  // In all tests of these files, an agent calls its tools.
  testPathIgnorePatterns: lacks.includes('agents') ? ['/test/engine/agent\\.'] : [],
  reporters,
  moduleNameMapper: {
    '^(n8n-core|n8n-workflow|@n8n/di)$': `${modules}/$1`,
  },
  testTimeout: 60_000,
  // The engine of n8n 1.123 leaves a handle open.
  forceExit: true,
};
