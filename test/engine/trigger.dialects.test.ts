import type { INodeParameters } from 'n8n-workflow';

import { created, inWords, numbered, upTo } from '../support/triggerTickets';
import { some } from './support/like';
import { each, testStories, useDesk } from './support/story';
import { add, change, remove, set, type Step } from './support/storyActs';
import { gives, poll } from './support/storyPolls';

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
/** One poll gives these, in any order, one of them with these values, and the next poll nothing. */
const tells =
  (words: readonly string[], values: object = {}): Step =>
  async ({ trigger }) => {
    const items = await trigger.poll();
    expect(inWords(items).sort()).toEqual([...words].sort());
    expect(items).toContainEqual(some(values));
    expect(await trigger.poll()).toEqual([]);
  };
const someIds = upTo(4, 9);

describe.each(Object.entries(DIALECTS))('a service with %s', (name, dialect) => {
  // A 5xx is never a refusal: it does not tell that a record is gone.
  const isSure = name !== 'failures as 500';
  testStories(
    desk,
    {
      ...each(Object.entries(MODES))('loses and repeats nothing, by %s', ([, parameters]) => ({
        parameters,
        steps: [
          [add(...numbered(8)), set('1', { Title: 'Uno' })],
          tells(['updated 1 (1 to 2)', ...created(3, 10)], { id: '3', Title: 'Ticket 0', State: 'open' }),
          [set(someIds, { Title: 'Again' }), tells(someIds.map((id) => `updated ${id} (1 to 2)`))],
        ],
      })),
      'loses no deletion, down to the last record': [
        [remove('2'), add({ Title: 'Three' })],
        ...(isSure
          ? [
              [tells(['created 3 (1)', 'deleted 2 (1)']), remove('1', '3')],
              [tells(['deleted 1 (1)', 'deleted 3 (1)']), add({ Title: 'Four' }), tells(['created 4 (1)'])],
            ]
          : [poll('created 3 (1)')]),
      ],
    },
    { dialect },
  );
});

const IDENTIFIED = { partIdentifierMode: true, systemIdentifiers: { id: 'no', updatedAt: 'updated_at' } };
const uno = [set('1', { Title: 'Uno' }), gives({ event: 'updated', id: '1', title: 'Uno' })];
const WIDE = Array.from({ length: 60 }, (_, index) => ({ name: `Part ${index}`, type: 'textbox' }));
const last = upTo(0, 5).map((each) => ({ 'Part 59': `last ${each}` }));

describe('the keys of parts', () => {
  testStories(desk, {
    'may be identifiers': { application: IDENTIFIED, parameters: { watchParts: ['title'] }, steps: uno },
    'may become identifiers while the trigger runs': {
      application: { ...IDENTIFIED, partIdentifierMode: false },
      steps: [change({ partIdentifierMode: true }), ...uno],
    },
    'are required of the ID part': {
      application: { ...IDENTIFIED, systemIdentifiers: {} },
      refused: /has no part identifier/,
    },
    ...each([{}, { listRevision: 'never' }])('are all read of one with many parts: %s', (dialect) => ({
      ...{ dialect, application: { parts: WIDE, records: [{ 'Part 59': 'a' }] } },
      steps: [add(...last), gives(...last)],
    })),
  });
});
