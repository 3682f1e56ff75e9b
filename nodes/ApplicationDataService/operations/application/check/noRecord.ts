import { unknown } from './finding';

/** The finding if the application has no record to look at. */
export const NO_RECORD = unknown(
  'There is no record',
  'Run the check again once the application holds some.',
);
