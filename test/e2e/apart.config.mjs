import config, { APART } from './jest.config.mjs';

const { globalSetup: _start, globalTeardown: _end, testMatch: _all, ...others } = config;

/** The stories that have an n8n of their own. `npm run e2e` runs them beside the others. */
export default { ...others, testRegex: APART };
