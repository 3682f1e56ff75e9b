const { Transform } = require('node:stream');

const { transformSync } = require('@swc/core');
const { src, dest, parallel } = require('gulp');

/** The icon stands beside each compiled file that names it. `encoding: false` keeps the bytes as they are. */
function icons() {
  return src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons'));
}

/** What n8n shows in its node search; tsc carries only the JSON files that a source imports. */
function codex() {
  return src('nodes/**/*.node.json').pipe(dest('dist/nodes'));
}

/**
 * n8n loads every node when it starts, and that takes as long as there are files to read. So the files that describe the nodes
 * load what they import once it is used: of what only an execution needs, nothing is read before. What stands below, where
 * each value of each record passes, stays as tsc has made it: there a look at what is loaded would cost more than it saves.
 */
function lazy() {
  return src(['{credentials,nodes}/**/*.ts', '!nodes/*/{parts,service,util}/**'])
    .pipe(new Transform({ objectMode: true, transform: importLazily }))
    .pipe(dest('dist'));
}

function importLazily(file, _encoding, done) {
  const source = file.contents.toString();
  const imported = [...source.matchAll(/ from '(\.[^']+)'/g)].map(([, path]) => path);
  const { code } = transformSync(source, {
    swcrc: false,
    filename: file.path,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022', minify: { format: { comments: false } } },
    module: { type: 'commonjs', lazy: imported },
  });
  file.contents = Buffer.from(code);
  file.extname = '.js';
  done(null, file);
}

exports.build = parallel(icons, codex, lazy);
