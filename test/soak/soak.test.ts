import { describeSoak } from './support/describeSoak';

// A short one, with faults of all kinds; test/long has a longer one.
describeSoak(0.15, 'test');
