// npm run test:verification: installs n8n's own tool for community packages, and runs it on the package as it is
// published. The tool brings its own ESLint, so it has a folder and a lock file of its own.
import '../../scripts/check-node.mjs';

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { installLocked } from '../../demo/package/install-locked.ts';
import { repository } from '../../demo/place/paths.ts';
import { DemoError } from '../../demo/process/demo-error.ts';
import { runMain } from '../../demo/process/run-main.ts';

await runMain(async (children) => {
  await installLocked(
    children,
    join(repository, 'test', 'verification'),
    "Installing n8n's tool for packages",
  );
  const jest = join(repository, 'node_modules', 'jest', 'bin', 'jest.js');
  const { status } = spawnSync(process.execPath, [jest, '--config', 'test/verification/jest.config.mjs'], {
    cwd: repository,
    stdio: 'inherit',
  });
  if (status !== 0) throw new DemoError("n8n's tool found something.");
  return 'done';
});
