import type { Locator, Page } from 'playwright-core';

import { closeNode } from './browser';
import type { Demo } from './demo';
import { ListField } from './list-field';
import { clickUntil, eventually, LAST_ATTEMPT, type Limit, repeat, textsOf } from './patience';

const NODE = 'Application Data Service';

/** Uses n8n's editor as a person does: by what is visible, with mouse and keyboard. */
export class Editor {
  constructor(
    readonly page: Page,
    readonly demo: Demo,
  ) {}

  get<T extends string>(testId: T): Locator {
    return this.page.locator(`[data-test-id="${testId}"]`);
  }

  /** The input of a parameter, or of a part or row part by its ID. */
  field(parameter: string): Locator {
    return this.get(`parameter-input-${parameter}`);
  }

  get output(): Locator {
    return this.get('output-panel');
  }

  /** The texts of the first row in the output's table, once there is one. */
  async firstRow(): Promise<string[]> {
    return await eventually(
      async () => await textsOf(this.output.locator('tbody tr').first().locator('td')),
      ([first]) => expect(first).toMatch(/./),
    );
  }

  async newWorkflow(): Promise<void> {
    await this.page.goto(`${this.demo.n8nUrl}/workflow/new`);
    await this.get('canvas-plus-button').waitFor();
  }

  /** ID of the open workflow, once n8n has saved it. */
  get workflowId(): string {
    return new URL(this.page.url()).pathname.split('/').at(-1) ?? '';
  }

  /** Shows the last execution of the open workflow, as soon as so many are listed. */
  async showLastExecution(count: number): Promise<void> {
    const executions = this.page.locator('[data-test-id^=execution-details-]');
    await clickUntil(this.get('radio-button-executions'), executions.nth(count - 1));
    await executions.first().click();
  }

  /** Opens the panel of nodes and searches it for a node of the service; its operations and events are shown. */
  async searchNode(text: string, name = NODE): Promise<void> {
    const first = this.get('canvas-plus-button');
    const further = this.get('node-creator-plus-button');
    const search = this.get('node-creator-search-bar');
    await first.or(further).first().waitFor();
    await clickUntil((await first.isVisible()) ? first : further, search);
    await repeat(
      async (limit) => {
        await search.fill(text, limit);
        await this.get('item-iterator-item').filter({ hasText: name }).first().click(limit);
      },
      async (limit) => await this.get('node-creator-category-item').first().waitFor(limit),
    );
  }

  /** Adds a node for an operation or an event that {@link searchNode} has found, and shows its parameters. */
  async addNode(category: 'Actions' | 'Triggers', name: string): Promise<void> {
    await (await this.findOperation(category, name)).click();
    await this.get('node-parameters').waitFor();
  }

  /** Finds a node of the service, adds it for an operation or an event, and chooses its application. */
  async add(
    category: 'Actions' | 'Triggers',
    name: string,
    application: readonly [typed: string, name: string, not: string],
    node = NODE,
  ): Promise<void> {
    await this.searchNode('application data', node);
    await this.addNode(category, name);
    await this.chooseApplication(...application);
  }

  /** Shows the operations or events that {@link searchNode} has found, and finds one among them. */
  async findOperation(category: 'Actions' | 'Triggers', name: string): Promise<Locator> {
    const found = this.get('node-creator-category-item').filter({ hasText: category });
    const entry = this.get('node-creator-item-name').getByText(name, { exact: true });
    await clickUntil(found, entry);
    return entry;
  }

  /** The list of applications. */
  get applications(): ListField {
    return new ListField(this.page, 'application');
  }

  /** The list of records. */
  get records(): ListField {
    return new ListField(this.page, 'recordId');
  }

  /** Chooses an application from the list, by typing into its search. */
  async chooseApplication(typed: string, name: string, not: string): Promise<void> {
    await this.applications.choose(typed, name, (names) => {
      expect(names).toContain(name);
      expect(names).not.toContain(not);
    });
  }

