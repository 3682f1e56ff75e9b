import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parse } from 'yaml';

import { repository } from './support/packed';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'application-data-service-release-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const OWNED = {
  author: { name: 'Example Ltd', email: 'nodes@example.com' },
  repository: { url: 'git+https://github.com/example/n8n-nodes-application-data-service.git' },
};

/** The problems with publishing version 1.2.0 with this changelog under this tag. */
function check(tag: string, changelog: string, owner: object = OWNED): string[] {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: '1.2.0', ...owner }));
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
  const script = join(repository, 'scripts', 'check-release.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, tag, folder], { encoding: 'utf8' });
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
  [
    'entries left unreleased',
    'v1.2.0',
    `## Unreleased\n\n- More.\n\n## 1.2.0 (2026-03-04)\n\n- New.\n`,
    ['Unreleased'],
  ],
])('%s is refused', (_case, tag, changelog, expected) => {
  const problems = check(tag, changelog);
  expect(problems).toHaveLength(expected.length);
  expected.forEach((words, index) => expect(problems[index]).toContain(words));
});

test('the author and the repository of a package that nobody owns yet are refused', () => {
  const changelog = '## 1.2.0 (2026-03-04)\n\n- New.\n';
  const { author, repository: url } = JSON.parse(
    readFileSync(join(repository, 'package.json'), 'utf8'),
  ) as Record<string, object>;
  expect(check('v1.2.0', changelog, { author, repository: url })).toEqual([
    expect.stringContaining('author'),
    expect.stringContaining('repository'),
  ]);
  expect(check('v1.2.0', changelog, {})).toHaveLength(2);
});

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps?: readonly { readonly uses?: string; readonly run?: string }[];
}

test('the job that may sign and publish runs no code of the repository or its dependencies', () => {
  const workflow = readFileSync(join(repository, '.github/workflows/publish.yml'), 'utf8');
  const { jobs } = parse(workflow) as { jobs: Readonly<Record<string, Job>> };
  const signing = Object.values(jobs).filter(({ permissions }) => permissions?.['id-token'] === 'write');
  expect(signing).toHaveLength(1);
  const [{ steps = [] }] = signing as [Job];
  expect(steps.flatMap(({ run }) => run ?? [])).toEqual([expect.stringMatching(/^npm publish \S+\.tgz /)]);
  const actions = steps.flatMap(({ uses }) => uses?.split('@')[0] ?? []);
  expect(actions).toEqual(['actions/download-artifact', 'actions/setup-node']);
});
