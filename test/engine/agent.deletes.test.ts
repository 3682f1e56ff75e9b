import { each, fromModel, runAgent, testAgent, WAYS, type AgentRows, type Arguments } from './support/agent';
import { like, some } from './support/like';
import { LINES } from './support/rows';
import { CONTINUE } from './support/table';
import { useWorkplace, type RunSettings } from './support/workplace';

const place = useWorkplace(null);

const application = {
  parts: [{ name: 'Name', type: 'textbox' }, { name: 'Docs', type: 'files' }, LINES],
  records: [
    { Docs: ['a', 'b', 'c'].map((name) => ({ name, text: name })), Lines: [{ Item: 'x' }, { Item: 'y' }] },
    ...[{}, {}],
  ],
};
const ids = fromModel('ids', 'IDs to delete, separated by commas');
/** The deletes, each with the ids that the model fills in. */
const DELETES: Readonly<Record<string, RunSettings>> = {
  records: { recordId: ids },
  rows: { resource: 'tableRow', recordId: '1', tablePart: 'Lines', rowId: ids },
  files: { resource: 'attachment', recordId: '1', attachmentPart: 'Docs', attachmentIds: ids },
};
const error = (pattern: RegExp) => [[{ error: like(pattern) }]];
const EVERYTHING = [{ Docs: [{}, {}, {}], Lines: [{}, {}] }, ...[{}, {}]];
const EMPTY = /^The (record ID is|row ID is|list of attachment IDs is) empty\. /;
const cases = (run: RunSettings, rows: AgentRows): void =>
  testAgent(place, { operation: 'delete', ...run }, rows, { application, stored: EVERYTHING });

describe.each(Object.keys(DELETES))('an agent that should delete %s', (what) => {
  // What else names none: test/unit/operations/input/several.test.ts.
  const none: Arguments[] = [{}, { ids: 'null' }];
  cases(DELETES[what]!, {
    ...each(none)('deletes nothing for %s', (says) => ({ says: [says], answers: error(EMPTY) })),
    'deletes nothing for words': { says: ['all', '*', '1-2'].map((text) => ({ ids: text })) },
  });

  test.each(WAYS)('deletes the named ones, called by "%s"', async (way) => {
    await place.open(application);
    const docs = (await place.storedAt())?.values.Docs as { id: string }[];
    const named = what === 'files' ? docs.slice(0, 2).map(({ id }) => id) : ['1', '2'];
    const saved = place.parameters('delete', DELETES[what]!);
    const { answers } = await runAgent(place.sandbox, way, saved, [{ ids: named.join(', ') }]);
    expect(answers).toEqual([[some({ ids: named, notFound: [], outcome: 'deleted' })]]);
  });
});

describe('a dry run that the agent chooses', () => {
  const dryRun = { options: { dryRun: fromModel('dry', 'Whether to only show', 'boolean') } };
  cases(
    { ...DELETES.records, ...dryRun },
    {
      ...each([{}, { dry: 'maybe' }])('is not run for real if the model says %s', (says) => ({
        says: [{ ids: '1', ...says }],
        answers: error(/^"Dry Run" (is empty|must be true or false, not "maybe")\./),
      })),
      ...each([{}, CONTINUE])('the remedy is in the error: %s', (node) => ({
        ...{ ways: WAYS, node, says: [{ ids: '1', dry: '' }] },
        run: { options: { dryRun: fromModel('dry', 'Whether to only show') } },
        answers: error(/^"Dry Run" is empty\. Enter true or false/),
      })),
      'is also read from a text of the model, and is off if the model says so': {
        says: [
          { ids: '1,99', dry: 'true' },
          { ids: '1', dry: 'false' },
        ],
        answers: [
          [
            { dryRun: true, deleted: false, ids: ['1'], notFound: ['99'], outcome: 'deleted' },
            { message: 'Dry run: nothing was written' },
            { message: 'Records not found, so there was nothing to delete: 1' },
          ],
          [{ deleted: true, ids: ['1'], notFound: [], outcome: 'deleted' }],
        ],
        stored: [{}, {}],
      },
    },
  );
});
