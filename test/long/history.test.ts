import { describeHistories } from '../support/triggerProperties';
import { SEED } from './seed';

jest.mock('../../nodes/ApplicationDataService/util/compression', () =>
  jest.requireActual<object>('../support/uncompressed'),
);

const waits: string[] = [];
afterAll(() => void process.stdout.write(`${waits.join('\n')}\n`));

describeHistories({
  histories: 500,
  seed: SEED,
  report: (property, longestWait) =>
    waits.push(`  ${property}: no change waited for more than ${longestWait} polls`),
});
