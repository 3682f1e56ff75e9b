import type { Locator, Page } from 'playwright-core';

import { eventually, type Limit, repeat, textsOf } from './patience';

/** What a list should contain. */
type Expectation = (texts: string[]) => void;

/**
 * A parameter that is chosen from a list with a search. While the list loads, it shows only the chosen entry. It is
 * emptied when another parameter changes, which also happens when parts finish loading. Then it has to be opened again.
 */
export class ListField {
  readonly #page: Page;
  readonly #field: Locator;

  constructor(page: Page, parameter: string) {
    this.#page = page;
    this.#field = page.locator(`[data-test-id="resource-locator-${parameter}"]`);
  }

  /** The entries of the open list. */
  get items(): Locator {
    return this.#page.locator('[data-test-id=rlc-item]:visible');
  }

  /** The input that shows the choice and in which another value can be entered. */
  get entry(): Locator {
    return this.#field.locator('[data-test-id=rlc-input-container] input');
  }

  /** Opens the list, and waits until it contains what it should. */
  async open(expectation: Expectation): Promise<void> {
    await repeat(
      async (limit) => await this.#open(limit),
      async (limit) => await this.#holds(expectation, limit),
    );
  }

  /** Opens the list, types into its search, and waits until it contains what it should. */
  async search(typed: string, expectation: Expectation): Promise<void> {
    await repeat(
      async (limit) => {
        await this.#open(limit);
        await this.#search.fill(typed, limit);
      },
      async (limit) => await this.#holds(expectation, limit),
    );
  }

  /** Chooses an entry by typing into the search. `expectation`: what the list should still contain. */
  async choose(typed: string, name: string, expectation: Expectation): Promise<void> {
    await repeat(
      async (limit) => {
        await this.search(typed, expectation);
        await this.items.filter({ hasText: name }).click(limit);
      },
      async (limit) =>
        await eventually(
          async () => await this.entry.inputValue(limit),
          (value) => expect(value).toContain(name),
          limit,
        ),
    );
  }

  /** Chooses how the value is entered, such as `By ID`. */
  async enterBy(mode: string, value: string): Promise<void> {
    const selector = this.#field.locator('[data-test-id=rlc-mode-selector]');
    const option = this.#page.locator('[role=option]:visible').filter({ hasText: mode });
    await repeat(
      async (limit) => {
        if (!(await option.isVisible())) await selector.click(limit);
        await option.click(limit);
        await this.entry.fill(value, limit);
      },
      async (limit) =>
        await eventually(
          async () => [
            await selector.locator('input').first().inputValue(limit),
            await this.entry.inputValue(limit),
          ],
          (shown) => expect(shown).toEqual([mode, value]),
          limit,
        ),
    );
  }

  get #search(): Locator {
    return this.#page
      .locator('[data-test-id=rlc-search]:visible')
      .locator('input')
      .or(this.#page.locator('input[data-test-id=rlc-search]:visible'));
  }

  /** Opens the list again. n8n loads it if it has no entries for it. */
  async #open(limit: Limit): Promise<void> {
    if (await this.#search.isVisible()) {
      await this.#search.press('Escape', limit);
      await this.#search.waitFor({ ...limit, state: 'hidden' });
    }
    await this.entry.click(limit);
    await this.#search.waitFor(limit);
  }

  async #holds(expectation: Expectation, limit: Limit): Promise<void> {
    await eventually(async () => await textsOf(this.items), expectation, limit);
  }
}
