import type { ApplicationDefinition } from '../support/sandbox';
import { all, change, set, testStories, useDesk, type Act, type Desk, type Story } from './support/polls';

const desk = useDesk();

const textboxes = (...names: string[]) => names.map((name) => ({ name, type: 'textbox' }));
/** Tickets whose town comes from another application. */
const linked: Act = async ({ sandbox }) => {
  await sandbox.removeApplication('tickets');
  const source = await sandbox.createApplication({
    ...{ name: 'Source', identifier: 'source', parts: textboxes('Key', 'Town') },
    records: ['k Kyoto', 'n Nara'].map((text) => ({ Key: text[0], Town: text.slice(2) })),
  });
  const reference = { application: source.id, key: 'Link', match: 'Key', part: 'Town' };
  const tickets: ApplicationDefinition = {
    ...{ name: 'Tickets', identifier: 'tickets' },
    parts: [...textboxes('Title', 'Link'), { name: 'Town', type: 'reference', reference }],
    records: ['One', 'Two'].map((Title) => ({ Title, Link: 'k' })),
  };
  await sandbox.createApplication(tickets);
};
const away = change({ status: 'maintenance' }, 'source');
const back = change({ status: 'running' }, 'source');
const changes =
  (expected: unknown): Story['after'] =>
  async ({ trigger }: Desk) => {
    const items = await trigger.poll();
    expect(items.map((item) => item.changes)).toEqual(expected);
  };
const watching = (watchParts: string[], previousValues?: string): Story['parameters'] => ({
  ...{ watchParts, options: previousValues === undefined ? {} : { previousValues } },
});

describe('a watched part of an application under maintenance', () => {
  testStories(
    desk,
    [
      ...[undefined, 'updated'].map((previousValues): Story => ({
        name: `is no update by itself, and no update is lost: previous values ${previousValues}`,
        parameters: watching(['Town'], previousValues),
        steps: [
          [all(away, set('1', { Title: 'New' }), set('2', { Link: 'n' }))],
          [back, 'updated 2 (1 to 2)'],
          [null],
          [all(away, set('1', { Title: 'Newer' }))],
          [all(back, set('1', { Link: 'n' })), 'updated 1 (2 to 4)'],
        ],
        after: async (at) => {
          await set('1', { Link: 'k' })(at);
          const told = previousValues && { Town: { from: 'Nara', to: 'Kyoto' } };
          await changes([told])!(at);
        },
      })),
      {
        name: 'is left out of the changes, and reported when it is back',
        parameters: watching(['Town', 'Title'], 'updated'),
        after: async (at) => {
          const Title = { from: 'One', to: 'New' };
          await all(away, set('1', { Title: 'New' }), set('2', { Title: 'New', Link: 'n' }))(at);
          await changes([{ Title }, { Title: { ...Title, from: 'Two' } }])!(at);
          await back(at);
          await changes([])!(at);
          await all(set('1', { Link: '' }), set('1', { Link: 'k' }), set('2', { Link: 'n' }))(at);
          await changes([{ Town: { to: 'Nara' } }])!(at);
          await set('1', { Link: 'n' })(at);
          await changes([{ Town: { from: 'Kyoto', to: 'Nara' } }])!(at);
        },
      },
    ],
    { before: linked },
  );
});
