import { unknown } from './finding';

/** What is found out where the application holds no record to look at. */
export const NO_RECORD = unknown(
  'There is no record',
  'Run the check again once the application holds some.',
);
