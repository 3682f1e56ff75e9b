import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { median } from '../support/measure';
import type { Case } from '../support/table';

const ROOT = join(__dirname, '..', '..');

/**
 * Time to load the built nodes and the credential in a new process that has loaded n8n-workflow; size of the package.
 */
export const loading: Case = {
  name: 'loading',
  run: async () => {
    const load = `
      require('n8n-workflow');
      const { nodes, credentials } = require('./package.json').n8n;
      const begin = performance.now();
      for (const file of [...nodes, ...credentials]) for (const Type of Object.values(require('./' + file))) new Type();
      console.log(performance.now() - begin);`;
    const times = Array.from({ length: 7 }, () =>
      Number(execFileSync(process.execPath, ['-e', load], { cwd: ROOT, encoding: 'utf8' })),
    );
    const packed = JSON.parse(
      execFileSync('npm', ['pack', '--dry-run', '--json'], {
        cwd: ROOT,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    ) as { size: number }[];
    const ms = median(times);
    const kilobytes = (packed[0]?.size ?? NaN) / 1000;
    return await Promise.resolve([
      {
        name: 'loading the nodes',
        ours: `${ms.toFixed(1)} ms, packed ${kilobytes.toFixed(0)} kB`,
        ratios: {},
        goal: 'under 100 ms, under 250 kB',
        met: ms < 100 && kilobytes < 250,
      },
    ]);
  },
};
