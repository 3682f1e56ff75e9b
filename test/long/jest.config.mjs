import { constants, setPriority } from 'node:os';

import { project, reporters } from '../../jest.config.mjs';

// .ci/run makes them beside the end-to-end tests: what waits for a browser goes first.
if (process.env.CI) setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

/** Longer histories and soaks than those of `npm test`: .ci/run has time for them. */
export default { ...project('long'), rootDir: '../..', reporters, maxWorkers: '100%', testTimeout: 120_000 };
