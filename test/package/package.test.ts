import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { pack, repository, run, type Packed } from './support/packed';

/** Bytes. The package should grow beyond this only on purpose. */
const LARGEST = 250_000;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly keywords: readonly string[];
  readonly author: { readonly name: string; readonly email: string };
  readonly repository: { readonly type: string; readonly url: string };
  readonly dependencies?: object;
  readonly optionalDependencies?: object;
  readonly bundledDependencies?: object;
  readonly peerDependencies: object;
  readonly n8n: {
    readonly n8nNodesApiVersion: number;
    readonly strict: boolean;
    readonly nodes: readonly string[];
    readonly credentials: readonly string[];
  };
}

interface Verdict {
  readonly passed: boolean;
  readonly message?: string;
  readonly details?: string;
}

/** A module of the package, and the file that is built from it. */
const SOURCE = 'nodes/ApplicationDataService/parts/model/lookup.ts';
const BUILT = 'dist/nodes/ApplicationDataService/parts/model/lookup.js';

/** A violation of the scanner's rules in any language that it reads. */
const VIOLATION = "\nconsole.log(require('fs').readFileSync('/etc/passwd'));\n";

let packed: Packed;
let manifest: Manifest;

beforeAll(() => {
  packed = pack();
  manifest = JSON.parse(readFileSync(join(packed.folder, 'package.json'), 'utf8')) as Manifest;
}, 120_000);

afterAll(() => packed.remove());

test('contains what n8n loads, the licence, the README and the changes, and nothing else', () => {
  const sources = globSync('{nodes,credentials}/**/*.{ts,node.json}', { cwd: repository });
  const built = sources.map((file) => join('dist', file.replace(/\.ts$/, '.js')));
  const icons = globSync('icons/*.svg', { cwd: repository }).map((file) => join('dist', file));
  const held = globSync('**/*', { cwd: packed.folder }).filter((file) =>
    statSync(join(packed.folder, file)).isFile(),
  );
  expect(built.length).toBeGreaterThan(100);
  expect(held.sort()).toEqual(
    [...built, ...icons, 'CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'].sort(),
  );
});

test('is small', () => {
  expect(statSync(packed.tarball).size).toBeLessThan(LARGEST);
});

test('needs only n8n', () => {
  const { dependencies, optionalDependencies, bundledDependencies, peerDependencies } = manifest;
  expect({ dependencies, optionalDependencies, bundledDependencies }).toEqual({});
  expect(manifest).not.toHaveProperty('workspaces');
  expect(peerDependencies).toEqual({ 'n8n-workflow': '*' });
  const modules = globSync('dist/**/*.js', { cwd: packed.folder }).flatMap((file) => {
    const text = readFileSync(join(packed.folder, file), 'utf8');
    return [...text.matchAll(/\b(?:require|import)\(\s*['"]([^'"]+)['"]\s*\)/g)].map((match) => match[1]!);
  });
  expect(new Set(modules.filter((module) => !module.startsWith('.')))).toEqual(new Set(['n8n-workflow']));
});

