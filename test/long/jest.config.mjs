import { maxWorkers, project, reporters } from '../../jest.config.mjs';

/** Longer histories and soaks than those of `npm test`: .ci/run has time for them. */
export default { ...project('long'), rootDir: '../..', reporters, maxWorkers, testTimeout: 120_000 };
