import { describeHistories } from '../../support/triggerProperties';

// Some of each kind; test/long makes up more of them.
describeHistories({ histories: 60, seed: 1 });
