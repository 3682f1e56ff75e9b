import type { INodeParameters } from 'n8n-workflow';

import { inWords, numbered } from '../support/triggerTickets';
import { add, all, change, remove, set, testStories, useDesk, type Desk, type Story } from './support/polls';

const desk = useDesk();

const DIALECTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'the most likely dialect': {},
  'revision always in lists': { listRevision: 'always' },
  'revision never in lists of some parts': { listRevision: 'never' },
  'all parts without fields': { listRevision: 'never', fieldsOmitted: 'all' },
  'an empty list as -110, one item as object': { emptyList: 'error', singleItem: 'object' },
  'an empty list without list': { emptyList: 'noList', emptyInner: 'noValue' },
  'ids and counts as numbers': { ids: 'number', counts: 'number' },
  'dates as objects': { dates: 'object' },
  'failures as 400, refusals alike': { failureStatus: '400', refusals: 'alike' },
  'failures as 500': { failureStatus: '500' },
  'no permissions in lists': { listPermissions: 'absent' },
  'a filter that refuses ids': { equals: 'refused:*' },
  'a filter that ignores ids': { equals: 'ignored:*' },
  'a filter that misses ids': { equals: 'misses:*' },
};
const MODES: Readonly<Record<string, INodeParameters>> = {
  'full scans': {},
  'watched parts': { watchParts: ['Title'] },
  'quick polls': { options: { updatedPart: '4', fullScanEvery: 1 } },
};
const created = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `created ${first + index} (1)`);
/** The events of one poll, in any order, and none in the next. */
async function told({ trigger }: Desk, ...words: string[]): Promise<object[]> {
  const items = await trigger.poll();
  expect(inWords(items).sort()).toEqual(words.sort());
  expect(await trigger.poll()).toEqual([]);
  return items;
}

describe.each(Object.entries(DIALECTS))('a service with %s', (name, dialect) => {
  testStories(
    desk,
    [
      ...Object.entries(MODES).map(([mode, parameters]): Story => ({
        ...{ name: `loses and repeats nothing, by ${mode}`, parameters },
        after: async (at) => {
          await all(add(...numbered(8)), set('1', { Title: 'Uno' }))(at);
          const items = await told(at, 'updated 1 (1 to 2)', ...created(3, 10));
          expect(items).toContainEqual(
            expect.objectContaining({ id: '3', Title: 'Ticket 0', State: 'open' }),
          );
          const ids = ['4', '5', '6', '7', '8', '9'];
          await all(...ids.map((id) => set(id, { Title: `Again ${id}` })))(at);
          await told(at, ...ids.map((id) => `updated ${id} (1 to 2)`));
        },
      })),
      {
        name: 'loses no deletion, down to the last record',
        after: async (at) => {
          await all(remove('2'), add({ Title: 'Three' }))(at);
          // A 5xx is never a refusal: it does not tell that a record is gone.
          if (name === 'failures as 500')
            return expect(inWords(await at.trigger.poll())).toEqual(['created 3 (1)']);
          await told(at, 'created 3 (1)', 'deleted 2 (1)');
          await remove('1', '3')(at);
          await told(at, 'deleted 1 (1)', 'deleted 3 (1)');
          await add({ Title: 'Four' })(at);
          await told(at, 'created 4 (1)');
        },
      },
    ],
    { dialect, options: {} },
  );
});

const IDENTIFIED = { partIdentifierMode: true, systemIdentifiers: { id: 'no', updatedAt: 'updated_at' } };
const uno = [expect.objectContaining({ event: 'updated', id: '1', title: 'Uno' })];
const WIDE = Array.from({ length: 60 }, (_, index) => ({ name: `Part ${index}`, type: 'textbox' }));

describe('the keys of parts', () => {
  testStories(desk, [
    {
      name: 'may be identifiers',
      ...{ application: IDENTIFIED, parameters: { watchParts: ['title'] } },
      after: async (at) => {
        await set('1', { Title: 'Uno' })(at);
        expect(await at.trigger.poll()).toEqual(uno);
      },
    },
    {
      name: 'may become identifiers while the trigger runs',
      application: { ...IDENTIFIED, partIdentifierMode: false },
      after: async (at) => {
        await all(change({ partIdentifierMode: true }), set('1', { Title: 'Uno' }))(at);
        expect(await at.trigger.poll()).toEqual(uno);
      },
    },
    {
      name: 'are required of the ID part',
      application: { ...IDENTIFIED, systemIdentifiers: {} },
      first: /has no part identifier/,
    },
    ...[{}, { listRevision: 'never' }].map((dialect): Story => ({
      name: `are all read of an application of many parts: ${JSON.stringify(dialect)}`,
      ...{ dialect, application: { parts: WIDE, records: [{ 'Part 59': 'a' }] } },
      after: async (at) => {
        const last = [0, 1, 2, 3, 4, 5].map((index) => ({ 'Part 59': `last ${index}` }));
        await add(...last)(at);
        expect(await at.trigger.poll()).toMatchObject(last);
      },
    })),
  ]);
});
