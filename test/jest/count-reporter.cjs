const { appendFileSync } = require('node:fs');

/**
 * A jest reporter that appends "<passed> <failed>" to the file named in TEST_COUNTS_FILE, so that continuous
 * integration can add up several runs. A test file that could not run at all counts as one failure.
 */
module.exports = class CountReporter {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
    const file = process.env.TEST_COUNTS_FILE;
    if (file) appendFileSync(file, `${numPassedTests} ${numFailedTests + numRuntimeErrorTestSuites}\n`);
  }
};
