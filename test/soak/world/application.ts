import type { ApplicationDefinition } from '../../support/sandbox';

/** Text parts that writers fill with the token of their write. So each value shows which write it is from. */
export const LANES = ['Lane 1', 'Lane 2', 'Lane 3', 'Lane 4'] as const;

export type Lane = (typeof LANES)[number];

/** Values of parts by name, without those that are empty or were not sent. */
export type Texts = Readonly<Partial<Record<string, string>>>;

export const STATES = ['open', 'closed'] as const;

/** The number of records at the start. */
const FIRST_RECORDS = 60;

const textboxes = (...names: readonly string[]) => names.map((name) => ({ name, type: 'textbox' }));

/** The application that writers and triggers use. */
export const APPLICATION: ApplicationDefinition = {
  name: 'Soak',
  identifier: 'soak',
  parts: [
    ...textboxes('Key', ...LANES),
    { name: 'State', type: 'select', options: STATES },
    { name: 'Rows', type: 'input_list', children: textboxes('Item', 'Mark') },
    { name: 'Files', type: 'files' },
  ],
  records: Array.from({ length: FIRST_RECORDS }, (_, index) => ({
    Key: `first-${index}`,
    State: STATES[index % STATES.length]!,
  })),
};

/** The lanes of a record that one of our nodes output. */
export function lanesOf(json: Readonly<Record<string, unknown>>): Texts {
  return Object.fromEntries(LANES.flatMap((lane) => (json[lane] ? [[lane, json[lane]]] : []))) as Texts;
}

export function sameLanes(one: Texts, other: Texts): boolean {
  return LANES.every((lane) => one[lane] === other[lane]);
}
