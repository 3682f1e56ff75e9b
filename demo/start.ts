import '../scripts/check-node.mjs';

import { join } from 'node:path';

import { describeDemo, type RunningDemo } from './start/describe-demo.ts';
import type { Children } from './process/children.ts';
import { filesFolder } from './n8n/environment.ts';
import { ensureN8n } from './n8n/install-n8n.ts';
import { startN8n } from './n8n/start-n8n.ts';
import { HELP, readOptions, type Options } from './start/options.ts';
import { ensureBuilt } from './package/build.ts';
import { installPackage } from './package/install-package.ts';
import { recordInstallation } from './package/record-installation.ts';
import { takePlace } from './place/place.ts';
import { withProgress } from '../scripts/progress.mjs';
import { runMain } from './process/run-main.ts';
import { startSandbox } from './n8n/sandbox.ts';
import { owner, seed } from './n8n/seed.ts';

async function startDemo(children: Children, options: Options): Promise<RunningDemo> {
  const place = await takePlace(options, children);
  await ensureN8n(children, 'the nodes');
  await ensureBuilt(children, place.logFile('build'));
  const installing = installPackage(children, place.n8nFolder, (name) => place.logFile(name));
  await withProgress('Installing the nodes', installing, { then: 'n8n starts' });
  const sandbox = await startSandbox(children, {
    port: place.sandboxPort,
    dataFile: join(place.sandboxFolder, 'sandbox.sqlite'),
    logFile: place.logFile('sandbox'),
  });
  const { n8nFolder: userFolder, n8nPort: port } = place;
  const n8n = { name: 'n8n', userFolder, port, logFile: place.logFile('n8n') };
  const n8nUrl = await withProgress('Starting n8n', startN8n(children, n8n), {
    then: 'its credential and examples',
  });
  recordInstallation(place.n8nFolder);
  const seeding = seed(n8nUrl, sandbox, place.seedRecord);
  const { credentialId, workflows } = await withProgress('Adding credential and examples', seeding);
  return {
    n8nUrl,
    email: owner.email,
    password: owner.password,
    sandbox,
    credentialId,
    workflows,
    filesFolder: filesFolder(place.n8nFolder),
  };
}

await runMain(async (children) => {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    console.log(HELP);
    return 'done';
  }
  const demo = await startDemo(children, options);
  console.log(options.json ? JSON.stringify(demo) : describeDemo(demo));
  return 'serve';
});
