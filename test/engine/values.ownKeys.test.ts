import { each, testTable } from './support/table';
import { useWorkplace } from './support/workplace';

/** Parts may be called like keys of the nodes' own output; an item says whether it is one that the nodes made. */
const place = useWorkplace(null);

const text = (name: string) => ({ name, type: 'textbox' });
const application = {
  parts: ['Name', 'message', 'error', 'url'].map(text),
  records: [{ Name: 'Bolt', message: 'old', error: 'none', url: 'here' }],
};
const WRITES = ['create', 'upsert', 'sync'];
const byName = { values: null, matchBy: ['Name'] };
const theirs = { Name: 'Bolt', message: 'new', error: 'E7', url: 'there' };
const failed = { ...theirs, details: { outcome: 'refused' } };
const ignored = (keys: string, example: string) =>
  `Ignored as keys of the nodes' own output, although parts are called so: ${keys}. To write such a part, name its key "${example} (part)"`;

testTable(
  place,
  byName,
  {
    ...each(WRITES)('%s: in an item of another node they name the parts', (operation) => ({
      ...{ run: { operation }, items: [theirs] },
      after: async () => expect((await place.stored()).at(-1)?.values).toMatchObject(theirs),
    })),
    ...each(WRITES)('%s: in a failed item they do not, and a hint says so; marked they do', (operation) => ({
      run: { operation, options: { ignoreUnknown: true } },
      items: [{ ...failed, 'url (part)': 'marked' }],
      after: async (_, { hints }) => {
        const { values } = (await place.stored()).at(-1)!;
        expect(values.error).not.toBe('E7');
        expect(values).toMatchObject({ Name: 'Bolt', url: 'marked' });
        expect(hints.map(({ message }) => message)).toContain(ignored('message, error', 'message'));
      },
    })),
    'a record that was read is written back, and nothing changes': {
      ...{ run: { operation: 'upsert' }, outcomes: ['unchanged'], hints: [] },
      items: [
        { id: '1', Name: 'Bolt', 'message (part)': 'old', 'error (part)': 'none', url: 'here', revision: 1 },
      ],
    },
    ...each([
      { Name: 'Bolt', message: 'old', revision: 1 },
      { event: 'updated', id: '1', previousRevision: 1, 'message (part)': 'old', revision: 1 },
    ])('a merge compares the part with what the item was read with: %s', (item) => ({
      run: {
        ...{ operation: 'update', recordId: '1', values: { message: 'mine' } },
        ...{ conflictPolicy: 'merge', revision: 1 },
      },
      before: async () => await place.change({ Name: 'Theirs' }),
      ...{ items: [item], outcomes: ['updated'], stored: [{ Name: 'Theirs', message: 'mine' }] },
    })),
  },
  { application },
);
