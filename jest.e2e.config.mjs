import { transform } from './jest.config.mjs';

/** Stories in a real n8n and a real browser: one at a time, each with n8n's start-up inside its time. */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/demo/node_modules/'],
  transform,
  testTimeout: 240_000,
  maxWorkers: 1,
};
