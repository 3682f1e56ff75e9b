const { src, dest, parallel } = require('gulp');

/** The icon stands beside each compiled file that names it. `encoding: false` keeps the bytes as they are. */
function icons() {
  return src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons'));
}

/** What n8n shows in its node search; tsc carries only the JSON files that a source imports. */
function codex() {
  return src('nodes/**/*.node.json').pipe(dest('dist/nodes'));
}

exports.build = parallel(icons, codex);
