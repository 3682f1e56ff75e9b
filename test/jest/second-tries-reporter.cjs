const { relative } = require('node:path');

/** A jest reporter that lists, at the end of a run, the tests that passed only at their second try. */
module.exports = class SecondTriesReporter {
  onRunComplete(_contexts, { testResults }) {
    for (const { testFilePath, testResults: tests } of testResults) {
      for (const { fullName, invocations, status } of tests) {
        if (invocations > 1 && status === 'passed')
          console.log(`Needed a second try: ${fullName} (${relative(process.cwd(), testFilePath)})`);
      }
    }
  }
};
