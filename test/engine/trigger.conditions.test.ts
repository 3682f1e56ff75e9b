import { add, all, itself, remove, set, testStories, useDesk } from './support/polls';

const desk = useDesk();

const EXPENSIVE = { part: 'Price', operator: 'gt', value: '100' };
const CLOSED = { part: 'State', operator: 'equals', value: 'closed' };
const DEAR = { Title: 'Dear', State: 'open', Price: '250' };

describe('conditions that the node checks', () => {
  testStories(
    desk,
    [
      {
        name: 'emit records that meet them, created or updated',
        steps: [
          [add(DEAR, { Title: 'Cheap', Price: '9' }), 'created 3 (1)'],
          [set('4', { Price: '1000' }), 'created 4 (2)'],
          [set('3', { Price: '260' }), 'updated 3 (1 to 2)'],
        ],
      },
      {
        name: 'a record that stops meeting them is no deletion, and one that meets them again is an update',
        steps: [
          [add(DEAR), 'created 3 (1)'],
          [set('3', { Price: '1' })],
          [set('3', { Price: '300' }), 'updated 3 (1 to 3)'],
          [remove('3'), 'deleted 3 (3)'],
        ],
      },
      {
        name: 'a record that stops meeting them between the list and its reading is not output',
        steps: [
          [add(DEAR), 'created 3 (1)'],
          [
            async ({ sandbox, trigger }) => {
              await sandbox.changeRecord('tickets', '3', { Price: '260' });
              const { record } = await sandbox.call('get_data', { app_id: '@tickets', data_id: '3' });
              const cheap = { ...(record as object), revision: '3', Price: { val: '1' } };
              const answer = { statusCode: 200, body: { status: 'ok', record: cheap } };
              trigger.between = { answer: ({ action }) => (action === 'get_data' ? answer : undefined) };
            },
          ],
          [all(itself, set('3', { Price: '1' }))],
        ],
      },
      { name: 'a record that never met them is never reported as deleted', steps: [[remove('1')]] },
      {
        name: 'any of several is enough, including those that the service checks',
        ...{ parameters: { match: 'any' }, where: [EXPENSIVE, CLOSED] },
        steps: [
          [
            add(DEAR, { Title: 'Neither', State: 'open', Price: '9' }, { Title: 'Closed', State: 'closed' }),
            ...['created 3 (1)', 'created 5 (1)'],
          ],
        ],
      },
      {
        name: 'parts that only a condition needs are not in the items',
        parameters: { simplify: false, options: { partsToReturn: ['Title'] } },
        after: async ({ sandbox, trigger }) => {
          await sandbox.addRecords('tickets', [DEAR]);
          const [item] = await trigger.poll();
          expect((item as { record: object }).record).not.toHaveProperty('Price');
        },
      },
      {
        name: 'another match is refused',
        parameters: { match: 'some' },
        first: /"Must Match" must be one of: all, any/,
      },
    ],
    { where: [EXPENSIVE] },
  );
});
