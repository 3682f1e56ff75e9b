import type { INodeParameters } from 'n8n-workflow';

import { fromModel, runAgent, WAYS, type Arguments } from './support/agent';
import { LINES } from './support/rows';
import { CONTINUE } from './support/table';
import { useWorkplace } from './support/workplace';

const FULL = {
  Docs: ['a', 'b', 'c'].map((name) => ({ name, text: name })),
  Lines: [{ Item: 'x' }, { Item: 'y' }],
};
const place = useWorkplace({
  parts: [{ name: 'Name', type: 'textbox' }, { name: 'Docs', type: 'files' }, LINES],
  records: [FULL, {}, {}],
});

const ids = fromModel('ids', 'IDs to delete, separated by commas');
/** The deletes, each with the ids that the model fills in. */
const DELETES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  records: { recordId: ids },
  rows: { resource: 'tableRow', recordId: '1', tablePart: 'Lines', rowId: ids },
  files: { resource: 'attachment', recordId: '1', attachmentPart: 'Docs', attachmentIds: ids },
};
const parametersOf = (what: string, more: object = {}) => ({
  ...place.parameters('delete', DELETES[what] ?? {}),
  ...more,
});
const error = (pattern: RegExp) => [[{ error: expect.stringMatching(pattern) as unknown }]];
/** What the model reads for each call. */
const answersTo = async (parameters: INodeParameters, ...calls: Arguments[]) =>
  (await runAgent(place.sandbox, 'engine', parameters, calls)).answers;

async function everythingIsThere(): Promise<void> {
  expect((await place.stored()).map(({ values }) => values)).toMatchObject([
    { Docs: [{}, {}, {}], Lines: [{}, {}] },
    ...[{}, {}],
  ]);
}

describe.each(Object.keys(DELETES))('an agent that should delete %s', (what) => {
  test.each<[unknown]>([[undefined], [null], [''], ['  '], ['null'], [[]], ['[]'], [',,']])(
    'deletes nothing for %j',
    async (says) => {
      const call = says === undefined ? {} : { ids: says };
      const empty = /^The (record ID is|row ID is|list of attachment IDs is) empty\. /;
      expect(await answersTo(parametersOf(what), call)).toEqual(error(empty));
      await everythingIsThere();
    },
  );

  test('deletes nothing for words', async () => {
    await answersTo(parametersOf(what), { ids: 'all' }, { ids: '*' }, { ids: '1-2' });
    await everythingIsThere();
  });

  test.each(WAYS)('deletes the named ones, called by "%s"', async (way) => {
    const docs = (await place.storedAt())?.values.Docs as { id: string }[];
    const named = what === 'files' ? docs.slice(0, 2).map(({ id }) => id) : ['1', '2'];
    const { answers } = await runAgent(place.sandbox, way, parametersOf(what), [{ ids: named.join(', ') }]);
    expect(answers).toEqual([[expect.objectContaining({ ids: named, notFound: [], outcome: 'deleted' })]]);
  });
});

describe('a dry run that the agent chooses', () => {
  const dryRun = { options: { dryRun: fromModel('dry', 'Whether to only show', 'boolean') } };

  test.each([{}, { dry: 'maybe' }])('is not run for real if the model says %j', async (says) => {
    const refused = /^"Dry Run" (is empty|must be true or false, not "maybe")\./;
    expect(await answersTo(parametersOf('records', dryRun), { ids: '1', ...says })).toEqual(error(refused));
    await everythingIsThere();
  });

  test.each(WAYS)('the remedy is in the error, also with Continue On Fail, called by "%s"', async (way) => {
    for (const node of [{}, CONTINUE]) {
      const saved = parametersOf('records', {
        options: { dryRun: fromModel('dry', 'Whether to only show') },
      });
      const { answers } = await runAgent(place.sandbox, way, saved, [{ ids: '1', dry: '' }], { node });
      expect(answers).toEqual(error(/^"Dry Run" is empty\. Enter true or false/));
    }
    await everythingIsThere();
  });

  test('is also read from a text of the model, and is off if the model says so', async () => {
    const calls = [
      { ids: '1,99', dry: 'true' },
      { ids: '1', dry: 'false' },
    ];
    expect(await answersTo(parametersOf('records', dryRun), ...calls)).toEqual([
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
