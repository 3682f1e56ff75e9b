import { project, reporters } from '../../jest.config.mjs';

/** Longer histories and soaks than in `npm test`, for which .ci/run has time. */
export default { ...project('long'), rootDir: '../..', reporters, maxWorkers: '100%', testTimeout: 120_000 };
