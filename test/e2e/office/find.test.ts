import type { Locator } from 'playwright-core';

import { SandboxControl } from '../../support/sandboxControl';
import type { Editor } from '../support/editor';
import { demoCredential, OpenStory } from '../support/open-story';
import { runningDemo } from '../support/running';
import { actionNode } from '../support/workflow';

const VISITS = 60;
/** So many records the list loads at once. */
const PAGE = 50;

const sandbox = new SandboxControl(runningDemo().sandbox);
let story: OpenStory;

beforeAll(async () => {
  const { id, parts } = await sandbox.createApplication({
    name: 'Visits',
    identifier: 'visits',
    parts: [
      { name: 'Visitor', type: 'textbox' },
      { name: 'Purpose', type: 'select', options: ['Meeting', 'Delivery', 'Interview'] },
    ],
  });
  await sandbox.addRecords(
    'visits',
    Array.from({ length: VISITS }, (_, index) => ({
      Visitor: `Guest ${index + 1}`,
      Purpose: index % 2 === 0 ? 'Meeting' : 'Delivery',
    })),
  );
  const application = { __rl: true, mode: 'list', value: id, cachedResultName: 'Visits' };
  story = await OpenStory.begin('Find visits', [
    actionNode('Read a Visit', demoCredential, ['record', 'get', 'visits'], {
      application,
      recordId: { __rl: true, mode: 'list', value: '' },
    }),
    actionNode('Find Visits', demoCredential, ['record', 'getAll', 'visits'], {
      application,
      filters: {
        condition: [
          { part: parts.Visitor, operator: 'equals', value: 'Guest 7' },
          { part: parts.Purpose, operator: 'equals', valueType: 'option', value: '' },
        ],
      },
    }),
  ]);
});

afterAll(async () => {
  await story.end();
  await sandbox.removeApplication('visits');
});

describe('A record', () => {
  const listed = (editor: Editor): Locator => editor.page.locator('[data-test-id=rlc-item]:visible');

  it('is chosen from a list that shows what records say, the newest first, page after page', async () => {
    const editor = await story.open('Read a Visit');
    await editor.openRecords();
    await listed(editor)
      .nth(PAGE - 1)
      .waitFor();
    expect((await listed(editor).first().innerText()).trim()).toBe('Guest 60 · Delivery (60)');

    await listed(editor).last().scrollIntoViewIfNeeded();
    await listed(editor)
      .nth(VISITS - 1)
      .waitFor();
    expect((await listed(editor).last().innerText()).trim()).toBe('Guest 1 · Meeting (1)');
  });

  it('is found by a word that it holds, or by its ID, and read', async () => {
    const editor = await story.open('Read a Visit');
    await editor.chooseRecord('Guest 23');
    await editor.executeStep();
    await editor.output.getByText('Guest 23').waitFor();

    // The list keeps what was typed while the node is open.
    await story.open('Read a Visit');
    await editor.openRecords();
    await listed(editor).nth(1).waitFor();
    await editor.page.keyboard.type('17');
    await listed(editor).nth(2).waitFor({ state: 'detached' });
    const found = listed(editor).filter({ hasText: 'Guest 17' });
    await found.waitFor();
    // n8n keeps the chosen record in the list, whatever is looked for.
    const texts = (await listed(editor).allInnerTexts()).map((text) => text.trim());
    expect(texts.filter((text) => !text.startsWith('Guest 23'))).toEqual(['Guest 17 · Meeting (17)']);
    await found.click();
  });

  it('is entered by its ID, and forgotten with the application', async () => {
    const editor = await story.open('Read a Visit');
    const record = editor.get('resource-locator-recordId');
    await record.locator('[data-test-id=rlc-mode-selector]').click();
    await editor.options.filter({ hasText: 'By ID' }).click();
    await record.locator('[data-test-id=rlc-input-container] input').fill('9');
    await editor.executeStep();
    await editor.output.getByText('Guest 9', { exact: true }).waitFor();

    await editor.chooseApplication('order', 'Orders', 'Inventory');
    await expect(record.locator('input').last().inputValue()).resolves.toBe('');
  });
});

describe('Conditions', () => {
  it('take an option of the part from a list, and are met all or any', async () => {
    const editor = await story.open('Find Visits');
    await editor.get('parameter-input-valueType').last().scrollIntoViewIfNeeded();
    const value = editor.field('value').last();
    await value.locator('input').first().click();
    await editor.options.filter({ hasText: 'Interview' }).waitFor();
    expect((await editor.options.allInnerTexts()).map((text) => text.trim())).toEqual([
      'Meeting',
      'Delivery',
      'Interview',
    ]);
    await editor.options.filter({ hasText: 'Delivery' }).click();

    await editor.executeStep();
    await editor.output.getByText('No output data').waitFor();
    await editor.choose('match', 'Any Condition');
    await editor.executeStep();
    await editor.output.getByText('Guest 7', { exact: true }).waitFor();
    expect(await editor.output.innerText()).toContain('31 items');
  });
});
