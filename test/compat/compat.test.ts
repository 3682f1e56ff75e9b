import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { version as core } from 'n8n-core/package.json';
import { version as workflow } from 'n8n-workflow/package.json';

/** The folder of the n8n to test. */
const folder = process.env.COMPAT_FOLDER!;
/** The unpacked package. */
const packed = process.env.COMPAT_PACKAGE!;

test('these are the modules of the older n8n', () => {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  expect(dependencies).toEqual({ 'n8n-core': core, 'n8n-workflow': workflow });
});

test("the packed package is loaded by this n8n's own loader", () => {
  const loader = join(__dirname, '..', 'package', 'support', 'load.cjs');
  const env = { ...process.env, NODE_PATH: join(folder, 'node_modules') };
  const printed = execFileSync(process.execPath, [loader, packed], { encoding: 'utf8', env });
  expect(JSON.parse(printed)).toMatchObject({
    nodes: {
      applicationDataService: {
        methods: ['credentialTest', 'listSearch', 'loadOptions', 'resourceMapping'],
      },
      applicationDataServiceTrigger: { methods: ['credentialTest', 'listSearch', 'loadOptions'] },
      applicationDataServiceWebhookTrigger: { methods: ['credentialTest', 'listSearch', 'loadOptions'] },
    },
    credentials: ['applicationDataServiceApi'],
  });
});
