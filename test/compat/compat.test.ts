import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** The folder of the n8n to test. */
const folder = process.env.COMPAT_FOLDER!;
/** The unpacked package. */
const packed = process.env.COMPAT_PACKAGE!;

test.each(['n8n-core', 'n8n-workflow'])('%s is that of the older n8n', (name) => {
  expect(require.resolve(name)).toContain(join(folder, 'node_modules', name));
});

test("the packed package is loaded by this n8n's own loader", () => {
  const loader = join(__dirname, '..', 'package', 'support', 'load.cjs');
  const env = { ...process.env, NODE_PATH: join(folder, 'node_modules') };
  const printed = execFileSync(process.execPath, [loader, packed], { encoding: 'utf8', env });
  expect(JSON.parse(printed)).toMatchObject({
    nodes: {
      applicationDataService: { methods: ['credentialTest', 'listSearch', 'loadOptions', 'resourceMapping'] },
      applicationDataServiceTrigger: { methods: ['credentialTest', 'listSearch', 'loadOptions'] },
      applicationDataServiceWebhookTrigger: { methods: ['credentialTest', 'listSearch', 'loadOptions'] },
    },
    credentials: ['applicationDataServiceApi'],
  });
});
