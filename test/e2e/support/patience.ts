import { setTimeout as sleep } from 'node:timers/promises';

import type { Locator } from 'playwright-core';

/**
 * How long a story waits for anything, in milliseconds: the one limit, for machines several times slower than a
 * developer's. Only what would not come at all takes as long.
 */
export const PATIENCE = 90_000;

const BETWEEN_READS = 300;

/** How long the effect of a gesture may take to be seen before it is repeated; twice as long each time, up to the last. */
const FIRST_ATTEMPT = 5_000;
const LAST_ATTEMPT = 40_000;

/** For playwright: how long something may take. */
export interface Limit {
  readonly timeout: number;
}

/**
 * Reads what may still change until it meets an expectation, and returns what was read then.
 * @throws what reading it, or the expectation, threw last, where it goes on not to
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
 * Makes a gesture until its effect is seen: n8n draws parts of its pages again while it loads, and what is clicked or
 * typed at that moment is lost. For gestures that do no harm when they are made twice.
 * @throws what the gesture, or looking for its effect, threw last
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

/** Clicks until something is seen that the click brings up. */
export async function clickUntil(place: Locator, seen: Locator): Promise<void> {
  await repeat(
    async (limit) => {
      if (!(await seen.isVisible())) await place.click(limit);
    },
    async (limit) => await seen.waitFor(limit),
  );
}

/** Waits until a place in the page says something; all that it says then. */
export async function untilSays(place: Locator, expected: string | RegExp): Promise<string> {
  return await eventually(
    async () => await place.innerText(),
    (text) => expect(text).toMatch(expected),
  );
}

/** What the elements of a list say now, without the space around it. */
export async function textsOf(list: Locator): Promise<string[]> {
  return (await list.allInnerTexts()).map((text) => text.trim());
}
