/** What lets Node.js run a script of the benchmarks with the nodes as they are built, in a process of its own. */
export const BUILT_NODES = ['--import', './scripts/typescript.mjs', '--import', './scripts/built-nodes.mjs'];
