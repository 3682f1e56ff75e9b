const { Transform } = require('node:stream');

const { transformSync } = require('@swc/core');
const { src, dest, parallel } = require('gulp');

/** The icon has to be beside each compiled file that names it. `encoding: false` keeps the bytes. */
function icons() {
  return src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons'));
}

/** The text that n8n shows in its node search. tsc copies only the JSON files that a source imports. */
function codex() {
  return src('nodes/**/*.node.json').pipe(dest('dist/nodes'));
}

/**
 * n8n loads every node when it starts, which takes the longer the more files there are to read. So the files that
 * describe the nodes load their imports at the first use, and nothing that only an execution needs is read before. The
 * folders below, which each value of each record passes, stay as tsc has compiled them, because checking whether a file
 * is loaded would cost more than it saves.
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
