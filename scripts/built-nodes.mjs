// Loads the nodes and the credential from dist/, as n8n does, when a script imports their sources: node --import
// ./scripts/typescript.mjs --import ./scripts/built-nodes.mjs soak/main.ts
import { registerHooks } from 'node:module';

const ROOT = new URL('..', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const [, path] = resolved.url.split(ROOT);
    if (path === undefined || !/^(nodes|credentials)\/.*\.ts$/.test(path)) return resolved;
    return { ...resolved, url: `${ROOT}dist/${path.replace(/\.ts$/, '.js')}`, shortCircuit: true };
  },
});
