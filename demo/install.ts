// Installs n8n into demo/, unless that has been done. The end-to-end tests and the comparisons need it.
import '../scripts/check-node.mjs';

import { ensureN8n } from './n8n/install-n8n.ts';
import { runMain } from './process/run-main.ts';

await runMain(async (children) => {
  await ensureN8n(children);
  return 'done';
});
