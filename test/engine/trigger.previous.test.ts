import type { INodeParameters } from 'n8n-workflow';

import type { ApplicationDefinition } from '../support/sandbox';
import { TICKETS } from '../support/triggerTickets';
import { anyText } from './support/like';
import { each, testStories, useDesk } from './support/story';
import { add, limited, remove, reset, rights, set, type Step } from './support/storyActs';
import { fails, poll, restart, tells } from './support/storyPolls';

const DESK: Partial<ApplicationDefinition> = {
  parts: [
    ...TICKETS.parts,
    { name: 'Tags', type: 'checkbox', identifier: 'tags', options: ['red', 'green', 'blue'] },
    { name: 'Owners', type: 'users', identifier: 'owners' },
    {
      ...{ name: 'Lines', type: 'input_list', identifier: 'lines' },
      children: [
        { name: 'Item', type: 'textbox', identifier: 'item' },
        { name: 'Quantity', type: 'number', identifier: 'quantity' },
      ],
    },
  ],
};
const PREVIOUS = { previousValues: 'updated' };
const watching = (...watchParts: string[]) => ({ parameters: { watchParts }, options: PREVIOUS });
const closed = { State: { from: 'open', to: 'closed' } };
const opened = { State: { from: 'closed', to: 'open' } };
const close = set('1', { State: 'closed' });
/** n8n starts again, and its first poll gives one item with these changes. */
const restarted =
  (parameters: INodeParameters, ...changes: unknown[]): Step =>
  async (at) => {
    await reset(parameters)(at);
    expect((await at.trigger.restart()).map((item) => item.changes)).toEqual(changes);
  };

const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', text });
const [name, id] = [anyText, anyText];
const kept = { id, mimeType: 'text/plain', url: anyText };
const bolt = { Item: 'Bolt', Quantity: 2 };
const shown = (Price?: string) => rights({ parts: Price === undefined ? {} : { Price } });

