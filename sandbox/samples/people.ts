import type { User } from '../storage/people.ts';

/** The first user's key, which is printed at the start. */
export const defaultAccessKey = 'sandbox-access-key';

export const sampleUsers: readonly User[] = [
  {
    id: '1001',
    name: 'Aiko Mori',
    accessKey: defaultAccessKey,
    active: true,
    rights: {},
  },
  {
    id: '1002',
    name: 'Ken Tanaka',
    accessKey: 'sandbox-key-tanaka',
    active: true,
    rights: { '*': { write: 'own', delete: 'own' } },
  },
  {
    id: '1003',
    name: 'Emma Braun',
    accessKey: 'sandbox-key-braun',
    active: true,
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
    rights: {},
  },
];
