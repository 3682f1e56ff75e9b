const Sequencer = require('@jest/test-sequencer').default;

/**
 * Test files in the order of their paths. Jest itself takes the slowest first as far as it remembers them, so that a
 * fresh checkout runs them in another order than the next run does; tests that share one n8n and one sandbox must
 * not find out about that only in CI. `TEST_ORDER=reverse` turns the order round, to see that no file needs another.
 */
module.exports = class InOrder extends Sequencer {
  sort(tests) {
    const sorted = [...tests].sort((a, b) => (a.path < b.path ? -1 : 1));
    return process.env.TEST_ORDER === 'reverse' ? sorted.reverse() : sorted;
  }
};
