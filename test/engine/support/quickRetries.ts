import { RETRIES } from '../../../nodes/ApplicationDataService/service/http/client';

/**
 * Shortens the waits between the tries of a call, for all tests of a file: test/unit/service/http covers them.
 * @param firstWaitMs each further wait doubles, as usual.
 */
export function useQuickRetries(firstWaitMs = 1): void {
  (RETRIES as { firstWaitMs: number }).firstWaitMs = firstWaitMs;
}

/** Shortens the time in which a call must be answered, for all tests of a file. */
export function useTimeout(milliseconds: number): void {
  (RETRIES as { timeoutMs: number }).timeoutMs = milliseconds;
}
