import type { INodeParameters } from 'n8n-workflow';

import type { ApplicationDefinition } from '../support/sandbox';
import { TICKETS } from '../support/triggerTickets';
import {
  add,
  all,
  limited,
  remove,
  restart,
  rights,
  set,
  testStories,
  useDesk,
  type Act,
  type Desk,
  type Story,
} from './support/polls';

const desk = useDesk();

const DESK: ApplicationDefinition = {
  ...TICKETS,
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
const watching = (options: INodeParameters, ...watchParts: string[]) => ({
  parameters: { watchParts, options },
});
/** What happens, and the changes that the items of the poll after it have. */
type Change = readonly [Act, ...unknown[]];
const changes =
  (...told: Change[]): Story['after'] =>
  async (at: Desk) => {
    for (const [act, ...expected] of told) {
      const items = ((await act(at)) as object[] | undefined) ?? (await at.trigger.poll());
      expect(items.map((item) => (item as { changes?: unknown }).changes)).toEqual(expected);
    }
  };
const closed = { State: { from: 'open', to: 'closed' } };
const opened = { State: { from: 'closed', to: 'open' } };
const close = set('1', { State: 'closed' });
const stories = (rows: readonly Story[]) => testStories(desk, rows, { application: DESK });

describe('an update', () => {
  stories([
    {
      name: 'reports the previous and the new value of each watched part that changed',
      ...watching(PREVIOUS, 'State', 'Price'),
      after: changes(
        [set('1', { State: 'closed', Title: 'Uno' }), closed],
        [
          set('1', { State: null, Price: '12.5' }),
          { State: { from: 'closed', to: null }, Price: { from: null, to: 12.5 } },
        ],
        [set('1', { Title: 'Not watched' })],
      ),
    },
    {
      name: 'reports them for a record that was created since',
      ...watching(PREVIOUS, 'State'),
      after: changes(
        [add({ Title: 'Three', State: 'open' }), undefined],
        [set('3', { State: 'closed' }), closed],
      ),
    },
    {
      name: 'knows the values after a restart',
      ...{ ...watching(PREVIOUS, 'State'), after: changes([all(close), closed], [restart()]) },
    },
    {
      name: 'knows the values of a change that n8n saw first when it started again',
      ...watching(PREVIOUS, 'State'),
      after: changes([async (at) => (await close(at), await restart()(at)), closed]),
    },
    {
      name: 'reports them beside the service’s own record, too',
      parameters: { watchParts: ['State'], simplify: false, options: PREVIOUS },
      after: async (at) => {
        await close(at);
        const [item] = await at.trigger.poll();
        const keys = ['changes', 'event', 'id', 'previousRevision', 'record', 'revision'];
        expect(Object.keys(item!).sort()).toEqual(keys);
        expect(item).toMatchObject({ changes: closed, record: { State: { val: 'closed' } } });
      },
    },
    {
      name: 'reports none unless it is switched on',
      ...{ ...watching({}, 'State'), after: changes([close, undefined]) },
    },
  ]);
});

describe('values that are more than a text', () => {
  const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', text });
  const [name, id] = [expect.any(String) as unknown, expect.any(String) as unknown];
  const kept = { id, mimeType: 'text/plain', url: expect.any(String) as unknown };
  const bolt = { Item: 'Bolt', Quantity: 2 };
  stories([
    {
      name: 'are readable: choices, people, files, rows',
      before: set('1', {
        ...{ Tags: ['red'], Owners: ['1001'], Files: [file('a.txt', 'one')] },
        Lines: [{ Item: 'Bolt', Quantity: '2' }],
      }),
      ...watching(PREVIOUS, 'Tags', 'Owners', 'Files', 'Lines'),
      after: changes([
        set('1', {
          ...{ Tags: ['red', 'blue'], Owners: ['1002'], Files: [file('b.txt', 'other')] },
          Lines: ['Bolt 3', 'Nut 1']
            .map((text) => text.split(' '))
            .map(([Item, Quantity]) => ({ Item, Quantity })),
        }),
        {
          Tags: { from: ['red'], to: ['red', 'blue'] },
          Owners: { from: [{ id: '1001', name }], to: [{ id: '1002', name }] },
          Files: { from: [{ ...kept, name: 'a.txt', size: 3 }], to: [{ ...kept, name: 'b.txt', size: 5 }] },
          Lines: {
            from: [{ id, ...bolt }],
            to: [{ id, ...bolt, Quantity: 3 }].concat({ id, Item: 'Nut', Quantity: 1 }),
          },
        },
      ]),
    },
    {
      name: 'are no change if a user is renamed',
      ...{ before: set('1', { Owners: ['1002'] }), ...watching(PREVIOUS, 'Owners') },
      steps: [
        [
          all(
            async ({ sandbox }) => void (await sandbox.setUser('1002', { name: 'Somebody Else' })),
            set('1', { Title: 'Uno' }),
          ),
        ],
      ],
    },
  ]);
});

describe('a part with an error', () => {
  const show = (Price?: string) => rights({ parts: Price === undefined ? {} : { Price } });
  stories([
    {
      name: 'is not among the changes, and its previous value is forgotten',
      ...{ before: all(show(), limited), ...watching(PREVIOUS, 'State', 'Price') },
      after: changes(
        [all(show('none'), set('1', { State: 'closed', Price: '5' })), closed],
        [all(show(), set('1', { State: 'open' })), { ...opened, Price: { to: 5 } }],
      ),
    },
    {
      name: 'is no change where it was never seen, and can be read now',
      ...{ before: all(show('none'), limited), ...watching(PREVIOUS, 'State', 'Price') },
      after: changes([all(show(), set('1', { State: 'closed', Price: '7' })), closed]),
    },
    {
      name: 'is learned once it can be read, so that its next change is reported',
      ...{ before: all(show('none'), limited), ...watching(PREVIOUS, 'State', 'Price') },
      after: changes([show()], [set('1', { Price: '7' }), { Price: { from: null, to: 7 } }]),
    },
  ]);
});

describe('a deletion', () => {
  stories(
    [PREVIOUS, { previousValues: 'updatedAndDeleted' }].map((options): Story => ({
      name: `reports the last known values if this is switched on: ${options.previousValues}`,
      ...{
        ...watching(options, 'State', 'Title'),
        steps: [[set('2', { Title: 'Due' }), 'updated 2 (1 to 2)']],
      },
      after: async (at) => {
        await remove('2')(at);
        const previous = options !== PREVIOUS && { previous: { Title: 'Due', State: 'closed' } };
        expect(await at.trigger.poll()).toEqual([
          { event: 'deleted', id: '2', ...previous, previousRevision: 2 },
        ]);
      },
    })),
  );
});

describe('switching it on', () => {
  stories([
    {
      name: 'keeps the state, and reports "from" from the next poll on',
      ...watching({}, 'State'),
      after: changes(
        [
          async (at) => {
            await all(add({ Title: 'While off', State: 'open' }), close)(at);
            return await restart({ options: PREVIOUS })(at);
          },
          ...[{ State: { to: 'closed' } }, undefined],
        ],
        [all(set('1', { State: 'open' }), set('2', { State: 'open' })), opened, opened],
      ),
    },
    ...['updated', 'updatedAndDeleted'].map((previousValues): Story => ({
      name: `is refused if no values are kept: ${previousValues}`,
      parameters: { options: { previousValues } },
      first: /Previous Values needs Only When These Parts Change/,
      after: async ({ trigger }) =>
        await expect(trigger.manual()).rejects.toThrow('Previous Values needs Only When These Parts Change'),
    })),
  ]);
});
