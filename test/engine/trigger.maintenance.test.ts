import type { ApplicationDefinition } from '../support/sandbox';
import { each, testStories, useDesk } from './support/story';
import { change, set, type Step } from './support/storyActs';
import { gives, poll } from './support/storyPolls';

const textboxes = (...names: string[]) => names.map((name) => ({ name, type: 'textbox' }));
/** Tickets whose town comes from another application. */
const linked: Step = async ({ sandbox }) => {
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
const link = (id: string, Link: string) => set(id, { Link });
const entitle = (id: string, Title: string) => set(id, { Title });
const tells = (...changes: unknown[]): Step => gives(...changes.map((each) => ({ changes: each })));
const Title = { from: 'One', to: 'New' };

testStories(
  useDesk(),
  {
    ...each([{}, { previousValues: 'updated' }], (options) => [
      `a watched part of an application under maintenance is no update by itself, and no update is lost: ${JSON.stringify(options)}`,
      {
        ...{ parameters: { watchParts: ['Town'] }, options },
        steps: [
          [away, entitle('1', 'New'), link('2', 'n'), poll()],
          [back, poll('updated 2 (1 to 2)'), poll()],
          [away, entitle('1', 'Newer'), poll(), back, link('1', 'n'), poll('updated 1 (2 to 4)')],
          link('1', 'k'),
          tells('previousValues' in options ? { Town: { from: 'Nara', to: 'Kyoto' } } : undefined),
        ],
      },
    ]),
    'a watched part of an application under maintenance is left out of the changes, and reported when it is back':
      {
        ...{ parameters: { watchParts: ['Town', 'Title'] }, options: { previousValues: 'updated' } },
        steps: [
          [away, entitle('1', 'New'), entitle('2', 'New'), link('2', 'n')],
          [tells({ Title }, { Title: { ...Title, from: 'Two' } }), back, tells()],
          [link('1', ''), link('1', 'k'), link('2', 'n'), tells({ Town: { to: 'Nara' } })],
          [link('1', 'n'), tells({ Town: { from: 'Kyoto', to: 'Nara' } })],
        ],
      },
  },
  { before: [linked] },
);
