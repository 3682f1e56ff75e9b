import { setTimeout as sleep } from 'node:timers/promises';

import type { Browser, Page } from 'playwright-core';

import { preparePage } from './browser';

/** The pages of a form ask for fonts elsewhere, which is not to be waited for. */
const ELSEWHERE = /^https?:\/\/(?!127\.0\.0\.1)/;

/** A page of somebody who fills in forms and is not logged in to n8n. */
export async function visitorsPage(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await preparePage(page);
  await page.route(ELSEWHERE, (route) => route.abort());
  return page;
}

/** Opens a form that was published just now: for a moment n8n does not know it. The test's time-out is the limit. */
export async function openForm(page: Page, address: string): Promise<void> {
  while ((await page.goto(address))?.status() === 404) await sleep(200);
}

/**
 * Sends the form that is open; resolves with title and text of the page by which the workflow answers. The workflow goes
 * on when that page has called n8n once more, which it does by itself.
 */
export async function sendForm(page: Page): Promise<{ title: string; text: string }> {
  const workflowGoesOn = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.url().includes('/form-waiting/'),
  );
  await page.click('#submit-btn');
  await workflowGoesOn;
  const answer = page.locator('.card .header');
  return {
    title: await answer.locator('h1').innerText(),
    text: await answer.locator('p').innerText(),
  };
}
