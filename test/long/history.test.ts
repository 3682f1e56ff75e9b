import { describeHistories } from '../support/triggerProperties';
import { SEED } from './seed';

describeHistories({ histories: 800, seed: SEED });
