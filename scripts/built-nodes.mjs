// Loads the nodes and the credential from dist/, as n8n does, when a script imports their sources: node --import
// ./scripts/typescript.mjs --import ./scripts/built-nodes.mjs test/soak/main.ts. BUILT_NODES names another dist.
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = new URL('..', import.meta.url).href;
const DIST = pathToFileURL(process.env.BUILT_NODES ?? join(import.meta.dirname, '..', 'dist')).href;

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const [, path] = resolved.url.split(ROOT);
    if (path === undefined || !/^(nodes|credentials)\/.*\.ts$/.test(path)) return resolved;
    return { ...resolved, url: `${DIST}/${path.replace(/\.ts$/, '.js')}`, shortCircuit: true };
  },
});
