import type { Browser } from 'playwright-core';

import { launchChromium } from './browser';
import { Editor } from './editor';
import { ownersPage } from './owner-page';
import { runningDemo } from './running';

/** A browser for all stories of a file. @param begin opens its first page */
export function useBrowser(begin: (browser: Browser) => unknown): void {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launchChromium();
    await begin(browser);
  });
  afterAll(async () => {
    await browser?.close();
  });
}

/** The editor of the running n8n, with the owner logged in, for all stories of a file. */
export function useEditor(begin: (editor: Editor) => void): void {
  useBrowser(async (browser) => begin(new Editor(await ownersPage(browser), runningDemo())));
}
