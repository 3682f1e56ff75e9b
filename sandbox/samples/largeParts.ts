import type { PartDefinition } from '../definitions/definition.ts';
import type { Stored } from '../parts/part.ts';
import { pick, upTo, type Random } from './random.ts';

const cities = ['Leeds', 'Osaka', 'Linz', 'Porto', 'Gdansk', 'Turku', '仙台', 'Zürich'];
const goods = ['bolt', 'bracket', 'motor', 'valve', 'panel', 'cable', 'sensor', 'filter', 'bearing', 'hinge'];
const kinds = ['Standard', 'Special', 'Spare', 'Sample'];
const marks = ['Urgent', 'Checked', 'Export', 'Fragile'];

const two = (value: number) => String(value).padStart(2, '0');
const day = (random: Random): string =>
  `20${two(15 + upTo(random, 11))}-${two(1 + upTo(random, 12))}-${two(1 + upTo(random, 28))}`;
const clockTime = (random: Random) => `${two(upTo(random, 24))}:${two(upTo(random, 60))}`;

/** The twenty parts of the large application, each with a function that makes its values. */
export const largeParts: readonly (PartDefinition & {
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
