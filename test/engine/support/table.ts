import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import type { EngineOptions, EngineResult } from '../../support/engine';
import type { HeldCall, HeldCalls } from '../../support/holds';
import type { ApplicationDefinition, Fault } from '../../support/sandbox';
import { eachOf } from './each';
import { like, some } from './like';
import { itemsOf, type RunSettings, type Workplace } from './workplace';

/** What an action of the service was sent: how often, or the form fields of each call (others may be there, too). */
type Sent = number | readonly Readonly<Record<string, unknown>>[];

type Meanwhile = (place: Workplace, count: number, call: HeldCall) => unknown;

/** A case of an operation. What a row leaves out is not checked, but a failure that it does not name always is. */
export interface Row {
  // What is there before.
  /** The application, in place of the workplace's (`Workplace.open`). */
  readonly application?: Partial<ApplicationDefinition>;
  /** Switches of the sandbox (docs/dev/sandbox.md). */
  readonly dialect?: Readonly<Record<string, unknown>>;
  /** Faults of the sandbox (docs/dev/sandbox.md, "Faults"). */
  readonly faults?: readonly Fault[];
  /** What the node's user may do in the application of the workplace. */
  readonly rights?: Readonly<Record<string, unknown>>;
  /** What else is to be done first. */
  readonly before?: (place: Workplace) => unknown;
  /** What somebody else does while matching calls wait; with an action alone, while its first call does. */
  readonly meanwhile?: readonly [string | HeldCalls, Meanwhile];

  // What is run.
  /** Saved parameters, besides those of the table; `options` are joined. */
  readonly run?: RunSettings;
  /** The json of each input item; one empty item if left out. */
  readonly items?: readonly IDataObject[];
  /** What the credential has besides the address and the key, or instead. */
  readonly credential?: Readonly<Record<string, string>>;
  /** On Error, Retry On Fail. */
  readonly node?: Partial<INode>;
  /** The time zone, items with files, ... */
  readonly engine?: EngineOptions;

  // What comes of it.
  readonly output?: readonly unknown[];
  /** The output, and of each item only what is named. */
  readonly shows?: readonly object[];
  /** The outcome of each item, also of a failed one. */
  readonly outcomes?: readonly unknown[];
  /** The message of the failure; with a text, a part of it. */
  readonly error?: string | RegExp;
  /** Its description, likewise. */
  readonly advice?: string | RegExp;
  /** The index of the item that failed. */
  readonly item?: number;
  /** The messages of all hints, in order. */
  readonly hints?: readonly (string | RegExp)[];
  /** By action. */
  readonly sent?: Readonly<Record<string, Sent>>;
  /** All actions that were called, in order. */
  readonly actions?: readonly string[];
  /** The IDs of the stored records. */
  readonly left?: readonly string[];
  /** The stored records in the order of their IDs: the values that are named. */
  readonly stored?: readonly Readonly<Record<string, unknown>>[];
  /** What a row cannot say. */
  readonly after?: (place: Workplace, result: EngineResult) => unknown;
}

/** Cases by their names, which say what each shows. */
export type Rows = Readonly<Record<string, Row>>;
export const each = eachOf<Row>();

/**
 * Runs an operation once for each row, in n8n's engine against the sandbox, and compares.
 * @param base the operation, or saved parameters of all rows: `resource`, `operation`, ...
 * @param common what all rows have that do not say otherwise
 */
export function testTable(place: Workplace, base: RunSettings | string, rows: Rows, common: Row = {}): void {
  const saved = typeof base === 'string' ? { operation: base } : base;
  test.each(Object.entries(rows))('%s', async (_, named) => {
    const row = { ...common, ...named };
    await prepare(place, row);
    const { items, credential, node, engine } = row;
    const own = credential === undefined ? place.engine : place.as(credential);
    const result = await own.run(parametersOf(place, saved, row), {
      ...(items !== undefined && { input: itemsOf(...items) }),
      ...(node !== undefined && { node }),
      ...engine,
    });
    checkTold(row, result);
    await checkDone(row, place);
    await row.after?.(place, result);
  });
}

