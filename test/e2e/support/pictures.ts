import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Locator, Page } from 'playwright-core';

import type { Demo } from './demo';
import { artifactsFolder } from './paths';

const picturesFolder = join(artifactsFolder, 'pictures');

/** What appears and disappears by itself: messages in the corner, tooltips. */
const PASSING =
  '.el-notification, [data-test-id=banner-stack], .n8n-tooltip, [role=tooltip], [data-reka-popper-content-wrapper]:has([role=tooltip]) { display: none !important; }';

/** What lies over n8n's canvas and belongs to no workflow. */
const OVER_CANVAS = [
  '[data-test-id=canvas-controls]',
  '[data-test-id=workflow-chat-button]',
  '[data-test-id^=execute-workflow-button]',
  '[aria-label="Select trigger node"]',
  '[data-test-id=node-creator-plus-button]',
  '[data-test-id=command-bar-button]',
  '[data-test-id=add-sticky-button]',
  '[data-test-id=toggle-focus-panel-button]',
  '[data-test-id=canvas-node-toolbar]',
  '[data-test-id=canvas-handle-plus-wrapper]',
].join(', ');

/** Pixels around the subject of a picture. */
const MARGIN = 24;

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Takes a picture for the documentation: `pictures/<name>.png` in the run's artifacts. `npm run pictures` copies it to
 * `docs/images`.
 * @param of what to show of the page; the whole page if left out
 */
export async function takePicture(page: Page, name: string, of?: Locator): Promise<void> {
  const options = { path: pathOf(name), style: PASSING, animations: 'disabled', caret: 'hide' } as const;
  await (of === undefined ? page.screenshot(options) : of.screenshot(options));
}

/** Opens a workflow in the editor and takes a picture of its nodes and notes, fitted to the canvas. */
export async function pictureOfWorkflow(
  page: Page,
  { n8nUrl }: Demo,
  workflow: { readonly id: string; readonly name: string },
  name: string,
): Promise<void> {
  const path = `/workflow/${workflow.id}`;
  // Where the editor is loaded, it follows as to the browser's Back button: loading it again takes far longer.
  if (page.url().startsWith(n8nUrl)) {
    await page.evaluate(
      `history.pushState(null, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`,
    );
  } else {
    await page.goto(`${n8nUrl}${path}`);
  }
  await page.locator('[data-test-id=workflow-name-input]', { hasText: workflow.name }).waitFor();
  await page.locator('[data-test-id=canvas-node]').first().waitFor();
  await pictureOfCanvas(page, name);
}

/** Takes a picture of the nodes and notes on the open canvas, with what they show of a run. */
async function pictureOfCanvas(page: Page, name: string): Promise<void> {
  await page.click('[data-test-id=zoom-to-fit]');
  await hasComeToRest(page);
  await page.screenshot({
    path: pathOf(name),
    style: `${PASSING} ${OVER_CANVAS} { display: none !important; }`,
    animations: 'disabled',
    clip: await boxOfWorkflow(page),
  });
}

function pathOf(name: string): string {
  mkdirSync(picturesFolder, { recursive: true });
  return join(picturesFolder, `${name}.png`);
}

/** Waits until the canvas stands still. It glides into place, and starts with a short delay. */
async function hasComeToRest(page: Page): Promise<void> {
  await page.waitForFunction(`(() => {
    const place = document.querySelector('.vue-flow__transformationpane').style.transform;
    const seen = (window.placeOfCanvas ??= {});
    if (seen.place !== place) Object.assign(seen, { place, since: performance.now() });
    return performance.now() - seen.since > 600;
  })()`);
}

/** The area of all nodes with their labels, and of all notes, within the canvas. */
async function boxOfWorkflow(page: Page): Promise<Box> {
  const canvas = await page.evaluate<Box>(
    `document.querySelector('[data-test-id=canvas-wrapper]').getBoundingClientRect().toJSON()`,
  );
  const boxes = await page.evaluate<Box[]>(
    `[...document.querySelectorAll('.vue-flow__node, .vue-flow__node *')]
      .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !element.closest('${OVER_CANVAS}'))
      .map((element) => element.getBoundingClientRect().toJSON())
      .filter(({ width, height }) => width > 0 && height > 0)`,
  );
  const left = Math.max(canvas.x, Math.min(...boxes.map(({ x }) => x)) - MARGIN);
  const top = Math.max(canvas.y, Math.min(...boxes.map(({ y }) => y)) - MARGIN);
  const right = Math.min(
    canvas.x + canvas.width,
    Math.max(...boxes.map(({ x, width }) => x + width)) + MARGIN,
  );
  const bottom = Math.min(
    canvas.y + canvas.height,
    Math.max(...boxes.map(({ y, height }) => y + height)) + MARGIN,
  );
  return { x: left, y: top, width: right - left, height: bottom - top };
}
