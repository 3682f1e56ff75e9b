import { describeSoak } from './support/describeSoak';

// A short soak with faults of all kinds; test/long has a longer one.
describeSoak(0.15, 'test');
