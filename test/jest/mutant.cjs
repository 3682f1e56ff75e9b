const { readFileSync } = require('node:fs');

const swc = require('@swc/jest');

/** The file to replace, and its text; none while nothing is mutated. */
const { file, text } = process.env.MUTANT ? JSON.parse(readFileSync(process.env.MUTANT, 'utf8')) : {};

/** Compiles TypeScript as usual, except the file that "npm run mutate" has changed. */
module.exports = {
  createTransformer(options) {
    const compiler = swc.createTransformer(options);
    const textOf = (source, path) => (path === file ? text : source);
    return {
      ...compiler,
      process: (source, path, more) => compiler.process(textOf(source, path), path, more),
      getCacheKey: (source, path, more) => compiler.getCacheKey(textOf(source, path), path, more),
    };
  },
};
