import { describeHistories } from '../../support/triggerProperties';

jest.mock('../../../nodes/ApplicationDataService/util/compression', () =>
  jest.requireActual<object>('../../support/uncompressed'),
);

// Some of each kind; test/long generates more of them.
describeHistories({ histories: 60, seed: 1 });
