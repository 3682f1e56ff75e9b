import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parse } from 'yaml';

import { repository } from './support/packed';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'application-data-service-release-'));
  execFileSync('git', ['init', '-q'], { cwd: folder });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { name: PACKAGE, version: VERSION } = JSON.parse(
  readFileSync(join(repository, 'package.json'), 'utf8'),
) as Readonly<Record<string, string>>;
const TAG = `v${VERSION}`;

/** The fields that an owner has in package.json. */
const ownedBy = (owner: string, email: string): object => ({
  author: { name: 'Example Ltd', email },
  repository: { url: `git+https://github.com/${owner}/${PACKAGE}.git` },
});

const OWNED = ownedBy('example', 'nodes@example.com');

/** The problems with publishing version 1.2.0 with this changelog under this tag. */
function check(tag: string, changelog: string, owner: object = OWNED): string[] {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: '1.2.0', ...owner }));
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
  return problemsIn(folder, tag);
}

/** The problems with publishing the contents of a folder under this tag. */
function problemsIn(contents: string, tag: string): string[] {
  const script = join(repository, 'scripts', 'check-release.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, tag, contents], { encoding: 'utf8' });
  const problems = stderr.split('\n').filter((line) => line !== '');
  expect(status).toBe(problems.length > 0 ? 1 : 0);
  return problems;
}

const OLD = '## 1.1.0 (2026-01-02)\n\n- Old.\n';

test('a version that the tag and the changelog name is published', () => {
  expect(check('v1.2.0', `# Changelog\n\n## 1.2.0 (2026-03-04)\n\n### Added\n\n- New.\n\n${OLD}`)).toEqual(
    [],
  );
});

test.each([
  ['another tag', 'v1.2.1', '## 1.2.0 (2026-03-04)\n\n- New.\n', ['v1.2.1']],
  ['a tag without v', '1.2.0', '## 1.2.0 (2026-03-04)\n\n- New.\n', ['v1.2.0']],
  ['a changelog without the version', 'v1.2.0', OLD, ['no heading']],
  [
    'a longer version with the same beginning',
    'v1.2.0',
    '## 1.2.0-beta (2026-03-04)\n\n- New.\n',
    ['no heading'],
  ],
  ['no date', 'v1.2.0', '## 1.2.0 (soon)\n\n- New.\n', ['no date']],
  ['no entries', 'v1.2.0', `## 1.2.0 (2026-03-04)\n\n${OLD}`, ['no entries']],
  ['a heading left', 'v1.2.0', '## Unreleased\n\n## 1.2.0 (2026-03-04)\n\n- New.\n', ['Unreleased']],
])('%s is refused', (_case, tag, changelog, expected) => {
  const problems = check(tag, changelog);
  expect(problems).toHaveLength(expected.length);
  expected.forEach((words, index) => expect(problems[index]).toContain(words));
});

test.each([
  ['without an author and a repository', {}],
  ['that nobody owns yet', ownedBy('_owner_', 'maintainers@example.invalid')],
])('a package %s is refused', (_case, owner) => {
  expect(check('v1.2.0', '## 1.2.0 (2026-03-04)\n\n- New.\n', owner)).toEqual([
    expect.stringContaining('repository'),
    expect.stringContaining('author'),
  ]);
});

test('a README that says how to do without npm is refused', () => {
  const readme = join(folder, 'README.md');
  writeFileSync(
    readme,
    '<!-- until it is on npm -->\n\nBuild it.\n\n<!-- once it is on npm:\n\nInstall it.\n\n-->\n',
  );
  expect(check('v1.2.0', '## 1.2.0 (2026-03-04)\n\n- New.\n')).toEqual([
    expect.stringContaining('not on npm'),
  ]);
  rmSync(readme);
});

describe('the address of the project', () => {
  /** Files of this repository as they are, and the folder with a copy of them. */
  let paths: string[];
  let copy: string;

  beforeAll(() => {
    const place = ['grep', '--untracked', '-lI', '-e', '/n8n-nodes-application-data-service\\b', '--', '.'];
    const found = execFileSync('git', place, { cwd: repository, encoding: 'utf8' }).trim().split('\n');
    paths = [...new Set([...found, 'package.json', 'LICENSE', 'CHANGELOG.md', '.prettierrc.json'])];
    copy = mkdtempSync(join(tmpdir(), 'application-data-service-adopted-'));
    execFileSync('git', ['init', '-q'], { cwd: copy });
    for (const path of paths) cpSync(join(repository, path), join(copy, path), { recursive: true });
  });

  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  const textOf = (path: string): string => readFileSync(join(copy, path), 'utf8');

  function adopt(...words: readonly string[]): { status: number | null; output: string } {
    const script = join(repository, 'scripts', 'adopt.mjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...words], {
      cwd: copy,
      encoding: 'utf8',
    });
    return { status, output: stdout + stderr };
  }

  test('is that of package.json everywhere', () => {
    expect(problemsIn(repository, TAG).filter((problem) => problem.includes(' points to '))).toEqual([]);
  });

  test.each([
    ['no owner', []],
    ['an owner that GitHub refuses', ['_owner_', 'Acme Ltd', 'nodes@acme.example']],
    ['no e-mail', ['acme', 'Acme Ltd']],
  ])('is not changed for %s', (_case, words) => {
    expect(adopt(...words)).toMatchObject({ status: 1, output: expect.stringContaining('Usage') as string });
  });

  // The second one is as long as a name of an account may be, and moves the project once more.
  test.each(['acme', 'a'.repeat(39)])('becomes that of %s everywhere, in the form of npm test', (owner) => {
    const { status, output } = adopt(owner, 'Acme Ltd', 'nodes@acme.example');
    expect([status, output]).toEqual([0, expect.stringContaining('README.md')]);
    writeFileSync(join(copy, 'CHANGELOG.md'), `# Changelog\n\n## ${VERSION} (2026-03-04)\n\n- New.\n`);
    expect(problemsIn(copy, TAG)).toEqual([]);
    expect(textOf('README.md')).toContain(`git clone https://github.com/${owner}/`);
    expect(textOf('README.md')).toMatch(
      /^## Installation\s+In n8n, open .* enter `n8n-nodes-application-data-service`/m,
    );
    expect(textOf('README.md')).toMatch(/^\[!\[Version on npm\]/m);
    expect(textOf('README.md')).not.toMatch(/not on npm|<!--/);
    expect(textOf('LICENSE')).toMatch(/^Copyright \(c\) 2026 Acme Ltd$/m);
    expect(textOf('CONTRIBUTING.md')).toContain('https://github.com/YOUR-NAME/');
    const prettier = join(repository, 'node_modules/prettier/bin/prettier.cjs');
    const checked = paths.filter((path) => /\.(json|md|ts|ya?ml)$/.test(path));
    execFileSync(process.execPath, [prettier, '--check', ...checked], { cwd: copy });
  });

  test('is refused where one file still points elsewhere, whichever it is', () => {
    const addressed = paths.filter((path) => textOf(path).includes(`com/${'a'.repeat(39)}/`));
    expect(addressed.length).toBeGreaterThan(10);
    for (const path of addressed.filter((each) => each !== 'package.json')) {
      const text = textOf(path);
      writeFileSync(join(copy, path), text.replace(`com/${'a'.repeat(39)}/`, 'com/somebody/'));
      expect(problemsIn(copy, TAG)).toEqual([`${path} points to somebody instead of ${'a'.repeat(39)}.`]);
      writeFileSync(join(copy, path), text);
    }
  });
});

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps?: readonly { readonly uses?: string; readonly run?: string }[];
}

test('the job that may sign and stage runs no code of the repository or its dependencies', () => {
  const workflow = readFileSync(join(repository, '.github/workflows/publish.yml'), 'utf8');
  const { jobs } = parse(workflow) as { jobs: Readonly<Record<string, Job>> };
  const signing = Object.values(jobs).filter(({ permissions }) => permissions?.['id-token'] === 'write');
  expect(signing).toHaveLength(1);
  const [{ steps = [] }] = signing as [Job];
  expect(steps.flatMap(({ run }) => run ?? [])).toEqual([
    expect.stringMatching(/^npm stage publish \S+\.tgz --provenance --access public /),
  ]);
  const actions = steps.flatMap(({ uses }) => uses?.split('@')[0] ?? []);
  expect(actions).toEqual(['actions/download-artifact', 'actions/setup-node']);
});
