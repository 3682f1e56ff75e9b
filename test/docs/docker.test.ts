import { execFile, execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parse } from 'yaml';

import { ROOT } from '../../docs/generate/root';

type Yaml = Readonly<Record<string, unknown>>;

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

interface Service {
  readonly build: { readonly context: string; readonly dockerfile: string; readonly target: string };
  readonly ports: readonly string[];
  readonly volumes: readonly string[];
}

const { services, volumes } = parse(textOf('docker/compose.yaml')) as {
  services: Readonly<Record<string, Service>>;
  volumes: Yaml;
};

test('the services listen on this machine only, and keep what they store', () => {
  expect(Object.keys(services)).toEqual(['n8n', 'sandbox']);
  const all = Object.values(services);
  expect(all.flatMap(({ ports }) => ports).filter((port) => !/^127\.0\.0\.1:\d+:\d+$/.test(port))).toEqual(
    [],
  );
  expect(all.flatMap((service) => service.volumes.map((volume) => volume.split(':')[0]))).toEqual(
    Object.keys(volumes),
  );
});

/** The instructions of the Dockerfile, one for each line. */
const instructions = textOf('docker/Dockerfile')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(/\s+/));

test('the Dockerfile uses existing instructions and stages', () => {
  const known = ['ARG', 'CMD', 'COPY', 'ENTRYPOINT', 'ENV', 'EXPOSE', 'FROM', 'RUN', 'VOLUME', 'WORKDIR'];
  expect(instructions.filter(([name]) => !known.includes(name!))).toEqual([]);
  const stages = instructions.filter(([name]) => name === 'FROM').map((words) => words.at(-1));
  expect(stages).toEqual(['build', 'sandbox', 'n8n']);
  for (const { build } of Object.values(services)) {
    expect(stages).toContain(build.target);
    expect(existsSync(join(ROOT, 'docker', build.context, build.dockerfile))).toBe(true);
  }
  const copied = instructions.filter(([name]) => name === 'COPY').flatMap((words) => words.slice(1, -1));
  const files = copied.filter((word) => !word.startsWith('--') && !word.startsWith('/'));
  expect(files).toEqual(['.', 'docker/start.sh']);
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

test('what git ignores, such as the encryption key in docker/.env, stays out of the image', () => {
  const linesOf = (path: string): string[] =>
    textOf(path)
      .split(/\s*\n/)
      .filter((line) => /^[^#]/.test(line));
  const excluded = linesOf('docker/Dockerfile.dockerignore').map(
    (line) =>
      new RegExp(
        `^${line
          .replaceAll('.', '\\.')
          .replace(/^\*\*\//, '(?:.+/)?')
          .replaceAll('*', '[^/]*')}$`,
      ),
  );
  const ignored = linesOf('.gitignore').map((line) => line.replace(/\/$/, '').replace('*', 'name'));
  expect(ignored).toContain('docker/.env');
  expect(ignored.filter((path) => !excluded.some((pattern) => pattern.test(path)))).toEqual([]);
});

test('its npm commands exist, and it uses the version of n8n that the tests use', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Yaml };
  const commands = [
    ...textOf('docker/Dockerfile').matchAll(/"?run"?,? (?:"--silent", )?"?(package|sandbox)\b/g),
  ];
  expect(commands.map(([, name]) => name)).toEqual(['package', 'sandbox']);
  for (const [, name] of commands) expect(scripts).toHaveProperty(name!);
  const demo = JSON.parse(textOf('demo/package.json')) as { dependencies: Readonly<Record<string, string>> };
  const version = demo.dependencies.n8n!;
  for (const file of ['Dockerfile', 'compose.yaml', 'example.env']) {
    expect([file, textOf(`docker/${file}`).includes(version)]).toEqual([file, true]);
  }
});

test('every required variable is in the example', () => {
  const needed = [...textOf('docker/compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name!);
  for (const name of new Set(needed))
    expect(textOf('docker/example.env')).toMatch(new RegExp(`^${name}=`, 'm'));
});

test("the start copies the image's nodes into n8n's folder, over those of an older image", () => {
  const folder = mkdtempSync(join(tmpdir(), 'docker-start-'));
  try {
    const name = 'n8n-nodes-application-data-service';
    const source = join(folder, 'image');
    const target = join(folder, 'user/.n8n/nodes/node_modules', name);
    mkdirSync(join(source, name), { recursive: true });
    writeFileSync(join(source, name, 'package.json'), '{}');
    mkdirSync(target, { recursive: true });
    writeFileSync(join(target, 'old.js'), '');
    const env = {
      ...process.env,
      NODES_SOURCE: source,
      N8N_USER_FOLDER: join(folder, 'user'),
      N8N_ENTRYPOINT: 'echo',
    };
    const said = execFileSync('sh', [join(ROOT, 'docker/start.sh'), 'worker', '--concurrency=5'], { env });
    expect(said.toString()).toBe('worker --concurrency=5\n');
    expect(readdirSync(target)).toEqual(['package.json']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

// An n8n that loads none of the nodes starts, answers and logs no error, so CI asks it.
describe('the check of a started image', () => {
  const OWN = ['', 'Trigger', 'WebhookTrigger'].map(
    (kind) => `n8n-nodes-application-data-service.applicationDataService${kind}`,
  );

  /** What the check says of an n8n with these nodes. */
  async function check(nodes: readonly string[]): Promise<string> {
    const cookie = 'n8n-auth=session';
    const answers: Readonly<Record<string, object>> = {
      'GET /rest/settings': {},
      'POST /rest/owner/setup': {},
      'GET /types/nodes.json': nodes.map((name) => ({ name })),
    };
    const n8n = createServer(({ method, url, headers }, response) => {
      const known = url !== '/types/nodes.json' || headers.cookie === cookie;
      response.setHeader('content-type', 'application/json');
      response.setHeader('set-cookie', `${cookie}; Path=/; Secure`);
      response.writeHead(known ? 200 : 401).end(JSON.stringify(answers[`${method} ${url}`]));
    });
    await new Promise<void>((listening) => n8n.listen(0, '127.0.0.1', listening));
    const address = `http://127.0.0.1:${(n8n.address() as AddressInfo).port}`;
    try {
      return await new Promise((resolve) => {
        execFile(process.execPath, [join(ROOT, 'docker/check-nodes.mjs'), address], (error, stdout, stderr) =>
          resolve(`${error === null ? 'passed' : 'failed'}: ${stdout}${stderr}`),
        );
      });
    } finally {
      n8n.close();
    }
  }

  test.each([
    ['passes with all nodes', OWN, /^passed: .*3 of 3/],
    [
      'fails without one of them',
      OWN.slice(1),
      /^failed: .*2 of 3[^]*not loaded \S+\.ApplicationDataService\./,
    ],
    ['fails where nothing is loaded', [], /^failed: .*0 of 3/],
  ])('%s', async (_case, nodes, said) => {
    expect(await check(['n8n-nodes-base.code', ...nodes])).toMatch(said);
  });

  test('is run by CI on what the compose file starts', () => {
    const { jobs } = parse(textOf('.github/workflows/ci.yml')) as {
      jobs: { image: { steps: readonly { readonly run?: string }[] } };
    };
    const commands = jobs.image.steps.flatMap(({ run }) => run ?? []);
    expect(commands.slice(0, 2)).toEqual([
      'docker compose -f docker/compose.yaml up --build --detach',
      'node docker/check-nodes.mjs http://127.0.0.1:5678',
    ]);
  });
});
