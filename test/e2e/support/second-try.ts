// On a busy machine, n8n and the browser can be slow, so a story that fails is tried once more. If it passes then, the
// end of the run names it (test/jest/second-tries-reporter.cjs). If it fails again, it has failed.
jest.retryTimes(1, { logErrorsBeforeRetry: true, retryImmediately: true });
