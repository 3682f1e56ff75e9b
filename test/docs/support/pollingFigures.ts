import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeParameters } from 'n8n-workflow';

import { ROOT } from '../../../docs/generate/root';
import { Sandbox } from '../../support/sandbox';
import { TriggerEngine } from '../../support/triggerEngine';

/** The figures of docs/performance.md, row by row: the number of records, then the requests of polls. */
export function figuresOfPage(): number[][] {
  const page = readFileSync(join(ROOT, 'docs/performance.md'), 'utf8');
  const rows = page.split('\n').filter((line) => /^\| +[\d,]+ +\|/.test(line));
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => Number(cell.replaceAll(',', ''))),
  );
}

let sandbox: Sandbox;

/** A trigger that has learned the whole application. */
async function learned(options: INodeParameters = {}): Promise<TriggerEngine> {
  const { baseUrl, accessKey } = sandbox;
  const application = { __rl: true, mode: 'identifier', value: 'large' };
  const events = ['created', 'updated', 'deleted'];
  const engine = new TriggerEngine({ baseUrl, accessKey }, { application, events, options });
  await engine.activate();
  while (engine.state?.includes('"scan":{') !== false) await engine.poll();
  return engine;
}

/** The requests of a poll that outputs `items` items. */
async function requestsOf(engine: TriggerEngine, items: number): Promise<number> {
  await sandbox.clearStatistics();
  expect(await engine.poll()).toHaveLength(items);
  return (await sandbox.statistics()).calls;
}

/** Changes records all over the application. */
async function change(count: number, records: number, city: string): Promise<void> {
  const distance = Math.floor(records / count);
  for (let index = 1; index <= count; index++)
    await sandbox.changeRecord('large', String(index * distance), { City: city });
}

/** Compares a row of the page with the requests of polls of as many records. */
export async function compareFigures([records = 0, ...named]: readonly number[]): Promise<void> {
  sandbox = await Sandbox.start({ records });
  try {
    // Changes of two minutes need other requests than those of one.
    await sandbox.setClock('2026-03-01T00:00:00Z');
    await compare(records, named);
  } finally {
    await sandbox.stop();
  }
}

async function compare(records: number, named: readonly number[]): Promise<void> {
  const parts = Object.keys(await sandbox.partIds('large'));
  const updatedPart = parts.find((name) => /updated at/i.test(name))!;
  const full = await learned();
  const quick = await learned({ updatedPart, fullScanEvery: 600 });
  const measured = [await requestsOf(quick, 0), await requestsOf(full, 0)];
  await change(100, records, 'Linz');
  measured.push(await requestsOf(full, 100), await requestsOf(quick, 100));
  await change(1000, records, 'Graz');
  measured.push(await requestsOf(quick, 1000));
  // The next page may or may not have been requested when the last one arrived.
  const far = measured.filter((requests, index) => Math.abs(requests - (named[index] ?? NaN)) > 1);
  expect({ far, measured }).toEqual({ far: [], measured });
  expect(measured[0]).toBe(named[0]);
}
