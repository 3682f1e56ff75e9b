import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { pack, repository, type Packed } from '../package/support/packed';

/** What the published files are built from, and the rules that they follow. */
const SOURCES = ['credentials', 'icons', 'nodes', 'eslint.config.mjs', 'tsconfig.json'];

const tools = join(__dirname, 'node_modules');

let packed: Packed;

beforeAll(() => {
  packed = pack();
  for (const name of SOURCES) cpSync(join(repository, name), join(packed.folder, name), { recursive: true });
  symlinkSync(tools, join(packed.folder, 'node_modules'));
});

afterAll(() => packed.remove());

/** Runs n8n's tool on the packed package with its sources. */
function n8nNode(command: string): { status: number | null; output: string } {
  const tool = join(tools, '@n8n', 'node-cli', 'bin', 'n8n-node.mjs');
  // As in a terminal: with a test runner's NODE_ENV, some rules treat every file as a node.
  const env = { ...process.env, NODE_ENV: undefined };
  const options = { cwd: packed.folder, encoding: 'utf8', env } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [tool, command], options);
  return { status, output: stdout + stderr };
}

test("follows n8n's rules in strict mode", () => {
  const { status, output } = n8nNode('lint');
  expect(output).not.toMatch(/Strict mode violation|[1-9]\d* errors?\b/);
  expect(status).toBe(0);
});

test('may be verified for n8n Cloud', () => {
  const { status, output } = n8nNode('cloud-support');
  expect(status).toBe(0);
  // The tool also ends with 0 if the package is not eligible.
  expect(output).toContain('eligible');
  expect(output).not.toContain('NOT eligible');
});

test('is refused with a violation in a source, and with changed rules', () => {
  appendFileSync(
    join(packed.folder, 'nodes/ApplicationDataService/util/userError.ts'),
    '\nconsole.log(process.env);\n',
  );
  const violating = n8nNode('lint');
  expect(violating.status).not.toBe(0);
  expect(violating.output).toContain('no-restricted-globals');
  appendFileSync(join(packed.folder, 'eslint.config.mjs'), '// More.\n');
  expect(n8nNode('lint').output).toContain('Strict mode violation');
  expect(n8nNode('cloud-support').output).toContain('NOT eligible');
});
