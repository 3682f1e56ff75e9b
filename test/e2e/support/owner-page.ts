import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

import { preparePage } from './browser';
import { runningDemo, runningSession } from './running';

/** A page of the running n8n in which the owner is already logged in: n8n allows few logins a minute. */
export async function ownersPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const { cookie, browserId } = runningSession();
  const context = await browser.newContext(options);
  await context.addCookies(
    cookie.split('; ').map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return { name, value: value.join('='), url: runningDemo().n8nUrl };
    }),
  );
  await context.addInitScript(`localStorage.setItem('n8n-browserId', ${JSON.stringify(browserId)})`);
  const page = await context.newPage();
  await preparePage(page);
  return page;
}
