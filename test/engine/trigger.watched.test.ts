import type { INodeParameters } from 'n8n-workflow';

import type { ApplicationDefinition } from '../support/sandbox';
import { TICKETS } from '../support/triggerTickets';
import { like } from './support/like';
import { each, testStories, useDesk } from './support/story';
import { add, answers, change, itself, linked, reset, set, source, type Step } from './support/storyActs';
import { fails, poll, polls, tells } from './support/storyPolls';
import { isList } from './support/triggerCalls';

/** Which parts can be watched, and what is no change of them: see also trigger.previous. */

const textboxes = (...names: string[]) => names.map((name) => ({ name, type: 'textbox' }));
/** Sixty parts, of which a list without `fields` shows only the first ones. */
const WIDE: Partial<ApplicationDefinition> = {
  parts: textboxes(...Array.from({ length: 60 }, (_, index) => `Part ${index}`)),
  records: [{ 'Part 59': 'a' }, { 'Part 59': 'b' }],
};
const IDENTIFIED: Partial<ApplicationDefinition> = {
  ...{ partIdentifierMode: true, systemIdentifiers: { id: 'no' } },
  parts: [...TICKETS.parts, { name: 'Nameless', type: 'textbox' }],
};
const NARROW = { application: WIDE, dialect: { listRevision: 'never' } };

const by = (part: string): INodeParameters => ({
  filters: { condition: [{ part, operator: 'startsWith', value: 'a', valueType: 'value' }] },
});
const watched = (...parts: string[]): INodeParameters => ({ watchParts: parts });
const identifiers = (partIdentifierMode: boolean) => change({ partIdentifierMode });
const file = { name: 'a.txt', mimeType: 'text/plain', text: 'hello' };
/** All files have another address. */
const moves: Step = async (at) => {
  const listed = JSON.stringify(await at.sandbox.call('list_data', { app_id: '@tickets' }));
  const moved = listed.replaceAll('http://', 'https://elsewhere.example/');
  expect(moved).not.toBe(listed);
  const body: unknown = JSON.parse(moved);
  await answers((call) => (isList(call) ? { statusCode: 200, body } : undefined))(at);
};

const desk = useDesk();

testStories(desk, {
  ...each([
    ['watched', (id: string) => watched(id)],
    ['returned', (id: string) => ({ options: { partsToReturn: [id] } })],
  ])('a part that shares its name with another one cannot be %s', ([, choosing]) => ({
    ...{ application: { parts: textboxes('Twin', 'Twin', 'Title'), records: [] }, first: null },
    steps: [
      async (at) => {
        const { fields } = await at.sandbox.call<{ fields: { item: { id: string; name: string }[] } }>(
          'get_app',
          { app_id: '@tickets' },
        );
        const twin = fields.item.find(({ name }) => name === 'Twin')!.id;
        await reset(choosing(twin))(at);
        await expect(at.trigger.activate()).rejects.toThrow(
          `Part "Twin" (ID ${twin}) cannot be read: another part has the same name, "Twin"`,
        );
      },
    ],
  })),
  ...each([
    [watched('Title', 'Nameless'), /^Part "Nameless" .*cannot be read: it has no part identifier/],
    [by('Nameless'), /Part "Nameless" .*has no part identifier/],
  ])('a part without an identifier is refused by name: %s', ([parameters, refused]) => ({
    application: IDENTIFIED,
    parameters,
    refused,
  })),
  'a part without an identifier is refused as soon as the identifiers become the keys': {
    ...{ application: { ...IDENTIFIED, partIdentifierMode: false }, parameters: watched('Nameless') },
    steps: [
      [set('1', { Nameless: 'a' }), poll('updated 1 (1 to 2)')],
      [identifiers(true), set('1', { Nameless: 'b' }), fails(/^Part "Nameless" .*cannot be read/)],
      [identifiers(false), polls(2, 'updated 1 (2 to 3)')],
    ],
  },
  ...each([watched('Part 59'), by('Part 59')])(
    'a part behind the first fifty of lists without fields is refused: %s',
    (parameters) => ({ ...NARROW, parameters, refused: /^Part "Part 59" .*cannot be watched/ }),
  ),
  'a part behind them is refused as soon as a record shows that it is hidden': {
    ...{ ...NARROW, application: { ...WIDE, records: [] }, parameters: watched('Part 59') },
    steps: [add({ 'Part 59': 'c' }), fails(/^Part "Part 59" .*cannot be watched/)],
  },
  ...each([
    ['Part 3', NARROW.dialect],
    // Lists show the revision.
    ['Part 59', {}],
    ['Part 59', { listRevision: 'never', fieldsOmitted: 'all' }],
  ])('a part that lists show is watched: %s, %s', ([part, dialect]) => ({
    ...{ application: WIDE, dialect, parameters: watched(part) },
    steps: [set('1', { 'Part 0': 'x' }), set('2', { [part]: 'c' }), polls(2, 'updated 2 (1 to 2)')],
  })),
  'another address of a file is no change': {
    ...{ application: { records: [{ Title: 'One', Files: [file] }] }, parameters: watched('Files') },
    steps: [
      [set('1', { Title: 'Uno' }), moves, polls(2), itself],
      [set('1', { Files: [{ ...file, name: 'b.txt' }] }), poll('updated 1 (2 to 3)')],
    ],
  },
  'the order of several people is no change': {
    application: { parts: [{ name: 'Owners', type: 'users' }], records: [{ Owners: ['1001', '1002'] }] },
    parameters: watched('Owners'),
    steps: [
      [set('1', { Owners: ['1002', '1001'] }), poll()],
      [set('1', { Owners: ['1002'] }), poll('updated 1 (2 to 3)')],
    ],
  },
  'a deleted part that is watched is named, and where to take it out': {
    parameters: watched('999'),
    refused: {
      message: 'There is no part "999", but it is watched',
      description: like('Take it out of Only When These Parts Change'),
    },
  },
});

const [away, back] = [source('maintenance'), source('running')];
const link = (id: string, Link: string) => set(id, { Link });
const entitle = (id: string, Title: string) => set(id, { Title });
const Title = { from: 'One', to: 'New' };

testStories(
  desk,
  {
    ...each([{}, { previousValues: 'updated' }])(
      'a watched part of an application under maintenance is no update by itself, and no update is lost: %s',
      (options) => ({
        ...{ parameters: { watchParts: ['Town'] }, options },
        steps: [
          [away, entitle('1', 'New'), link('2', 'n'), poll()],
          [back, poll('updated 2 (1 to 2)'), poll()],
          [away, entitle('1', 'Newer'), poll(), back, link('1', 'n'), poll('updated 1 (2 to 4)')],
          link('1', 'k'),
          tells('previousValues' in options ? { Town: { from: 'Nara', to: 'Kyoto' } } : undefined),
        ],
      }),
    ),
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
  { before: [linked(['One', 'Two'].map((Title) => ({ Title, Link: 'k' })))] },
);
