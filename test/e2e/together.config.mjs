import config, { APART } from './jest.config.mjs';

/** The stories that share one n8n. `npm run e2e` runs them beside those that have their own. */
export default { ...config, testMatch: [...config.testMatch, ...APART.map((path) => `!${path}`)] };
