import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { BUILT_NODES } from './builtNodes';
import type { Reader, Reading } from './reading';
import type { ReadMemory } from './readMemory';

const ROOT = join(__dirname, '..', '..');

/** Measures the memory of one reading in a separate process. */
export function memoryOf(reader: Reader, reading: Reading, records: number): ReadMemory {
  const script = ['--expose-gc', ...BUILT_NODES, 'bench/support/readMemory.ts'];
  const output = execFileSync(process.execPath, [...script, reader, reading, String(records)], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return JSON.parse(output) as ReadMemory;
}
