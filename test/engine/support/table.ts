import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { EngineOptions, EngineResult } from '../../support/engine';
import type { ApplicationDefinition, Fault } from '../../support/sandbox';
import { itemsOf, type RunSettings, type Workplace } from './workplace';

/** What an action of the service was sent: how often, or the form fields of each call (others may be there, too). */
type Sent = number | readonly Readonly<Record<string, unknown>>[];

/** A case of an operation. What a row leaves out is not checked, but a failure that it does not name always is. */
export interface Row {
  /** What the case shows. */
  readonly name: string;

  // What is there before.
  /** Changes to the application of the workplace (`Workplace.open`). */
  readonly application?: Partial<ApplicationDefinition>;
  /** Switches of the sandbox (docs/dev/sandbox.md). */
  readonly dialect?: Readonly<Record<string, unknown>>;
  /** Faults of the sandbox (docs/dev/sandbox.md, "Faults"). */
  readonly faults?: readonly Fault[];
  /** What else is to be done first. */
  readonly before?: (place: Workplace) => Promise<unknown>;

  // What is run.
  /** Saved parameters, besides those of the table; `options` are joined. */
  readonly run?: RunSettings;
  /** The json of each input item; one empty item if left out. */
  readonly items?: readonly IDataObject[];
  /** On Error, Retry On Fail, the time zone, items with files, ... */
  readonly engine?: EngineOptions;

  // What comes of it.
  readonly output?: readonly unknown[];
  /** The message of the failure; with a text, a part of it. */
  readonly error?: string | RegExp;
  /** Its description, likewise. */
  readonly advice?: string | RegExp;
  /** The messages of all hints, in order. */
  readonly hints?: readonly (string | RegExp)[];
  /** By action. */
  readonly sent?: Readonly<Record<string, Sent>>;
  /** The stored records in the order of their IDs: the values that are named. */
  readonly stored?: readonly Readonly<Record<string, unknown>>[];
  /** What a row cannot say. */
  readonly after?: (place: Workplace, result: EngineResult) => Promise<unknown>;
}

/**
 * Runs an operation once for each row, in n8n's engine against the sandbox, and compares.
 * @param base saved parameters of all rows: `resource`, `operation`, ...
 */
export function testTable(place: Workplace, base: RunSettings, rows: readonly Row[]): void {
  test.each(rows.map((row) => [row.name, row] as const))('%s', async (_, row) => {
    await place.open(row.application);
    await row.before?.(place);
    if (row.dialect !== undefined) await place.sandbox.setDialect(row.dialect);
    if (row.faults !== undefined) await place.sandbox.setFaults(row.faults);
    const result = await place.engine.run(parametersOf(place, base, row), {
      ...(row.items !== undefined && { input: itemsOf(...row.items) }),
      ...row.engine,
    });
    checkTold(row, result);
    await checkDone(row, place);
    await row.after?.(place, result);
  });
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
  if (row.output !== undefined) expect(result.json).toEqual(row.output);
  if (row.hints !== undefined) expect(hints.map(({ message }) => message)).toEqual(row.hints.map(textLike));
}

async function checkDone({ sent = {}, stored }: Row, place: Workplace): Promise<void> {
  for (const [action, expected] of Object.entries(sent)) {
    const calls = await place.sent(action);
    if (typeof expected === 'number') expect([action, calls.length]).toEqual([action, expected]);
    else expect(calls).toEqual(expected.map((fields) => expect.objectContaining(fields) as unknown));
  }
  if (stored === undefined) return;
  const records = (await place.stored()).map(({ values }) => values);
  expect(records).toEqual(stored.map((values) => expect.objectContaining(values) as unknown));
}

function textLike(expected: string | RegExp): unknown {
  return typeof expected === 'string' ? expect.stringContaining(expected) : expect.stringMatching(expected);
}
