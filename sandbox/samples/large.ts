import { buildApplication } from '../definitions/build.ts';
import type { ApplicationDefinition } from '../definitions/definition.ts';
import { formatMinute } from '../settings/clock.ts';
import type { Part, Values } from '../parts/part.ts';
import type { Application } from '../storage/applications.ts';
import type { Workbench } from '../records/workbench.ts';
import { largeParts } from './largeParts.ts';
import { generator, pick, upTo, type Random } from './random.ts';

const definition: ApplicationDefinition = {
  name: 'Large',
  identifier: 'large',
  overview: '<p>Generated records.</p>',
  parts: largeParts,
};

/** First record's time; each minute after it has twenty records. */
const begin = new Date(2016, 0, 1).getTime();
const recordsAMinute = 20;
const batch = 20_000;

/**
 * Creates an application `large`, with the same records every time. An existing one with as many records is kept.
 * @param count number of records; 0 creates none
 */
export function generate(workbench: Workbench, count: number): void {
  const { storage } = workbench;
  if (count === 0) return;
  const known = storage.applications.find('@large');
  if (known && storage.records.count(known.id) === count) return;
  if (known) storage.transaction(() => storage.removeApplication(known.id));
  const application = buildApplication(definition, storage);
  storage.transaction(() => storage.applications.add(application));
  const random = generator(20_260_101);
  for (let done = 0; done < count; done += batch) {
    storage.transaction(() => addBatch(workbench, application, random, done, Math.min(batch, count - done)));
  }
}

function addBatch(
  { storage }: Workbench,
  application: Application,
  random: Random,
  done: number,
  count: number,
): void {
  const parts = application.parts.filter(({ system }) => system === undefined);
  const first = storage.applications.takeRecordIds(application.id, count);
  for (let at = 0; at < count; at++) {
    const id = first + at;
    const time = formatMinute(new Date(begin + Math.floor((done + at) / recordsAMinute) * 60_000));
    storage.records.insert(application.id, {
      id,
      revision: 1 + upTo(random, 4),
      createdAt: time,
      createdBy: '1001',
      updatedAt: time,
      updatedBy: pick(random, ['1001', '1002']),
      values: valuesOf(parts, random, id),
    });
  }
}

function valuesOf(parts: readonly Part[], random: Random, number: number): Values {
  const values: Values = {};
  for (const [index, { make }] of largeParts.entries()) {
    const value = make(random, number);
    const id = parts[index]?.id;
    if (id !== undefined && value !== undefined && !(Array.isArray(value) && value.length === 0))
      values[id] = value;
  }
  return values;
}
