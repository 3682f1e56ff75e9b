import type { Browser, Page } from 'playwright-core';

import { preparePage } from './browser';
import { eventually } from './patience';

/** The pages of a form ask for fonts elsewhere, which is not to be waited for. */
const ELSEWHERE = /^https?:\/\/(?!127\.0\.0\.1)/;

/** A page of somebody who fills in forms and is not logged in to n8n. */
export async function visitorsPage(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await preparePage(page);
  await page.route(ELSEWHERE, (route) => route.abort());
  return page;
}

/** Opens a form that was published just now: for a moment n8n does not know it. */
export async function openForm(page: Page, address: string): Promise<void> {
  await eventually(
    async () => (await page.goto(address))?.status(),
    (status) => expect(status).toBe(200),
  );
}

/**
 * Sends the form that is open; resolves with title and text of the page by which the workflow answers. The workflow goes
 * on when that page has called n8n once more, which it does by itself.
 */
export async function sendForm(page: Page): Promise<{ title: string; text: string }> {
  await Promise.all([
    page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.url().includes('/form-waiting/'),
    ),
    page.click('#submit-btn'),
  ]);
  const answer = page.locator('.card .header');
  return {
    title: await answer.locator('h1').innerText(),
    text: await answer.locator('p').innerText(),
  };
}
