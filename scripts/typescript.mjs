// Lets Node.js run the benchmarks together with the test harness and the nodes, which are CommonJS TypeScript and
// import without extensions: node --import ./scripts/typescript.mjs bench/main.ts
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

import { transformSync } from '@swc/core';

const OPTIONS = {
  jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
};

registerHooks({
  resolve(specifier, context, next) {
    const relative =
      specifier.startsWith('.') && context.parentURL !== undefined && !/\.[cm]?[jt]s(on)?$/.test(specifier);
    if (relative) {
      const url = new URL(`${specifier}.ts`, context.parentURL);
      if (existsSync(url)) return { url: url.href, shortCircuit: true };
    }
    return next(specifier, context);
  },
  load(url, context, next) {
    if (!url.startsWith('file:') || !url.endsWith('.ts') || url.includes('/node_modules/'))
      return next(url, context);
    const filename = fileURLToPath(url);
    const { code } = transformSync(readFileSync(filename, 'utf8'), { ...OPTIONS, filename });
    return { format: 'commonjs', source: code, shortCircuit: true };
  },
});
