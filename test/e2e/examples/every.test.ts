import type { Browser, Page } from 'playwright-core';

import { launchChromium } from '../support/browser';
import { type StartedDemo, startDemo } from '../support/demo';
import { exampleFiles, type ExampleNode, readExample, seededId } from '../support/examples';
import { logIn } from '../support/n8n';
import { ownersPage } from '../support/owner-page';
import { emptyLogFolder } from '../support/paths';
import { eventually } from '../support/patience';
import { pictureOfWorkflow } from '../support/pictures';
import { publish, runningDemo, runningN8n } from '../support/running';

const CREDENTIAL_TYPE = 'applicationDataServiceApi';
/** n8n's default name of the first credential of this type. */
const CREDENTIAL_NAME = 'Application Data Service account';

let own: StartedDemo;

beforeAll(async () => {
  own = await startDemo(['--ephemeral', '--log-folder', emptyLogFolder('every-example')]);
  publish({ demo: own.demo, session: await logIn(own.demo) });
});

afterAll(async () => expect(await own.stop()).toBe(0));

describe('Every example', () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await launchChromium();
    // Twice the pixels, so that the texts of a wide workflow can be read.
    page = await ownersPage(browser, { deviceScaleFactor: 2 });
  });

  afterAll(async () => {
    await browser.close();
  });

  it.each(exampleFiles())('%s is in the demo, and the editor reports nothing missing in it', async (file) => {
    const example = readExample(file);
    const demo = runningDemo();

    expect(demo.workflows[file]?.name).toBe(example.name);
    await pictureOfWorkflow(
      page,
      demo,
      { id: seededId(file), name: example.name },
      `example-${file.replace(/\.json$/, '')}`,
    );
    const nodes = example.nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
    // The user chooses the language model, which needs another credential.
    const models = example.nodes.filter(({ type }) => type.includes('.lmChat'));
    await eventually(
      async () => [
        await page.locator('[data-test-id=canvas-node]').count(),
        await page.locator('[data-test-id=node-issues]').count(),
      ],
      (counts) => expect(counts).toEqual([nodes.length, models.length]),
    );
  });
});

describe('An n8n into which an example is imported', () => {
  let credentialId: string;

  beforeAll(async () => {
    const { baseUrl, accessKey } = runningDemo().sandbox;
    const body = { name: CREDENTIAL_NAME, type: CREDENTIAL_TYPE, data: { baseUrl, accessKey } };
    credentialId = (await runningN8n().post<{ id: string }>('credentials', body)).id;
  });

  it.each(exampleFiles())(
    'sets a credential of its own with the default name in the nodes of %s',
    async (file) => {
      const { nodes } = await runningN8n().post<{ nodes: ExampleNode[] }>('workflows', readExample(file));

      const ours = nodes.filter(({ credentials }) => credentials?.[CREDENTIAL_TYPE] !== undefined);
      expect(ours.length).toBeGreaterThan(0);
      for (const { credentials } of ours) {
        expect(credentials?.[CREDENTIAL_TYPE]).toEqual({ id: credentialId, name: CREDENTIAL_NAME });
      }
    },
  );
});
