const Sequencer = require('@jest/test-sequencer').default;

/**
 * Runs test files in the order of their paths. Jest runs those first that it remembers as the slowest, so a fresh
 * checkout would run them in another order than the next run. Tests that share one n8n and one sandbox must not fail
 * for that reason in CI only. `TEST_ORDER=reverse` reverses the order, to check that no file depends on another.
 */
module.exports = class InOrder extends Sequencer {
  sort(tests) {
    const sorted = [...tests].sort((a, b) => (a.path < b.path ? -1 : 1));
    return process.env.TEST_ORDER === 'reverse' ? sorted.reverse() : sorted;
  }
};
