import { describeSoak } from '../soak/support/describeSoak';
import { SEED } from './seed';

describeSoak(1, String(SEED));
