import type { INodeParameters } from 'n8n-workflow';

import { fromModel, runAgent, WAYS, type Arguments } from './support/agent';
import { useWorkplace } from './support/workplace';

const files = ['a', 'b', 'c'].map((name) => ({ name, text: name }));

const place = useWorkplace({
  parts: [
    { name: 'Name', type: 'textbox' },
    { name: 'Docs', type: 'files' },
    { name: 'Lines', type: 'input_list', children: [{ name: 'Item', type: 'textbox' }] },
  ],
  records: Array.from({ length: 3 }, (_, index) => ({
    Name: `n${index}`,
    ...(index === 0 && { Docs: files, Lines: [{ Item: 'x' }, { Item: 'y' }] }),
  })),
});

const ids = fromModel('ids', 'IDs to delete, separated by commas');

/** The deletes, each with the ids that the model fills in. */
const DELETES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  records: { recordId: ids },
  rows: { resource: 'tableRow', recordId: '1', tablePart: 'Lines', rowId: ids },
  files: { resource: 'attachment', recordId: '1', attachmentPart: 'Docs', attachmentIds: ids },
};

const parametersOf = (what: string, more: Readonly<Record<string, unknown>> = {}) =>
  ({ ...place.parameters('delete', DELETES[what] ?? {}), ...more }) as INodeParameters;

async function everythingIsThere(): Promise<void> {
  const stored = await place.stored();
  expect(stored).toHaveLength(3);
  expect(stored[0]?.values.Docs).toHaveLength(3);
  expect(stored[0]?.values.Lines).toHaveLength(2);
}

const NO_IDS: readonly (readonly [string, Arguments])[] = [
  ['nothing', {}],
  ['null', { ids: null }],
  ['an empty text', { ids: '' }],
  ['spaces', { ids: '  ' }],
  ['the word null', { ids: 'null' }],
  ['an empty list', { ids: [] }],
  ['an empty list as text', { ids: '[]' }],
  ['only commas', { ids: ',,' }],
];

describe.each(Object.keys(DELETES))('an agent that should delete %s', (what) => {
  test.each(NO_IDS)('deletes nothing for %s', async (_, says) => {
    const { answers } = await runAgent(place.sandbox, 'engine', parametersOf(what), [says]);
    expect(answers).toEqual([
      [
        {
          error: expect.stringMatching(
            /^The (record ID is|row ID is|list of attachment IDs is) empty\. /,
          ) as string,
        },
      ],
    ]);
    await everythingIsThere();
  });

  test.each(['all', '*', '1-2'])('deletes nothing for %s', async (says) => {
    await runAgent(place.sandbox, 'engine', parametersOf(what), [{ ids: says }]);
    await everythingIsThere();
  });

  test.each(WAYS)('deletes the named ones, called by "%s"', async (way) => {
    const [first] = await place.stored();
    const docs = first?.values.Docs as { id: string }[];
    const named = what === 'files' ? docs.slice(0, 2).map(({ id }) => id) : ['1', '2'];
    const { answers } = await runAgent(place.sandbox, way, parametersOf(what), [{ ids: named.join(', ') }]);
    expect(answers).toEqual([[expect.objectContaining({ ids: named, notFound: [], outcome: 'deleted' })]]);
  });
});

describe('a dry run that the agent chooses', () => {
  const dryRun = { options: { dryRun: fromModel('dry', 'Whether to only show', 'boolean') } };

  test.each([[undefined], [null], [''], ['maybe']])(
    'is not run for real if the model says %p',
    async (dry) => {
      const says = { ids: '1', ...(dry !== undefined && { dry }) };
      const { answers } = await runAgent(place.sandbox, 'engine', parametersOf('records', dryRun), [says]);
      expect(answers).toEqual([
        [
          {
            error: expect.stringMatching(
              /^"Dry Run" (is empty|must be true or false, not "maybe")\./,
            ) as string,
          },
        ],
      ]);
      await everythingIsThere();
    },
  );

  test.each(WAYS)('the remedy is in the error, also with Continue On Fail, called by "%s"', async (way) => {
    for (const node of [{}, { onError: 'continueRegularOutput' as const }]) {
      const saved = parametersOf('records', {
        options: { dryRun: fromModel('dry', 'Whether to only show') },
      });
      const { answers } = await runAgent(place.sandbox, way, saved, [{ ids: '1', dry: '' }], { node });
      expect(answers).toEqual([
        [{ error: expect.stringMatching(/^"Dry Run" is empty\. Enter true or false/) as string }],
      ]);
    }
    await everythingIsThere();
  });

  test('is also read from a text of the model, and is off if the model says so', async () => {
    const calls = [
      { ids: '1,99', dry: 'true' },
      { ids: '1', dry: 'false' },
    ];
    const { answers } = await runAgent(place.sandbox, 'engine', parametersOf('records', dryRun), calls);
    expect(answers).toEqual([
      [
        { dryRun: true, deleted: false, ids: ['1'], notFound: ['99'], outcome: 'deleted' },
        { message: 'Dry run: nothing was written' },
        { message: 'Records not found, so there was nothing to delete: 1' },
      ],
      [{ deleted: true, ids: ['1'], notFound: [], outcome: 'deleted' }],
    ]);
    expect(await place.stored()).toHaveLength(2);
  });
});
