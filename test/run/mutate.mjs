// npm run mutate -- [COUNT] [SEED] [ROOM]: makes small mistakes in the nodes, or in a folder or file of them, one at a
// time, and says which of them the unit and engine tests catch. For each it runs those test files that execute the
// changed function: the one beside the file, then the most particular ones. StrykerJS makes the mistakes but does not
// run the tests: it takes no sample, runs the tests one after the other first, and then every test that executes the
// changed code.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';

import { Instrumenter } from '@stryker-mutator/instrumenter';

const NODES = 'nodes/ApplicationDataService';
const CACHE = resolve('node_modules/.cache/mutate');
/** So many test files are run for a mutant at first, and at most. */
const FIRST_TESTS = 4;
const MAX_TESTS = 150;
/** A mutant that makes tests hang is caught. */
const MAX_MS = 600_000;
/** Texts for people stay as they are. */
const MUTATORS = { plugins: null, excludedMutations: ['StringLiteral'], ignorers: [] };

const [count = '150', seed = '1', room = ''] = process.argv.slice(2);
const executed = await executedFunctions();
const sizes = testSizes();
const queue = draw(await mutantsIn(room), Number(count), Number(seed));
let [caught, missed] = [0, 0];
await Promise.all(Array.from({ length: availableParallelism() }, (_, worker) => work(worker)));
const all = caught + missed;
console.log(`\n${caught} of ${all} mutants were caught: ${((100 * caught) / Math.max(1, all)).toFixed(1)} %`);

/** Runs the mutants of the queue until it is empty. */
async function work(worker) {
  for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
    if (await isCaught(mutant, join(CACHE, `mutant-${worker}.json`))) caught++;
    else missed++;
    process.stderr.write(`${caught} caught, ${missed} not, ${queue.length} left\n`);
  }
}

/** Whether a test file fails with the mutant in place; prints the mutant if none does. */
async function isCaught(mutant, file) {
  writeFileSync(file, JSON.stringify({ file: resolve(mutant.fileName), text: textWith(mutant) }));
  const own = mutant.fileName.replace(NODES, 'test/unit').replace('.ts', '.test.ts');
  const rank = (test) => (test.endsWith(own) ? 0 : sizes.get(test));
  const tests = mutant.function.tests.toSorted((one, other) => rank(one) - rank(other));
  for (const some of [tests.slice(0, FIRST_TESTS), tests.slice(FIRST_TESTS, MAX_TESTS)]) {
    if (some.length === 0) break;
    const code = await jest(['--runTestsByPath', '--runInBand', '--bail', ...some], { MUTANT: file }, MAX_MS);
    if (code !== 0) return true;
  }
  console.log(inWords(mutant));
  return false;
}

/** The exit code of jest; `null` if it was ended after so many milliseconds. */
async function jest(args, variables, timeout) {
  const config = ['--config', 'test/jest/mutate.config.mjs'];
  const env = { ...process.env, ...variables };
  const command = [resolve('node_modules/jest/bin/jest.js'), ...args, ...config];
  const child = spawn(process.execPath, command, { env, timeout, killSignal: 'SIGKILL', stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  return code;
}

/** Which test files execute each function, by file; from the last time, if neither nodes nor tests have changed. */
async function executedFunctions() {
  const sources = globSync(['nodes/**/*.ts', 'credentials/*.ts', 'sandbox/**/*.ts', 'test/**/*.ts']).sort();
  const hash = createHash('sha256');
  for (const file of sources) hash.update(file).update(readFileSync(file));
  const file = join(CACHE, `executed-${hash.digest('hex').slice(0, 16)}.json`);
  if (!existsSync(file)) {
    rmSync(CACHE, { recursive: true, force: true });
    mkdirSync(CACHE, { recursive: true });
    process.stderr.write(
      'All unit and engine tests run once, to see which functions each of them executes.\n',
    );
    const coverage = [
      '--coverageProvider=v8',
      '--coverageReporters=none',
      '--collectCoverageFrom=nodes/**/*.ts',
    ];
    const reporter = `--reporters=${resolve('test/jest/executed-reporter.cjs')}`;
    const code = await jest(['--maxWorkers=100%', '--coverage', ...coverage, reporter], {
      EXECUTED_FILE: file,
    });
    if (code !== 0) rmSync(file, { force: true });
    if (code !== 0) throw new Error('Tests fail without a mutant: run "npm test".');
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** How many functions each test file executes. */
function testSizes() {
  const found = new Map();
  for (const { tests } of Object.values(executed).flat())
    for (const test of tests) found.set(test, (found.get(test) ?? 0) + 1);
  return found;
}

/** All mutants of the functions of a room. Code that runs only while its file loads concerns every test. */
async function mutantsIn(room) {
  const files = globSync([`${NODES}/${room}/**/*.ts`, `${NODES}/${room}`]).filter((file) =>
    file.endsWith('.ts'),
  );
  const sources = files.map((name) => ({ name, content: readFileSync(name, 'utf8'), mutate: true }));
  const ignore = () => undefined;
  const logger = { debug: ignore, info: ignore, isDebugEnabled: () => false };
  const { mutants } = await new Instrumenter(logger).instrument(sources, MUTATORS);
  return mutants.flatMap((mutant) => {
    if (mutant.status === 'Ignored') return [];
    const around = (executed[mutant.fileName] ?? []).filter(({ start, end }) => {
      return !isBefore(mutant.location.start, start) && isBefore(mutant.location.start, end);
    });
    // The compiler's own functions for exports seem to reach from one exported name to another.
    const [innermost] = around.sort((one, other) => extentOf(one) - extentOf(other));
    return innermost === undefined ? [] : [{ ...mutant, function: innermost }];
  });
}

/** Orders places of one file by how much they contain. */
function extentOf({ start, end }) {
  return (end.line - start.line) * 1000 + end.column - start.column;
}

function isBefore(one, other) {
  return one.line < other.line || (one.line === other.line && one.column < other.column);
}

/** So many of the mutants, the same for the same seed. */
function draw(mutants, count, seed) {
  const keyOf = ({ fileName, location, replacement }) =>
    createHash('sha256')
      .update(JSON.stringify([seed, fileName, location, replacement]))
      .digest('hex');
  const keyed = mutants.map((mutant) => [keyOf(mutant), mutant]);
  return keyed
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .slice(0, count)
    .map(([, mutant]) => mutant);
}

/** The start and end of a mutant in the text of its file. */
function offsetsOf({ location }, text) {
  const lines = text.split('\n');
  const offsetOf = ({ line, column }) =>
    lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0) + column;
  return [offsetOf(location.start), offsetOf(location.end)];
}

function textWith(mutant) {
  const text = readFileSync(mutant.fileName, 'utf8');
  const [start, end] = offsetsOf(mutant, text);
  return text.slice(0, start) + mutant.replacement + text.slice(end);
}

function inWords(mutant) {
  const text = readFileSync(mutant.fileName, 'utf8');
  const place = `${mutant.fileName}:${mutant.location.start.line + 1} ${mutant.mutatorName}`;
  return `\n${place}\n- ${text.slice(...offsetsOf(mutant, text))}\n+ ${mutant.replacement}`;
}
