import { describeHistories } from '../support/triggerProperties';
import { SEED } from './seed';

describeHistories({ histories: 400, seed: SEED });
