import { describeHistories } from '../../support/triggerProperties';
import type * as Uncompressed from '../../support/uncompressed';

jest.mock('../../../nodes/ApplicationDataService/trigger/state/compression', () =>
  jest.requireActual<typeof Uncompressed>('../../support/uncompressed'),
);

// Some of each kind; test/long generates more of them.
describeHistories({ histories: 60, seed: 1 });
