import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { Tree } from './imports';

const ROOT = resolve(__dirname, '../../..');

/** This repository, including files that are not committed yet. */
export function repository(): Tree {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const files = listed.split('\0').filter((file) => file !== '' && existsSync(join(ROOT, file)));
  return {
    sources: files.filter((file) => /\.[cm]?[jt]sx?$/.test(file)),
    files: new Set(files),
    read: (file) => readFileSync(join(ROOT, file), 'utf8'),
  };
}
