import type { LabelColor } from '../storage/labels.ts';
import type { User } from '../storage/people.ts';

/** The first user's key, which is printed at the start. */
export const defaultAccessKey = 'sandbox-access-key';

export const sampleUsers: readonly User[] = [
  {
    id: '1001',
    name: 'Aiko Mori',
    accessKey: defaultAccessKey,
    active: true,
    groups: ['201'],
    rights: {},
  },
  {
    id: '1002',
    name: 'Ken Tanaka',
    accessKey: 'sandbox-key-tanaka',
    active: true,
    groups: ['202'],
    rights: { '*': { write: 'own', delete: 'own' } },
  },
  {
    id: '1003',
    name: 'Emma Braun',
    accessKey: 'sandbox-key-braun',
    active: true,
    groups: ['201', '203'],
    rights: {
      '*': { add: false, write: 'none', delete: 'none' },
      customers: { add: false, write: 'none', delete: 'none', parts: { 'Credit Limit': 'none' } },
      requests: { access: false },
    },
  },
  {
    id: '1004',
    name: 'Former Employee',
    accessKey: 'sandbox-key-former',
    active: false,
    groups: [],
    rights: {},
  },
];

export const sampleGroups: readonly (readonly [id: string, name: string])[] = [
  ['201', 'Sales'],
  ['202', 'Warehouse'],
  ['203', 'Accounting'],
];

/** Parents come before their children. */
export const sampleLabels: readonly (readonly [
  name: string,
  color: LabelColor,
  parent: string | undefined,
])[] = [
  ['Sales', 'blue', undefined],
  ['Key Accounts', 'green', 'Sales'],
  ['Logistics', 'yellow', undefined],
  ['Warehouse', 'pink', 'Logistics'],
  ['Internal', 'gray', undefined],
];
