import config, { APART } from './jest.config.mjs';

/** The stories that share one n8n. `npm run e2e` runs them beside those that have their own. */
export default { ...config, testPathIgnorePatterns: ['/node_modules/', ...APART] };
