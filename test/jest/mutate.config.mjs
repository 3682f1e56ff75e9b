import { project, transform } from '../../jest.config.mjs';

const [[pattern, [, options]]] = Object.entries(transform);
const { transform: others, ...unitAndEngine } = project('{unit,engine}');

/** The tests that "npm run mutate" runs, with the mutant that MUTANT names in place of its file. */
export default {
  ...unitAndEngine,
  rootDir: '../..',
  // These measure time, and coverage takes time.
  testPathIgnorePatterns: ['/(cost|speed|loop\\.blocks)\\.test\\.ts$'],
  transform: { ...others, [pattern]: ['<rootDir>/test/jest/mutant.cjs', options] },
  reporters: [],
  testTimeout: 60_000,
};
