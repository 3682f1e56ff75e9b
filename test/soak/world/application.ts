import type { ApplicationDefinition } from '../../support/sandbox';

/** Text parts that writers fill with the token of their write. So each value shows which write it is from. */
export const LANES = ['Lane 1', 'Lane 2', 'Lane 3', 'Lane 4'] as const;

export type Lane = (typeof LANES)[number];

/** Values of lanes, without those that are empty or were not sent. */
export type Lanes = Readonly<Partial<Record<Lane, string>>>;

export const STATES = ['open', 'closed'] as const;

/** The number of records at the start. */
const FIRST_RECORDS = 60;

/** The application that writers and triggers use. */
export const APPLICATION: ApplicationDefinition = {
  name: 'Soak',
  identifier: 'soak',
  parts: [
    { name: 'Key', type: 'textbox' },
    ...LANES.map((name) => ({ name, type: 'textbox' })),
    { name: 'State', type: 'select', options: STATES },
    {
      name: 'Rows',
      type: 'input_list',
      children: [
        { name: 'Item', type: 'textbox' },
        { name: 'Mark', type: 'textbox' },
      ],
    },
    { name: 'Files', type: 'files' },
  ],
  records: Array.from({ length: FIRST_RECORDS }, (_, index) => ({
    Key: `first-${index}`,
    State: STATES[index % STATES.length]!,
  })),
};
