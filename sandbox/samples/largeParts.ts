import type { PartDefinition } from '../definitions/definition.ts';
import type { Stored } from '../parts/part.ts';
import { pick, upTo, type Random } from './random.ts';

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
export const largeParts: readonly LargePart[] = [
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
