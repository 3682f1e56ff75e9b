import config from '../jest.config.mjs';

const { testMatch: _stories, ...others } = config;

/** The film, which only `npm run film` plays. */
export default { ...others, rootDir: '../../..', testRegex: '/test/e2e/film/play\\.ts$' };
