// n8n and a browser on a busy machine: a story that fails is tried once more. One that passes then is named at the end of
// the run (scripts/second-tries-reporter.cjs), one that fails again has failed.
jest.retryTimes(1, { logErrorsBeforeRetry: true, retryImmediately: true });