// n8n's newer scanner also looks for what malware contains, in names too: a function called downloadFile is taken for PowerShell's.
test('contains nothing that looks like code from a network that is run', () => {
  const suspicious =
    /downloadfile\s*\(|invoke-webrequest|\beval\s*\(|\bnew\s+function\s*\(|child_process|curl\s.*\|\s*(ba)?sh/i;
  const suspects = globSync('dist/**/*.js', { cwd: packed.folder }).filter((file) =>
    suspicious.test(readFileSync(join(packed.folder, file), 'utf8')),
  );
  expect(suspects).toEqual([]);
});

// n8n replaces a package in place while its nodes work: what is loaded later is gone, or of another version.
test('loads all of its modules with its nodes', () => {
  const script = `
    const { nodes, credentials } = require('./package.json').n8n;
    for (const file of [...nodes, ...credentials]) for (const Type of Object.values(require('./' + file))) new Type();
    const loaded = Object.keys(require.cache).filter((path) => path.startsWith(process.cwd() + '/dist/'));
    const rest = ${JSON.stringify(globSync('dist/**/*.js', { cwd: packed.folder }))}
      .filter((file) => !loaded.includes(process.cwd() + '/' + file));
    const withCode = rest.filter((file) => Object.keys(require('./' + file)).length > 0);
    console.log(JSON.stringify({ loaded: loaded.length, withCode }));`;
  const printed = execFileSync(process.execPath, ['-e', script], {
    cwd: packed.folder,
    encoding: 'utf8',
    env: { ...process.env, NODE_PATH: join(repository, 'node_modules') },
  });
  const { loaded, withCode } = JSON.parse(printed) as { loaded: number; withCode: string[] };
  expect(loaded).toBeGreaterThan(100);
  // The others hold only types.
  expect(withCode).toEqual([]);
});

test('works on while n8n replaces it', () => {
  const replaced = mkdtempSync(join(tmpdir(), 'application-data-service-replaced-'));
  cpSync(packed.folder, replaced, { recursive: true });
  const hooks = ['typescript', 'built-nodes'].flatMap((name) => ['--import', `./scripts/${name}.mjs`]);
  const printed = execFileSync(process.execPath, [...hooks, join(__dirname, 'support', 'replaced.ts')], {
    cwd: repository,
    encoding: 'utf8',
    env: { ...process.env, NODE_PATH: join(repository, 'node_modules'), BUILT_NODES: join(replaced, 'dist') },
  });
  rmSync(replaced, { recursive: true });
  expect(JSON.parse(printed)).toEqual({
    updated: [{ id: '1', outcome: 'updated', Title: 'Replaced' }],
    polled: [
      { id: '1', event: 'created' },
      { id: '2', event: 'created' },
    ],
    notified: [{ id: '2', event: 'updated' }],
  });
}, 120_000);

test('has the fields that n8n requires of a verified package', () => {
  expect(manifest.name).toMatch(/^n8n-nodes-/);
  expect(manifest.keywords).toContain('n8n-community-node-package');
  expect(manifest.license).toBe('MIT');
  expect(readFileSync(join(packed.folder, 'LICENSE'), 'utf8')).toMatch(/^MIT License/);
  expect(manifest.author.name).not.toBe('');
  expect(manifest.author.email).toContain('@');
  expect(manifest.repository.url).toMatch(/^git\+https:\/\/github\.com\/[^/]+\/[^/]+\.git$/);
  expect(manifest.n8n).toMatchObject({ n8nNodesApiVersion: 1, strict: true });
});

test("is loaded by n8n's own loader, including icons", () => {
  const loader = join(__dirname, 'support', 'load.cjs');
  const printed = execFileSync(process.execPath, [loader, packed.folder], {
    encoding: 'utf8',
    // As in n8n, where a community package finds n8n's own n8n-workflow.
    env: { ...process.env, NODE_PATH: join(repository, 'node_modules') },
  });
  const iconOf = (name: string) => ({
    light: `icons/${manifest.name}/dist/icons/${name}.svg`,
    dark: `icons/${manifest.name}/dist/icons/${name}.dark.svg`,
  });
  const icon = iconOf('applicationDataService');
  expect(JSON.parse(printed)).toEqual({
    nodes: {
      applicationDataService: {
        methods: ['credentialTest', 'listSearch', 'loadOptions', 'resourceMapping'],
        icon,
      },
      applicationDataServiceTrigger: { methods: ['credentialTest', 'listSearch', 'loadOptions'], icon },
      applicationDataServiceWebhookTrigger: {
        methods: ['credentialTest', 'listSearch', 'loadOptions'],
        icon: iconOf('applicationDataServiceWebhook'),
      },
    },
    credentials: ['applicationDataServiceApi'],
  });
}, 60_000);

// n8n's scanner checks both: the sources named in the provenance of a published package, and the package's contents.
describe("n8n's scanner", () => {
  let verdicts: Verdict[];

  /** A folder with a module of the package and its neighbours, with a violation added. */
  function violating(folder: string, module: string): string {
    const copy = mkdtempSync(join(tmpdir(), 'application-data-service-violation-'));
    cpSync(join(folder, dirname(module)), join(copy, dirname(module)), { recursive: true });
    appendFileSync(join(copy, module), VIOLATION);
    return copy;
  }

  // One process for all, because loading the scanner takes longer than scanning a folder.
  beforeAll(() => {
    const source = violating(repository, SOURCE);
    const built = violating(packed.folder, BUILT);
    const scans = ['sources', repository, 'package', packed.folder, 'sources', source, 'package', built];
    const lines = run('test/package/support/scan-package.mjs', ...scans)
      .trim()
      .split('\n');
    verdicts = lines.map((line) => JSON.parse(line) as Verdict);
    for (const copy of [source, built]) rmSync(copy, { recursive: true });
  }, 120_000);

  test('passes the sources and the packed package', () => {
    // A message without a failure would mean that it found no files.
    expect(verdicts.slice(0, 2)).toEqual([{ passed: true }, { passed: true }]);
  });

  test.each([
    ['a source', 2, SOURCE],
    ['the packed package', 3, BUILT],
  ])('finds a violation in %s', (_, index, module) => {
    expect(verdicts[index]?.passed).toBe(false);
    expect(verdicts[index]?.details).toContain(module);
  });
});
