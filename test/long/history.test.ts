import { describeHistories } from '../support/triggerProperties';
import type * as Uncompressed from '../support/uncompressed';
import { SEED } from './seed';

jest.mock('../../nodes/ApplicationDataService/trigger/state/compression', () =>
  jest.requireActual<typeof Uncompressed>('../support/uncompressed'),
);

describeHistories({ histories: 400, seed: SEED });
