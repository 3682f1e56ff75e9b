import { problem, unknown } from './finding';

const AGAIN = 'Run the check again.';
/** Findings if no test record can be added, or if one must not be touched. */
export const NO_PART = unknown(
  'Not asked: no part of the application can hold a mark',
  'Choose an application with a text part that can be written.',
);
export const TOO_MANY = unknown('Not asked: it would take more test records', AGAIN);
export const FOREIGN = unknown(
  'Not asked: the test record does not hold what was written, so it is not touched',
  AGAIN,
);
export const REUSED = unknown(
  'Not asked: the ID of a deleted test record is in use again, so it is not named',
  AGAIN,
);
export const UNTRACED = problem(
  'The record that was added could not be found again',
  'Create ends as "outcome unknown" where the answer is lost. Please report this.',
);
