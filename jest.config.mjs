/** How jest compiles TypeScript. test/e2e and test/compat, which have their own configurations, use it too. */
export const transform = {
  '^.+\\.ts$': [
    '@swc/jest',
    { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
  ],
};

export const reporters = ['default', '<rootDir>/test/jest/count-reporter.cjs'];

// n8n logs every failed node. The tests check the errors themselves.
process.env.N8N_LOG_LEVEL ??= 'silent';

/** Packages that take long to load. Node.js loads them, once in a process. */
const LOADED_ONCE = '(@n8n|fast-check|n8n-core|n8n-workflow|playwright-core|prettier|typescript)/';

/** The tests in one folder. */
export const project = (folder) => ({
  displayName: folder,
  testEnvironment: '<rootDir>/test/jest/environment.cjs',
  testMatch: [`<rootDir>/test/${folder}/**/*.test.ts`],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/demo/'],
  transform: { ...transform, [`/node_modules/${LOADED_ONCE}`]: '<rootDir>/test/jest/native.cjs' },
  transformIgnorePatterns: [`/node_modules/(?!${LOADED_ONCE})`],
});

export default {
  projects: ['architecture', 'docs', 'unit', 'engine', 'sandbox', 'package', 'soak'].map(project),
  reporters,
  // The tests often wait for a busy or slow service.
  maxWorkers: '100%',
  // Only a test that hangs reaches this limit. A test that is merely slow on a busy machine must not: it would keep
  // running beside the next ones in the sandbox that they share, and make them fail.
  testTimeout: 60_000,
};
