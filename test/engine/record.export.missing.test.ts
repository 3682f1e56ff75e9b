import { testTable } from './support/table';
import { useWorkplace } from './support/workplace';

/** A generated number may be missing in a list (docs/dev/service-facts.md). */
jest.mock('../../nodes/ApplicationDataService/service/http/client', () => {
  const actual: { callForList: (...call: unknown[]) => Promise<object[]> } = jest.requireActual(
    '../../nodes/ApplicationDataService/service/http/client',
  );
  return {
    ...actual,
    callForList: async (...call: unknown[]) =>
      (await actual.callForList(...call)).map((record) =>
        Object.fromEntries(Object.entries(record).filter(([key]) => key !== 'Number')),
      ),
  };
});

const place = useWorkplace(null);

const application = {
  parts: [
    { name: 'Name', type: 'textbox' },
    { name: 'Number', type: 'textbox' },
  ],
  records: [{ Name: 'a', Number: '7' }],
};

const hint = /^The service returned these parts in no record: "Number" \(ID \d+\)$/;

testTable(place, { operation: 'export', format: 'csv', binaryPropertyName: 'data', options: {} }, [
  { name: 'a part that no record has', application, hints: [hint], output: [{ count: 1 }] },
  { name: 'the same as NDJSON', application, run: { format: 'ndjson' }, hints: [hint] },
  {
    name: 'one that is not asked for',
    application,
    run: { options: { partsToReturn: ['Name'] } },
    hints: [],
  },
  {
    name: 'a file without records',
    application: { ...application, records: [] },
    hints: [],
    output: [{ count: 0 }],
  },
]);
