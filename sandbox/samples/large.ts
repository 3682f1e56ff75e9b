import { buildApplication } from '../definitions/build.ts';
import type { ApplicationDefinition, PartDefinition } from '../definitions/definition.ts';
import { formatMinute } from '../settings/clock.ts';
import type { Part, Stored, Values } from '../parts/part.ts';
import type { Application } from '../storage/applications.ts';
import type { Workbench } from '../records/workbench.ts';

/** A random number from 0 to 1. */
type Random = () => number;

/** A random element. */
const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
/** A random integer from 0, below `most`. */
const upTo = (random: Random, most: number): number => Math.floor(random() * most);

/** A small random number generator with a seed (mulberry32). */
function generator(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const cities = ['Leeds', 'Osaka', 'Linz', 'Porto', 'Gdansk', 'Turku', '仙台', 'Zürich'];
const goods = ['bolt', 'bracket', 'motor', 'valve', 'panel', 'cable', 'sensor', 'filter', 'bearing', 'hinge'];
const kinds = ['Standard', 'Special', 'Spare', 'Sample'];
const classes = ['A', 'B', 'C'];
const marks = ['Urgent', 'Checked', 'Export', 'Fragile'];
const regions = ['North', 'East', 'South', 'West'];

const two = (value: number) => String(value).padStart(2, '0');
const day = (random: Random): string =>
  `20${two(15 + upTo(random, 11))}-${two(1 + upTo(random, 12))}-${two(1 + upTo(random, 28))}`;
const clockTime = (random: Random) => `${two(upTo(random, 24))}:${two(upTo(random, 60))}`;

type LargePart = PartDefinition & { readonly make: (random: Random, number: number) => Stored | undefined };

function large(
  name: string,
  type: LargePart['type'],
  make: LargePart['make'],
  options: string[] = [],
): LargePart {
  return { name, type, identifier: name.toLowerCase().replace(' ', '_'), options, make };
}

/** The twenty parts of the large application, each with a function that makes its values. */
const largeParts: readonly LargePart[] = [
  large('Number', 'textbox', (_, number) => `N-${String(number).padStart(8, '0')}`),
  large('Title', 'textbox', (random) => `${pick(random, kinds)} ${pick(random, goods)}`),
  large('City', 'textbox', (random) => pick(random, cities)),
  large('Contact', 'textbox', (random) => `Person ${upTo(random, 5000)}`),
  large('Note', 'textarea', (random) =>
    random() < 0.3 ? `Delivered by lot ${upTo(random, 900)}\nSee file` : undefined,
  ),
  large('Kind', 'select', (random) => pick(random, kinds), kinds),
  large('Class', 'radio', (random) => pick(random, classes), classes),
  large('Marks', 'checkbox', (random) => marks.filter(() => random() < 0.3), marks),
  large('Regions', 'listbox', (random) => [pick(random, regions)], regions),
  large('Amount', 'number', (random) => String(upTo(random, 1_000_000) / 100)),
  large('Quantity', 'number', (random) => String(upTo(random, 5000))),
  large('Ordered On', 'date', day),
  large('Due On', 'date', (random) => (random() < 0.8 ? day(random) : undefined)),
  large('Starts', 'time', (random) => upTo(random, 96) * 900),
  large('Planned At', 'datetime', (random) => `${day(random)}T${clockTime(random)}`),
  large('Owner', 'users', (random) => [pick(random, ['1001', '1002', '1003'])]),
  large('Team', 'groups', (random) => [pick(random, ['201', '202', '203'])]),
  large('Remarks', 'richeditor', (random) => `<p>Lot <b>${upTo(random, 900)}</b></p>`),
  large('Reference', 'textbox', (random) => `R${upTo(random, 1_000_000_000)}`),
  large('Weight', 'number', (random) => String(upTo(random, 100_000) / 1000)),
];

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
