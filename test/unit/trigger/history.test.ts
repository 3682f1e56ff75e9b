import { describeHistories } from '../../support/triggerProperties';

jest.mock('../../../nodes/ApplicationDataService/trigger/state/packing', () => ({
  ...jest.requireActual<object>('../../../nodes/ApplicationDataService/trigger/state/packing'),
  ...jest.requireActual<object>('../../support/uncompressed'),
}));

// Some of each kind; test/long generates more of them.
describeHistories({ histories: 60, seed: 1 });