  /** Chooses a record from the list, by typing a part of its text into the search. */
  async chooseRecord(typed: string): Promise<void> {
    await this.records.choose(typed, typed, (records) =>
      expect(records).toEqual([expect.stringContaining(typed)]),
    );
  }

  /** Chooses from the dropdown of a parameter. */
  async choose(parameter: string, option: string): Promise<void> {
    await this.chooseIn(this.field(parameter), option);
  }

  /** Chooses from the dropdown of a field. */
  async chooseIn(field: Locator, option: string): Promise<void> {
    const chosen = async () => [
      await field.locator('input').first().inputValue(),
      ...(await textsOf(field.locator('.el-tag'))),
    ];
    const isChosen = (shown: string[]) => expect(shown).toContainEqual(expect.stringContaining(option));
    await repeat(
      async (limit) => {
        if ((await chosen()).some((shown) => shown.includes(option))) return;
        await this.#openDropdown(field, limit);
        await this.options.filter({ hasText: option }).first().click(limit);
      },
      async (limit) => await eventually(chosen, isChosen, limit),
    );
  }

  /** Opens the dropdown of a field, and waits until it offers what is expected. */
  async offers(field: Locator, expectation: (options: string[]) => void): Promise<void> {
    await repeat(
      async (limit) => await this.#openDropdown(field, limit),
      async (limit) => await eventually(async () => await textsOf(this.options), expectation, limit),
    );
  }

  /** The options of the open dropdown. */
  get options(): Locator {
    return this.page.locator('[role=option]:visible');
  }

  /** Opens a dropdown again: n8n may just have been filling it, and then it is empty. */
  async #openDropdown(field: Locator, limit: Limit): Promise<void> {
    if (await this.options.first().isVisible()) await this.page.keyboard.press('Tab');
    await field.locator('input').first().click(limit);
  }

  /** Replaces the text of a field. Tries again if n8n, busy with another field, loses the text. */
  async type(parameter: string, text: string): Promise<void> {
    const input = this.field(parameter).locator('input, textarea').first();
    await repeat(
      async (limit) => {
        await input.click(limit);
        await input.fill(text, limit);
        await input.press('Tab', limit);
      },
      async (limit) =>
        await eventually(
          async () => await input.inputValue(limit),
          (entered) => expect(entered).toBe(text),
          limit,
        ),
    );
  }

  /** Drags a value of the previous node onto a field, and waits until the field shows this value. */
  async dragInput(key: string, parameter: string, value: string): Promise<void> {
    const dragged = this.get('ndv-input-panel').locator(`[data-value="{{ $json.${key} }}"]`);
    // A field with a list accepts values only in its input, not beside it.
    const entry = this.get(`resource-locator-${parameter}`).locator('[data-test-id=rlc-input-container]');
    await entry.or(this.field(parameter)).first().waitFor();
    const target = (await entry.isVisible()) ? entry : this.field(parameter);
    await repeat(
      async (limit) => {
        await dragged.hover(limit);
        await this.page.mouse.down();
        try {
          // n8n starts dragging once the mouse has moved, and looks for the field under it at the next move.
          await target.hover(limit);
          await target.hover({ ...limit, position: { x: 5, y: 5 } });
        } finally {
          await this.page.mouse.up();
        }
      },
      async (limit) => await this.get('node-parameters').getByText(value, { exact: true }).waitFor(limit),
    );
  }

  /**
   * Runs the open node, and those before it that have not run. For a moment, the output of an earlier run may still be
   * visible.
   */
  async executeStep(): Promise<void> {
    await eventually(
      async () => {
        const [answer] = await Promise.all([
          this.page.waitForResponse((response) => response.url().endsWith('/run'), { timeout: LAST_ATTEMPT }),
          this.get('node-execute-button').click(),
        ]);
        return answer.status();
      },
      // On a busy machine, n8n refuses a run that it could not prepare in time. Then nothing has run.
      (status) => expect(status).toBe(200),
    );
  }

  async closeNode(): Promise<void> {
    await closeNode(this.page);
  }
}
