import { importsOf } from './support/imports';
import { repository } from './support/repository';
import { againstArrows, againstPackages, circlesOfFiles, type Arrows, type Packages } from './support/rules';

/**
 * Where a file may import from in addition to its own room: the rooms in its line, and the rooms that these may import
 * from.
 */
const ARROWS: Arrows = {
  ...within('nodes/ApplicationDataService/', {
    '*.node.ts': ['operations/', 'trigger/', 'webhook/', 'editor/'],

    ...within('operations/', {
      'registry.ts': ['record/', 'tableRow/', 'attachment/', 'application/', 'label/'],
      'record/': ['input/', 'output/'],
      'tableRow/': ['input/', 'output/'],
      'attachment/': ['input/', 'output/'],
      'application/*.ts': ['application/check/', 'input/', 'output/'],
      'label/': ['input/', 'output/'],
      'input/': ['run/'],
      'output/': ['run/'],
    }),
    'operations/application/check/': ['common/'],
    'operations/run/': ['common/'],

    'trigger/*.ts': ['trigger/node/'],
    'trigger/node/': ['trigger/poll/'],
    'trigger/poll/': ['trigger/source/'],
    'trigger/source/': ['trigger/state/', 'common/'],
    'trigger/state/': ['parts/values/', 'util/'],

    'webhook/': ['common/'],
    'editor/': ['common/'],

    'common/': ['service/'],

    'service/write/': ['service/read/'],
    'service/read/': ['service/application/'],
    'service/application/': ['service/http/'],
    'service/http/': ['parts/'],

    'parts/conditions/': ['parts/*.ts'],
    'parts/*.ts': ['parts/types/'],
    'parts/types/': ['parts/model/'],
    'parts/model/': ['parts/values/'],
    'parts/values/': ['util/'],

    'util/': [],
  }),

  'credentials/': ['nodes/ApplicationDataService/service/http/'],

  // It shares no code with the nodes, so that a misreading of the interface in one is not hidden by the other.
  ...within('sandbox/', {
    '*.ts': ['process/'],
    'process/': ['control/'],
    'control/': ['http/'],
    'http/': ['samples/'],
    'page/': [], // runs in the browser
    'samples/': ['service/'],
    'service/': ['definitions/'],
    'definitions/': ['actions/'],
    'actions/': ['records/'],
    'records/find/': ['records/*.ts'],
    'records/write/': ['records/*.ts'],
    'records/*.ts': ['records/read/'],
    'records/read/': ['call/'],
    'call/': ['storage/'],
    'storage/': ['parts/'],
    'parts/': ['settings/'],
    'settings/': [],
  }),

  ...within('demo/', {
    'npm-start.mjs': ['*.ts'],
    '*.ts': ['start/'],
    'start/': ['package/', 'n8n/'],
    'package/': ['place/'],
    'n8n/': ['place/'],
    'place/': ['process/'],
  }),
  'demo/process/': ['scripts/'],
  'scripts/': [],

  'bench/': ['test/support/'],
  'docs/generate/': ['bench/'],
  'test/support/': [
    'credentials/',
    'nodes/',
    'sandbox/settings/',
    'sandbox/service/',
    'sandbox/definitions/',
  ],
  'test/unit/': ['test/support/', 'docs/generate/'],
  'test/engine/': ['test/unit/', 'test/compat/'],
  'test/docs/': ['test/engine/', 'docs/generate/'],
  'test/soak/': ['test/support/'],
  'test/long/': ['test/docs/', 'test/soak/', 'jest.config.mjs'],
  'test/sandbox/': ['test/support/'],
  'test/package/': ['test/support/'],
  'test/verification/': ['test/package/', 'jest.config.mjs'],
  'test/e2e/': ['test/support/', 'jest.config.mjs'],
  'test/run/': ['demo/', 'scripts/'],
  'test/compat/': ['jest.config.mjs'],
  'test/jest/': ['jest.config.mjs'],
  'test/architecture/': ['test/docs/'],
  'jest.config.mjs': [],
};

/** The published package finds no other package in n8n. The rooms at the bottom need only its types. */
const N8N = { name: 'n8n-workflow', typesOnly: false };
const TYPES = { name: 'n8n-workflow', typesOnly: true };
const PACKAGES: Packages = {
  'credentials/': N8N,
  'nodes/': N8N,
  'nodes/ApplicationDataService/trigger/poll/': null,
  'nodes/ApplicationDataService/trigger/state/': null,
  'nodes/ApplicationDataService/service/': TYPES,
  'nodes/ApplicationDataService/service/http/connect.ts': N8N,
  'nodes/ApplicationDataService/parts/': TYPES,
  'nodes/ApplicationDataService/util/': TYPES,
  'nodes/ApplicationDataService/util/concurrently.ts': N8N,
};

const tree = repository();
const imports = importsOf(tree);

test('every import follows the arrows, and every file is in a room', () => {
  expect(againstArrows(imports, tree.sources, ARROWS)).toEqual([]);
});

test('the published code imports only n8n-workflow, and its lower rooms only the types', () => {
  expect(againstPackages(imports, PACKAGES)).toEqual([]);
});

test('no files import each other in a circle', () => {
  expect(circlesOfFiles(imports)).toEqual([]);
});

test('the whole repository is checked', () => {
  const importing = new Set(imports.map(({ from }) => from));
  expect(importing.size).toBeGreaterThan(400);
  expect(imports.length).toBeGreaterThan(2000);
  expect(imports.filter(({ typeOnly }) => typeOnly).length).toBeGreaterThan(400);
  const folders = new Set([...importing].map((file) => file.slice(0, file.indexOf('/') + 1)));
  expect([...folders]).toEqual(
    expect.arrayContaining('bench/ credentials/ demo/ docs/ nodes/ sandbox/ scripts/ test/'.split(' ')),
  );
});

/** The arrows of the rooms in a folder. */
function within(folder: string, arrows: Arrows): Arrows {
  return Object.fromEntries(
    Object.entries(arrows).map(([room, targets]) => [
      folder + room,
      targets.map((target) => folder + target),
    ]),
  );
}
