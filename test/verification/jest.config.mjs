import { project, reporters } from '../../jest.config.mjs';

/** n8n's own tool on the published package. "npm run test:verification" installs it first. */
export default {
  ...project('verification'),
  rootDir: '../..',
  reporters,
  maxWorkers: 1,
  testTimeout: 180_000,
};
