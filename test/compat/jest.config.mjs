import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { reporters, transform } from '../../jest.config.mjs';

// The engine tests on an older n8n: demo/compat.ts says on which, and starts jest on a Node.js of its time.
const folder = process.env.COMPAT_FOLDER;
if (!folder) throw new Error('Start these tests with "npm run compat".');
const modules = join(folder, 'node_modules');

/** What this n8n lacks; test/engine/capabilities.test.ts holds it to that. */
const versions = JSON.parse(readFileSync(new URL('versions.json', import.meta.url), 'utf8'));
const { lacks } = versions.find((version) => version.folder === basename(folder));

export default {
  rootDir: '../..',
  // These engines are loaded by jest itself, anew for each file: they are of other n8n than the one installed.
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/{compat,engine}/**/*.test.ts'],
  // In all of them an agent calls its tools.
  testPathIgnorePatterns: lacks.includes('agents') ? ['/test/engine/agent\\.'] : [],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/demo/'],
  transform,
  reporters,
  moduleNameMapper: {
    '^(n8n-core|n8n-workflow|@n8n/di)$': `${modules}/$1`,
    '^(n8n-core|n8n-workflow)/package.json$': `${modules}/$1/package.json`,
  },
  testTimeout: 60_000,
  // The engine of n8n 1.123 leaves something open.
  forceExit: true,
};
