import { project, reporters } from '../../jest.config.mjs';

/** Longer histories and soaks than those of `npm test`: .ci/run has time for them. */
export default { ...project('long'), rootDir: '../..', reporters, maxWorkers: '100%', testTimeout: 120_000 };
