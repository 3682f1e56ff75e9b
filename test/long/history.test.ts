import { describeHistories } from '../support/triggerProperties';
import { SEED } from './seed';

jest.mock('../../nodes/ApplicationDataService/trigger/state/compression', () =>
  jest.requireActual<object>('../support/uncompressed'),
);

describeHistories({ histories: 400, seed: SEED });
