// node scripts/check-code.mjs: the errors of "tsc" for the tests, the sandbox and the scripts, and of "eslint" for
// everything. Both use the same TypeScript programs, which are read and checked once. This takes half the time of the
// two commands. The build checks the types of the published code.
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
const nodes = parse(NODES);
const isChecked = new Set(nodes.fileNames);
const diagnostics = programs.flatMap((program) => [
  ...program.getConfigFileParsingDiagnostics(),
  ...program.getOptionsDiagnostics(),
  ...program
    .getSourceFiles()
    .filter(({ fileName }) => !isChecked.has(fileName))
    .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ...program.getGlobalDiagnostics(),
]);
if (diagnostics.length > 0) {
  console.error(print(ts.sortAndDeduplicateDiagnostics(diagnostics)));
  process.exitCode = 1;
}

// The tests' program also contains the nodes, except a file that no test imports.
const isKnown = (file) => programs.some((program) => program.getSourceFile(file) !== undefined);
if (!nodes.fileNames.every(isKnown)) programs.push(readProgram(nodes));

const eslint = new ESLint({
  overrideConfigFile: 'eslint.repository.mjs',
  overrideConfig: { files: ['**/*.ts'], languageOptions: { parserOptions: { programs, project: null } } },
});
const results = await eslint.lintFiles('.');
const formatter = await eslint.loadFormatter('stylish');
console.log(await formatter.format(results));
// A warning is no failure, as with "eslint".
if (results.some(({ errorCount }) => errorCount > 0)) process.exitCode = 1;
