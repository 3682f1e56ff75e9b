import type { Locator, Page } from 'playwright-core';

import type { Demo } from './demo';

const NODE = 'Application Data Service';

/** How long a list may take to be filled before it is opened once more. */
const LIST_TIMEOUT = 5_000;
const ATTEMPTS = 6;

/** The trigger's events are open from the start. */
const EVENTS = 3;

/** n8n's editor, used as a person uses it: by what is seen, with mouse and keyboard. */
export class Editor {
  constructor(
    readonly page: Page,
    readonly demo: Demo,
  ) {}

  get<T extends string>(testId: T): Locator {
    return this.page.locator(`[data-test-id="${testId}"]`);
  }

  /** The entry field of a parameter, or of a part or row part by its ID. */
  field(parameter: string): Locator {
    return this.get(`parameter-input-${parameter}`);
  }

  get output(): Locator {
    return this.get('output-panel');
  }

  async newWorkflow(): Promise<void> {
    await this.page.goto(`${this.demo.n8nUrl}/workflow/new`);
    await this.get('canvas-plus-button').waitFor();
  }

  /** Opens the panel of nodes and searches it for a node of the service; its operations and events are shown. */
  async searchNode(text: string, name = NODE): Promise<void> {
    const first = this.get('canvas-plus-button');
    await ((await first.isVisible()) ? first : this.get('node-creator-plus-button')).click();
    await this.get('node-creator-search-bar').fill(text);
    await this.get('item-iterator-item').filter({ hasText: name }).first().click();
    await this.get('node-creator-category-item').first().waitFor();
  }

  /** Shows the operations, or the events, that {@link searchNode} has found. */
  async openCategory(name: 'Actions' | 'Triggers'): Promise<void> {
    await this.#category(name).click();
    await this.get('node-creator-item-name').nth(EVENTS).waitFor();
  }

  /** Adds a node for an operation or an event that {@link searchNode} has found; its parameters are shown. */
  async addNode(category: 'Actions' | 'Triggers', name: string): Promise<void> {
    const entry = this.get('node-creator-item-name').getByText(name, { exact: true });
    if (!(await entry.isVisible())) await this.#category(category).click();
    await entry.click();
    await this.get('ndv').waitFor();
  }

  /** Chooses an application from the list, by typing into its search. */
  async chooseApplication(typed: string, name: string, not: string): Promise<void> {
    await this.openApplications();
    await this.application(not).waitFor();
    await this.page.keyboard.type(typed);
    await this.application(not).waitFor({ state: 'detached' });
    await this.application(name).click();
  }

  /** An application in the open list. */
  application(name: string): Locator {
    return this.page.locator('[data-test-id=rlc-item]:visible').filter({ hasText: name });
  }

  /** Opens the list of applications, with the cursor in its search. */
  async openApplications(): Promise<void> {
    await this.#openList('application');
  }

  /** Opens the list of records, with the cursor in its search. */
  async openRecords(): Promise<void> {
    await this.#openList('recordId');
  }

  /** Chooses a record from the list, by typing into its search what it says. */
  async chooseRecord(typed: string): Promise<void> {
    await this.openRecords();
    await this.page.locator('[data-test-id=rlc-item]:visible').first().waitFor();
    await this.page.keyboard.type(typed);
    const found = this.page.locator('[data-test-id=rlc-item]:visible');
    await found.nth(1).waitFor({ state: 'detached' });
    await found.filter({ hasText: typed }).click();
  }

  async #openList(parameter: string): Promise<void> {
    await this.get(`resource-locator-${parameter}`)
      .locator('[data-test-id=rlc-input-container] input')
      .click();
  }

  /** Chooses from a dropdown, which n8n may just be filling: then it is empty, and is opened again. */
  async choose(parameter: string, option: string): Promise<void> {
    const entry = this.options.filter({ hasText: option }).first();
    for (let attempt = 1; ; attempt++) {
      await this.field(parameter).locator('input').first().click();
      const isThere = await entry.waitFor({ timeout: LIST_TIMEOUT }).then(
        () => true,
        () => false,
      );
      if (isThere) break;
      if (attempt === ATTEMPTS) throw new Error(`"${option}" is not offered for "${parameter}".`);
      await this.page.keyboard.press('Tab');
    }
    await entry.click();
  }

  /** What the open dropdown offers. */
  get options(): Locator {
    return this.page.locator('[role=option]:visible');
  }

  /** Enters a text into a field, in place of what is there; again where n8n, busy with another field, loses it. */
  async type(parameter: string, text: string): Promise<void> {
    const input = this.field(parameter).locator('input, textarea').first();
    for (let attempt = 1; ; attempt++) {
      await input.click();
      await this.page.keyboard.press('ControlOrMeta+A');
      await this.page.keyboard.insertText(text);
      await this.page.keyboard.press('Tab');
      const entered = await input.inputValue();
      if (entered === text) return;
      if (attempt === ATTEMPTS) throw new Error(`"${parameter}" holds "${entered}" instead of "${text}".`);
    }
  }

  /** Drags a value of the node before onto a field, and waits until the field shows which value that is. */
  async dragInput(key: string, parameter: string, value: string): Promise<void> {
    await this.get('ndv-input-panel').locator(`[data-value="{{ $json.${key} }}"]`).hover();
    await this.page.mouse.down();
    // A field to choose from a list takes values in its entry, not beside it.
    const entry = this.get(`resource-locator-${parameter}`).locator('[data-test-id=rlc-input-container]');
    const target = (await entry.count()) > 0 ? entry : this.field(parameter);
    // n8n takes it for dragging once the mouse has moved, and looks for the field under it at the next move.
    await target.hover();
    await target.hover({ position: { x: 5, y: 5 } });
    await this.page.mouse.up();
    await this.get('node-parameters').getByText(value, { exact: true }).waitFor();
  }

  /** Runs the open node, and those before it that have not run; what an earlier run has given may be seen for a moment. */
  async executeStep(): Promise<void> {
    const started = this.page.waitForResponse((response) => response.url().endsWith('/run'));
    await this.get('node-execute-button').click();
    await started;
  }

  async closeNode(): Promise<void> {
    await this.get('ndv-close-button').click();
    await this.get('ndv').waitFor({ state: 'hidden' });
  }

  #category(name: string): Locator {
    return this.get('node-creator-category-item').filter({ hasText: name });
  }
}
