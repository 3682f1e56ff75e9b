import { project, reporters } from '../../jest.config.mjs';

/** Longer histories and soaks than in `npm test`, for which .ci/run has time. Each waits for its sandbox half of the time. */
export default { ...project('long'), rootDir: '../..', reporters, maxWorkers: 3, testTimeout: 120_000 };
