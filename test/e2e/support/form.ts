import type { Browser, Page } from 'playwright-core';

import { preparePage } from './browser';
import { demo, n8n } from './here';
import { eventually } from './patience';
import { publish, unpublish } from './published';
import { useBrowser } from './use-browser';

/** The pages of a form load fonts from elsewhere; a story does not wait for them. */
const ELSEWHERE = /^https?:\/\/(?!127\.0\.0\.1)/;

/** Publishes a workflow with a form for all stories of a file, and opens a page for who fills it in. */
export function useForm(workflow: string, begin: (page: Page, browser: Browser) => void): void {
  useBrowser(async (browser) => {
    begin(await visitorsPage(browser), browser);
    await publish(n8n, workflow);
  });
  afterAll(async () => await unpublish(n8n, workflow));
}

/** A page for a person who fills in forms and is not logged in to n8n. */
async function visitorsPage(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await preparePage(page);
  await page.route(ELSEWHERE, (route) => route.abort());
  return page;
}

/** A file as a person chooses it: its path, or its content. */
export type FormFile = string | { readonly name: string; readonly mimeType: string; readonly buffer: Buffer };

export function csvFile(...lines: readonly string[]): FormFile {
  return { name: 'lines.csv', mimeType: 'text/csv', buffer: Buffer.from(`${lines.join('\r\n')}\r\n`) };
}

/** Opens a form by its path, chooses a file, and an option if it has any. */
export async function fillInFile(page: Page, path: string, file: FormFile, option?: string): Promise<void> {
  await openForm(page, `${demo.n8nUrl}/form/${path}`);
  await page.locator('input[type=file]').setInputFiles(file);
  if (option !== undefined) await page.selectOption('select', option);
}

/** Opens a form that was just published. For a moment, n8n does not know it. */
export async function openForm(page: Page, address: string): Promise<void> {
  await eventually(
    async () => (await page.goto(address))?.status(),
    (status) => expect(status).toBe(200),
  );
}

/**
 * Submits the open form. @returns title and text of the page with the workflow's answer. The workflow continues when
 * this page calls n8n again, which it does by itself.
 */
export async function sendForm(page: Page): Promise<{ title: string; text: string }> {
  await Promise.all([
    page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.url().includes('/form-waiting/'),
    ),
    page.click('#submit-btn'),
  ]);
  const answer = page.locator('.card .header');
  return { title: await answer.locator('h1').innerText(), text: await answer.locator('p').innerText() };
}
