// tsc compiles; gulp copies what tsc leaves out, as the packages of n8n nodes long did.
const { src, dest, parallel } = require('gulp');

/** The icon has to be beside each compiled file that names it. `encoding: false` keeps the bytes. */
function icons() {
  return src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons'));
}

/** The text that n8n shows in its node search. tsc copies only the JSON files that a source imports. */
function codex() {
  return src('nodes/**/*.node.json').pipe(dest('dist/nodes'));
}

exports.build = parallel(icons, codex);