testStories(
  useDesk(),
  {
    'an update reports the previous and the new value of each watched part that changed': {
      ...watching('State', 'Price'),
      steps: [
        [set('1', { State: 'closed', Title: 'Uno' }), tells(closed)],
        set('1', { State: null, Price: '12.5' }),
        tells({ State: { from: 'closed', to: null }, Price: { from: null, to: 12.5 } }),
        [set('1', { Title: 'Not watched' }), tells()],
      ],
    },
    'an update reports them for a record that was created since': {
      ...watching('State'),
      steps: [
        [add({ Title: 'Three', State: 'open' }), tells(undefined)],
        [set('3', { State: 'closed' }), tells(closed)],
      ],
    },
    'an update reports the values of a change that n8n saw first when it started again, and not again': {
      ...watching('State'),
      steps: [close, restarted({}, closed), restart(), set('1', { State: 'open' }), tells(opened)],
    },
    'an update reports them also where another part is watched since': {
      ...watching('State'),
      steps: [close, restarted({ watchParts: ['Price', 'State'] }, closed)],
    },
    'an update reports them beside the service’s own record, too': {
      ...{ parameters: { watchParts: ['State'], simplify: false }, options: PREVIOUS },
      steps: [
        close,
        async ({ trigger }) => {
          const [item] = await trigger.poll();
          const keys = ['changes', 'event', 'id', 'previousRevision', 'record', 'revision'];
          expect(Object.keys(item!).sort()).toEqual(keys);
          expect(item).toMatchObject({ changes: closed, record: { State: { val: 'closed' } } });
        },
      ],
    },
    'an update reports none unless it is switched on': {
      parameters: { watchParts: ['State'] },
      steps: [close, tells(undefined)],
    },
    'values that are more than a text are readable: choices, people, files, rows': {
      before: [
        set('1', {
          ...{ Tags: ['red'], Owners: ['1001'], Files: [file('a.txt', 'one')] },
          Lines: [{ Item: 'Bolt', Quantity: '2' }],
        }),
      ],
      ...watching('Tags', 'Owners', 'Files', 'Lines'),
      steps: [
        set('1', {
          ...{ Tags: ['red', 'blue'], Owners: ['1002'], Files: [file('b.txt', 'other')] },
          Lines: [
            { Item: 'Bolt', Quantity: '3' },
            { Item: 'Nut', Quantity: '1' },
          ],
        }),
        tells({
          Tags: { from: ['red'], to: ['red', 'blue'] },
          Owners: { from: [{ id: '1001', name }], to: [{ id: '1002', name }] },
          Files: { from: [{ ...kept, name: 'a.txt', size: 3 }], to: [{ ...kept, name: 'b.txt', size: 5 }] },
          Lines: {
            from: [{ id, ...bolt }],
            to: [{ id, ...bolt, Quantity: 3 }].concat({ id, Item: 'Nut', Quantity: 1 }),
          },
        }),
      ],
    },
    'values are no change if a user is renamed': {
      ...{ before: [set('1', { Owners: ['1002'] })], ...watching('Owners') },
      steps: [
        async ({ sandbox }) => await sandbox.setUser('1002', { name: 'Somebody Else' }),
        [set('1', { Title: 'Uno' }), poll()],
      ],
    },
    'a part with an error is not among the changes, and its previous value is forgotten': {
      ...{ before: [shown(), limited], ...watching('State', 'Price') },
      steps: [
        [shown('none'), set('1', { State: 'closed', Price: '5' }), tells(closed)],
        [shown(), set('1', { State: 'open' }), tells({ ...opened, Price: { to: 5 } })],
      ],
    },
    'a part with an error is no change where it was never seen, and can be read now': {
      ...{ before: [shown('none'), limited], ...watching('State', 'Price') },
      steps: [shown(), set('1', { State: 'closed', Price: '7' }), tells(closed)],
    },
    'a part with an error is learned once it can be read, so that its next change is reported': {
      ...{ before: [shown('none'), limited], ...watching('State', 'Price') },
      steps: [shown(), poll(), set('1', { Price: '7' }), tells({ Price: { from: null, to: 7 } })],
    },
    ...each([PREVIOUS, { previousValues: 'updatedAndDeleted' }])(
      'a deletion reports the last known values if this is switched on: %s',
      (options) => ({
        ...{ parameters: { watchParts: ['State', 'Title'] }, options },
        steps: [
          [set('2', { Title: 'Due' }), poll('updated 2 (1 to 2)'), remove('2')],
          async ({ trigger }) => {
            const previous = options !== PREVIOUS && { previous: { Title: 'Due', State: 'closed' } };
            const deleted = { event: 'deleted', id: '2', ...previous, previousRevision: 2 };
            expect(await trigger.poll()).toEqual([deleted]);
          },
        ],
      }),
    ),
    'switching it on keeps the state, and reports "from" from the next poll on': {
      parameters: { watchParts: ['State'] },
      steps: [
        [add({ Title: 'While off', State: 'open' }), close],
        restarted({ options: PREVIOUS }, { State: { to: 'closed' } }, undefined),
        [set(['1', '2'], { State: 'open' }), tells(opened, opened)],
      ],
    },
    'switching it on learns what can be read of a record, beside a part with an error': {
      ...{ before: [shown('none'), limited], parameters: { watchParts: ['State', 'Price'] } },
      steps: [restarted({ options: PREVIOUS }), set('1', { State: 'closed' }), tells(closed)],
    },
    ...each(['updated', 'updatedAndDeleted'])(
      'switching it on is refused if no values are kept: %s',
      (previousValues) => ({
        options: { previousValues },
        refused: /Previous Values needs Only When These Parts Change/,
        steps: [
          fails(
            /^Previous Values needs Only When These Parts Change/,
            async ({ trigger }) => await trigger.manual(),
          ),
        ],
      }),
    ),
  },
  { application: DESK },
);
