import type { IDataObject } from 'n8n-workflow';

import { inWords } from '../../support/triggerTickets';
import { like } from './like';
import { reset, type Desk, type Step } from './storyActs';

/** What a failure is: its message, or these properties. */
export type Failure =
  RegExp | { readonly message?: unknown; readonly description?: unknown; readonly failure?: unknown };

// Polls, and what they give, in words: `created 3 (1)`, `updated 1 (1 to 2)`, `deleted 2 (1)`.

const once = async ({ trigger }: Desk): Promise<IDataObject[]> => await trigger.poll();
export const activation = async ({ trigger }: Desk): Promise<IDataObject[]> => await trigger.activate();

/** One poll. */
export const poll =
  (...words: readonly string[]): Step =>
  async (desk) =>
    expect(inWords(await once(desk))).toEqual(words);
/** Several polls together. */
export const polls =
  (count: number, ...words: readonly string[]): Step =>
  async ({ trigger }) => {
    const items: object[] = [];
    for (let each = 0; each < count; each++) items.push(...(await trigger.poll()));
    expect(inWords(items)).toEqual(words);
  };
/** The same where any of them may fail. @returns what they gave. */
export const tried = async ({ trigger }: Desk, count: number): Promise<string[]> => {
  const items: object[] = [];
  for (let each = 0; each < count; each++) items.push(...(await trigger.poll().catch(() => [])));
  return inWords(items);
};
export const tries =
  (count: number, ...words: readonly string[]): Step =>
  async (desk) =>
    expect(await tried(desk, count)).toEqual(words);
/** One poll, and of each item what is named, exactly. `files` are the names of its files. */
export const gives =
  (...items: readonly object[]): Step =>
  async ({ trigger }) => {
    const given = (await trigger.pollItems()).map(({ json, binary = {} }, index) => {
      const shown: IDataObject = { ...json, files: Object.values(binary).map(({ fileName }) => fileName) };
      return Object.fromEntries(Object.keys(items[index] ?? json).map((key) => [key, shown[key]]));
    });
    expect(given).toEqual(items);
  };
/** One poll, and the changes that each item has; `undefined` for one without any. */
export const tells = (...changes: unknown[]): Step => gives(...changes.map((each) => ({ changes: each })));
export const fails =
  (failure: Failure, run = once): Step =>
  async (desk) => {
    const outcome = await run(desk).then(inWords, (error: Error) => error);
    const named = failure instanceof RegExp ? { message: like(failure) } : failure;
    expect(outcome).toMatchObject(named);
  };
export const activate =
  (...words: readonly string[]): Step =>
  async (desk) =>
    expect(inWords(await activation(desk))).toEqual(words);
/** n8n starts again, with the state that it has saved and perhaps other parameters. */
export const restart =
  (parameters: Readonly<Record<string, unknown>> = {}, ...words: readonly string[]): Step =>
  async (desk) => {
    reset(parameters)(desk);
    expect(inWords(await desk.trigger.restart())).toEqual(words);
  };

// What is noticed beside.

/** The node has logged a warning since this was last asked; `null` for none. */
export const warned =
  (pattern: RegExp | null): Step =>
  ({ trigger }) =>
    expect(trigger.warnings.splice(0).join('\n')).toMatch(pattern ?? /^$/);
/** The calls since this was last asked, by action: so many, or at most so many. `all` are all of them. */
export const sent =
  (counts: Readonly<Record<string, number | { readonly most: number }>>): Step =>
  ({ trigger }) => {
    const actions = trigger.calls.splice(0).map(({ action }) => action);
    for (const [name, count] of Object.entries(counts)) {
      const calls = actions.filter((action) => name === 'all' || action === name).length;
      if (typeof count === 'number') expect([name, calls]).toEqual([name, count]);
      else expect(calls).toBeLessThanOrEqual(count.most);
    }
  };
/** The state, as n8n saves it, shows this. */
export const keeps =
  (pattern: RegExp): Step =>
  ({ trigger }) =>
    expect(trigger.state).toMatch(pattern);
