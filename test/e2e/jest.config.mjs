import { reporters, transform } from '../../jest.config.mjs';

/** Stories that use only an n8n and a sandbox of their own; about half of the time of all stories. */
export const APART = ['cluster/cluster', 'examples/every', 'kept-demo', 'trigger'].map(
  (story) => `/test/e2e/${story}\\.test\\.ts$`,
);

/** Stories in a real n8n and a real browser, one at a time. */
export default {
  rootDir: '../..',
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/demo/node_modules/'],
  transform,
  // One n8n for all of them, because it takes longer to start than most stories take.
  globalSetup: '<rootDir>/test/e2e/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/e2e/support/global-teardown.ts',
  setupFilesAfterEnv: ['<rootDir>/test/e2e/support/second-try.ts'],
  reporters: [...reporters, '<rootDir>/test/jest/second-tries-reporter.cjs'],
  // Only a story that hangs reaches this limit. What a story waits for has its own limit
  // (test/e2e/support/patience.ts).
  testTimeout: 600_000,
  maxWorkers: 1,
  testSequencer: '<rootDir>/test/jest/sequencer.cjs',
};
