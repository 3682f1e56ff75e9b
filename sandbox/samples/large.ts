import { setFlagsFromString } from 'node:v8';
import { buildApplication } from '../definitions/build.ts';
import type { ApplicationDefinition, PartDefinition } from '../definitions/definition.ts';
import { formatMinute } from '../settings/clock.ts';
import type { Part, Stored, Values } from '../parts/part.ts';
import type { Application } from '../storage/applications.ts';
import type { Workbench } from '../records/workbench.ts';

const cities = ['Leeds', 'Osaka', 'Linz', 'Porto', 'Gdansk', 'Turku', '仙台', 'Zürich'];
const goods = ['bolt', 'bracket', 'motor', 'valve', 'panel', 'cable', 'sensor', 'filter', 'bearing', 'hinge'];
const kinds = ['Standard', 'Special', 'Spare', 'Sample'];
const marks = ['Urgent', 'Checked', 'Export', 'Fragile'];

/** A random number from 0 to 1. */
type Random = () => number;

const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
const upTo = (random: Random, most: number) => Math.floor(random() * most);
const two = (value: number) => String(value).padStart(2, '0');
const day = (random: Random) =>
  `20${two(15 + upTo(random, 11))}-${two(1 + upTo(random, 12))}-${two(1 + upTo(random, 28))}`;
const clockTime = (random: Random) => `${two(upTo(random, 24))}:${two(upTo(random, 60))}`;

/** The twenty parts of the large application, each with how its values are made. */
const columns: readonly (PartDefinition & {
  readonly make: (random: Random, number: number) => Stored | undefined;
})[] = [
  {
    name: 'Number',
    type: 'textbox',
    identifier: 'number',
    make: (_, number) => `N-${String(number).padStart(8, '0')}`,
  },
  {
    name: 'Title',
    type: 'textbox',
    identifier: 'title',
    make: (random) => `${pick(random, kinds)} ${pick(random, goods)}`,
  },
  { name: 'City', type: 'textbox', identifier: 'city', make: (random) => pick(random, cities) },
  {
    name: 'Contact',
    type: 'textbox',
    identifier: 'contact',
    make: (random) => `Person ${upTo(random, 5000)}`,
  },
  {
    name: 'Note',
    type: 'textarea',
    identifier: 'note',
    make: (random) => (random() < 0.3 ? `Delivered by lot ${upTo(random, 900)}\nSee file` : undefined),
  },
  { name: 'Kind', type: 'select', identifier: 'kind', options: kinds, make: (random) => pick(random, kinds) },
  {
    name: 'Class',
    type: 'radio',
    identifier: 'class',
    options: ['A', 'B', 'C'],
    make: (random) => pick(random, ['A', 'B', 'C']),
  },
  {
    name: 'Marks',
    type: 'checkbox',
    identifier: 'marks',
    options: marks,
    make: (random) => marks.filter(() => random() < 0.3),
  },
  {
    name: 'Regions',
    type: 'listbox',
    identifier: 'regions',
    options: ['North', 'East', 'South', 'West'],
    make: (random) => [pick(random, ['North', 'East', 'South', 'West'])],
  },
  {
    name: 'Amount',
    type: 'number',
    identifier: 'amount',
    make: (random) => String(upTo(random, 1_000_000) / 100),
  },
  { name: 'Quantity', type: 'number', identifier: 'quantity', make: (random) => String(upTo(random, 5000)) },
  { name: 'Ordered On', type: 'date', identifier: 'ordered_on', make: day },
  {
    name: 'Due On',
    type: 'date',
    identifier: 'due_on',
    make: (random) => (random() < 0.8 ? day(random) : undefined),
  },
  { name: 'Starts', type: 'time', identifier: 'starts', make: (random) => upTo(random, 96) * 900 },
  {
    name: 'Planned At',
    type: 'datetime',
    identifier: 'planned_at',
    make: (random) => `${day(random)}T${clockTime(random)}`,
  },
  {
    name: 'Owner',
    type: 'users',
    identifier: 'owner',
    make: (random) => [pick(random, ['1001', '1002', '1003'])],
  },
  {
    name: 'Team',
    type: 'groups',
    identifier: 'team',
    make: (random) => [pick(random, ['201', '202', '203'])],
  },
  {
    name: 'Remarks',
    type: 'richeditor',
    identifier: 'remarks',
    make: (random) => `<p>Lot <b>${upTo(random, 900)}</b></p>`,
  },
  {
    name: 'Reference',
    type: 'textbox',
    identifier: 'reference',
    make: (random) => `R${upTo(random, 1_000_000_000)}`,
  },
  {
    name: 'Weight',
    type: 'number',
    identifier: 'weight',
    make: (random) => String(upTo(random, 100_000) / 1000),
  },
];

const definition: ApplicationDefinition = {
  name: 'Large',
  identifier: 'large',
  overview: '<p>Generated records.</p>',
  parts: columns,
};

/** First record's time; each minute after it has twenty records. */
const begin = new Date(2016, 0, 1).getTime();
const recordsAMinute = 20;
const batch = 20_000;

/**
 * Makes an application `large`, the same records every time. One that is there already with as many is kept.
 * @param count number of records; 0 makes none
 */
export function generate(workbench: Workbench, count: number): void {
  const { storage } = workbench;
  if (count === 0) return;
  // Records that are gone at once would let the young generation of the heap grow by 60 MB, and no faster for it.
  setFlagsFromString('--semi-space-growth-factor=1');
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
  for (const [index, { make }] of columns.entries()) {
    const value = make(random, number);
    const id = parts[index]?.id;
    if (id !== undefined && value !== undefined && !(Array.isArray(value) && value.length === 0))
      values[id] = value;
  }
  return values;
}

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
