/** Unit, engine and sandbox tests. The end-to-end tests have a configuration of their own. */
export const transform = {
  '^.+\\.ts$': [
    '@swc/jest',
    { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
  ],
};

export const reporters = ['default', '<rootDir>/scripts/count-reporter.cjs'];

// n8n logs every failed node; the tests look at the errors themselves.
process.env.N8N_LOG_LEVEL ??= 'silent';

export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/{architecture,docs,unit,engine,sandbox,package,soak}/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/demo/'],
  transform,
  reporters,
  testTimeout: 20_000,
};
