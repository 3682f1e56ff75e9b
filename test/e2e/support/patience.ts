import { setTimeout as sleep } from 'node:timers/promises';

import type { Locator } from 'playwright-core';

/**
 * How long a story waits for anything, in milliseconds. It is the only limit, and allows for machines several times
 * slower than a developer's. Only something that never happens takes as long.
 */
export const PATIENCE = 90_000;

const BETWEEN_READS = 300;

/** How long to wait for the effect of a gesture before it is repeated. Each wait is twice as long, up to the last. */
const FIRST_ATTEMPT = 5_000;
export const LAST_ATTEMPT = 40_000;

/** How long something may take, as playwright expects it. */
export interface Limit {
  readonly timeout: number;
}

/**
 * Reads a value until it meets an expectation. @returns this value.
 * @throws the last error of `read` or `expectation` when the time is over
 */
export async function eventually<T>(
  read: () => T | Promise<T>,
  expectation: (value: T) => void,
  { timeout }: Limit = { timeout: PATIENCE },
): Promise<T> {
  for (const deadline = Date.now() + timeout; ; await sleep(BETWEEN_READS)) {
    try {
      const value = await read();
      expectation(value);
      return value;
    } catch (error) {
      if (Date.now() >= deadline) throw error;
    }
  }
}

/**
 * Repeats a gesture until its effect is visible. n8n draws parts of its pages again while they load, and what is
 * clicked or typed at that moment is lost. Use it for gestures that do no harm when they are made twice.
 * @throws the last error of `gesture` or `effect`
 */
export async function repeat(
  gesture: (limit: Limit) => Promise<void>,
  effect: (limit: Limit) => Promise<unknown>,
): Promise<void> {
  const deadline = Date.now() + PATIENCE;
  for (let timeout = FIRST_ATTEMPT; ; timeout = Math.min(2 * timeout, LAST_ATTEMPT)) {
    try {
      await gesture({ timeout });
      await effect({ timeout });
      return;
    } catch (error) {
      if (Date.now() >= deadline) throw error;
      await sleep(BETWEEN_READS);
    }
  }
}

/** Clicks until the click's effect is visible. */
export async function clickUntil(place: Locator, seen: Locator): Promise<void> {
  await repeat(
    async (limit) => {
      if (!(await seen.isVisible())) await place.click(limit);
    },
    async (limit) => await seen.waitFor(limit),
  );
}

/** Waits until a place in the page shows a text. @returns the whole text of the place. */
export async function untilSays(place: Locator, expected: string | RegExp): Promise<string> {
  return await eventually(
    async () => await place.innerText(),
    (text) => expect(text).toMatch(expected),
  );
}

/** The current texts of the elements in a list, trimmed. */
export async function textsOf(list: Locator): Promise<string[]> {
  return (await list.allInnerTexts()).map((text) => text.trim());
}