async function prepare(place: Workplace, row: Row): Promise<void> {
  const { application, rights, before, dialect, faults, meanwhile } = row;
  const { identifier } = await place.open(application ?? place.usual);
  if (rights !== undefined) await place.sandbox.setUser('1001', { rights: { [identifier]: rights } });
  await before?.(place);
  if (dialect !== undefined) await place.sandbox.setDialect(dialect);
  if (meanwhile === undefined) return faults && (await place.sandbox.setFaults(faults));
  const [which, act] = meanwhile;
  const held = typeof which === 'string' ? { action: which, times: 1 } : which;
  await place.meanwhile(held, async (count, call) => await act(place, count, call), faults);
}

function parametersOf(place: Workplace, base: RunSettings, { run = {} }: Row): INodeParameters {
  const settings: RunSettings = { ...base, ...run, options: { ...base.options, ...run.options } };
  return place.parameters(String(settings.operation), settings);
}

function checkTold(row: Row, result: EngineResult): void {
  const { error, hints } = result;
  // Compared first: an error that a row does not name says why the rest is not as expected.
  if (row.error === undefined) expect(error).toBeUndefined();
  else expect(error?.message).toEqual(textLike(row.error));
  if (row.advice !== undefined) expect(error?.description).toEqual(textLike(row.advice));
  if (row.item !== undefined) expect(error?.context?.itemIndex).toBe(row.item);
  if (row.output !== undefined) expect(result.json).toEqual(row.output);
  if (row.shows !== undefined) expect(result.json).toMatchObject(row.shows);
  if (row.outcomes !== undefined) expect(result.json.map(outcomeOf)).toEqual(row.outcomes);
  if (row.hints !== undefined) expect(hints.map(({ message }) => message)).toEqual(row.hints.map(textLike));
}

function outcomeOf({ outcome, details }: IDataObject): unknown {
  return outcome ?? (details as { outcome?: string } | undefined)?.outcome;
}

async function checkDone({ sent = {}, actions, left, stored }: Row, place: Workplace): Promise<void> {
  for (const [action, expected] of Object.entries(sent)) {
    const calls = await place.sent(action);
    if (typeof expected === 'number') expect([action, calls.length]).toEqual([action, expected]);
    else expect(calls).toEqual(expected.map(some));
  }
  if (actions !== undefined) expect(await place.actions()).toEqual(actions);
  if (left !== undefined) expect((await place.stored()).map(({ id }) => id)).toEqual(left);
  if (stored === undefined) return;
  const records = (await place.stored()).map(({ values }) => values);
  expect(records).toEqual(stored.map(some));
}

function textLike(expected: string | RegExp): unknown {
  return typeof expected === 'string' ? like(expected) : like(expected);
}

/** Items in a line: their keys, and the values of each, such as `1 x, 2 y`. */
export function itemsIn(keys: string, text: string): Record<string, string>[] {
  const items = text.split(', ').map((each) => each.split(' '));
  return items.map((values) => Object.fromEntries(keys.split(' ').map((key, at) => [key, values[at] ?? ''])));
}

/** The service refuses calls of an action. */
export const ng = (action: string, more: Partial<Extract<Fault, { kind: 'ng' }>> = {}): Fault => ({
  ...{ kind: 'ng', errorno: -1, message: 'no', action, ...more },
});

/** The connection breaks before or after the work of a call. */
export const drop = (action: string, when: 'before' | 'after', times = 1, skip = 0): Fault => ({
  ...{ kind: 'drop', when, action, times, skip },
});

/** The service answers calls of an action with an HTTP status. */
export const http = (
  status: number,
  action: string,
  more: { times?: number; skip?: number } = {},
): Fault => ({ kind: 'status', status, action, ...more });

export const CONTINUE = { onError: 'continueRegularOutput' } as const;
