// node scripts/check-code.mjs: what "tsc" says of the tests, the sandbox and the scripts, and what "eslint ." says of
// everything. Both ask the same programs of TypeScript, which so are read and checked once: it takes half the time of the
// two commands. What is published has its types checked by the build.
import { ESLint } from 'eslint';
import ts from 'typescript';

const NODES = 'tsconfig.json';
const CONFIGURATIONS = ['test/tsconfig.json', 'tsconfig.tools.json'];

const host = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: ts.sys.getCurrentDirectory,
  getNewLine: () => ts.sys.newLine,
};
const print = (diagnostics) => ts.formatDiagnosticsWithColorAndContext(diagnostics, host);

function parse(file) {
  return ts.getParsedCommandLineOfConfigFile(file, undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
      throw new Error(print([diagnostic]));
    },
  });
}

function readProgram({ fileNames, options, projectReferences, errors }) {
  return ts.createProgram({
    rootNames: fileNames,
    options,
    projectReferences,
    configFileParsingDiagnostics: errors,
  });
}

const programs = CONFIGURATIONS.map((file) => readProgram(parse(file)));
const diagnostics = programs.flatMap((program) => ts.getPreEmitDiagnostics(program));
if (diagnostics.length > 0) {
  console.error(print(ts.sortAndDeduplicateDiagnostics(diagnostics)));
  process.exitCode = 1;
}

// The tests' program holds the nodes as well, but for a file that no test reaches.
const nodes = parse(NODES);
const isKnown = (file) => programs.some((program) => program.getSourceFile(file) !== undefined);
if (!nodes.fileNames.every(isKnown)) programs.push(readProgram(nodes));

const eslint = new ESLint({
  overrideConfig: { files: ['**/*.ts'], languageOptions: { parserOptions: { programs, project: null } } },
});
const results = await eslint.lintFiles('.');
const formatter = await eslint.loadFormatter('stylish');
console.log(await formatter.format(results));
// As "eslint ." does: a warning alone is no failure.
if (results.some(({ errorCount }) => errorCount > 0)) process.exitCode = 1;
