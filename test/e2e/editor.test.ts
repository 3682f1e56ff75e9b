import type { Browser } from 'playwright-core';

import {
  launchChromium,
  logInToEditor,
  openNode,
  takeScreenshot,
  watchForeignHosts,
} from './support/browser';
import { Editor } from './support/editor';
import { eventually } from './support/patience';
import { runningDemo, runningSandbox } from './support/running';

interface Part {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly readonly: string;
  readonly system: string;
  readonly is_ref: string;
}

const demo = runningDemo();
const workflow = demo.workflows['create-customer.json']?.id ?? '';
let browser: Browser;
let editor: Editor;
let foreignHosts: ReadonlySet<string>;

beforeAll(async () => {
  browser = await launchChromium();
  editor = new Editor(await browser.newPage(), demo);
  foreignHosts = watchForeignHosts(editor.page);
  await logInToEditor(editor.page, demo);
});

afterAll(async () => {
  await browser.close();
});

beforeEach(async () => {
  await openNode(editor.page, demo, workflow, 'Create Customer');
});

describe('In the editor', () => {
  it('offers the writable parts of the application as fields', async () => {
    const { fields } = await runningSandbox().call<{ fields: { item: Part[] } }>('get_app', {
      app_id: '@customers',
    });
    const writable = fields.item.filter(
      (part) =>
        [part.readonly, part.system, part.is_ref].every((flag) => flag !== 'on') &&
        !['id', 'user', 'expression', 'rel_list'].includes(part.type),
    );
    const prefix = 'remove-field-button-';
    const buttonsOf = `[...document.querySelectorAll('[data-test-id^=${prefix}]')]`;

    await eventually(
      async () => await editor.page.evaluate<string[]>(`${buttonsOf}.map(({ dataset }) => dataset.testId)`),
      (testIds) => expect(testIds).toEqual(writable.map(({ id }) => `${prefix}${id}`)),
    );
    await takeScreenshot(editor.page, 'parts');
    await eventually(
      async () => await editor.get('mapping-fields-container').innerText(),
      (shown) => writable.forEach(({ name }) => expect(shown).toContain(name)),
    );
  });

  it('sends no request to another machine', () => {
    expect([...foreignHosts]).toEqual([]);
  });
});
