/** Arguments with which Node.js runs a script of the benchmarks with the built nodes, in a separate process. */
export const BUILT_NODES = ['--import', './scripts/typescript.mjs', '--import', './scripts/built-nodes.mjs'];
