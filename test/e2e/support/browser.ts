import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { type Browser, chromium, type Page } from 'playwright-core';

import type { Demo } from './demo';
import { artifactsFolder, repository } from './paths';
import { eventually, PATIENCE, repeat } from './patience';
import { runningN8n } from './running';

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** How long n8n reserves a workflow for a page that was left before it could say so, with some time to spare. */
const RESERVED = 150_000;

/** Small enough for pictures in the documentation, large enough for all panels of a node. */
const VIEWPORT = { width: 1280, height: 800 };

/** A headless Chromium of this machine (`CHROMIUM_PATH`, or one that is found). */
export async function launchChromium(): Promise<Browser> {
  const executablePath = execFileSync(process.execPath, ['scripts/find-chromium.mjs'], {
    cwd: repository,
    encoding: 'utf8',
  }).trim();
  return await chromium.launch({ executablePath, args: ARGUMENTS, timeout: PATIENCE });
}

/** Sets the time limit that all stories have, and their page size unless a story needs another. */
export async function preparePage(page: Page, viewport = VIEWPORT): Promise<void> {
  page.setDefaultTimeout(PATIENCE);
  await page.setViewportSize(viewport);
  // How many times slower to make the page, to see whether the stories hold on a slow machine.
  const rate = Number(process.env.CHROMIUM_SLOWDOWN ?? 1);
  if (rate > 1) {
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate });
  }
}

/**
 * Opens a workflow, unless the page shows it already, and one of its nodes; resolves when the node's parameters are shown.
 */
export async function openNode(
  page: Page,
  { n8nUrl }: Demo,
  workflowId: string,
  node: string,
): Promise<void> {
  const address = `${n8nUrl}/workflow/${workflowId}`;
  // Loading the editor takes longer than anything else in a story.
  if (page.url().startsWith(address)) await closeNode(page);
  else await page.goto(address);
  await openNodeOnCanvas(page, node);
}

/** Closes the node that is open, if there is one. */
export async function closeNode(page: Page): Promise<void> {
  const ndv = page.locator('[data-test-id=ndv]');
  await repeat(
    async (limit) => {
      if (await ndv.isVisible()) await page.click('[data-test-id=ndv-close-button]', limit);
    },
    async (limit) => await ndv.waitFor({ ...limit, state: 'hidden' }),
  );
}

/**
 * Loads a workflow again that the page has open, once n8n knows that the page has left it. n8n reserves a workflow for
 * the page that changes it, and neither saves nor runs it in another page ("you have this workflow open in another tab").
 * A page that is left right after a change may be noted as closed before its change is, and then keeps the workflow for
 * two minutes.
 */
export async function reloadWorkflow(page: Page, workflowId: string): Promise<void> {
  const address = page.url();
  await page.goto('about:blank');
  await eventually(
    async () => await runningN8n().get(`workflows/${workflowId}/collaboration/write-lock`),
    (lock) => expect(lock).toBeNull(),
    { timeout: RESERVED },
  );
  await page.goto(address);
}

/** Opens a node of the workflow that is open; resolves when the node's parameters are shown. */
export async function openNodeOnCanvas(page: Page, node: string): Promise<void> {
  const parameters = page.locator('[data-test-id=ndv] [data-test-id=node-parameters]');
  await repeat(
    async (limit) => {
      if (await parameters.isVisible()) return;
      await page.dblclick(`[data-test-id=canvas-node][data-node-name="${node}"]`, limit);
    },
    async (limit) => await parameters.waitFor(limit),
  );
}

/** Keeps what the page shows as a picture among the run's artifacts. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(artifactsFolder, `${name}.png`) });
}

/** The hosts other than this machine to which the page sends requests from now on. */
export function watchForeignHosts(page: Page): Set<string> {
  const hosts = new Set<string>();
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') hosts.add(hostname);
  });
  return hosts;
}
