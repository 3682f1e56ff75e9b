import { posix } from 'node:path';
import ts from 'typescript';

/** A file that names another file or a package, in any way. Types and mocks count too. */
export interface Import {
  readonly from: string;
  readonly line: number;
  /** The file of the repository, or the package; neither if the name is computed. */
  readonly file?: string;
  readonly package?: string;
  /** Nothing of it remains at run time. */
  readonly typeOnly: boolean;
}

/** A repository. Each file is named by its path from the root. */
export interface Tree {
  /** The sources whose imports count. */
  readonly sources: readonly string[];
  /** These sources, and the other files that they may import. */
  readonly files: ReadonlySet<string>;
  read(file: string): string;
}

const OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowImportingTsExtensions: true,
  allowJs: true,
  resolveJsonModule: true,
};

/** Everything that the sources of a tree import. */
export function importsOf(tree: Tree): Import[] {
  const resolve = resolverOf(tree);
  return tree.sources.flatMap((from) =>
    namesIn(from, tree.read(from)).map(({ name, line, typeOnly }) => ({
      from,
      line,
      typeOnly,
      ...(name === undefined ? {} : resolve(name, from)),
    })),
  );
}

type Resolve = (name: string, from: string) => Pick<Import, 'file' | 'package'>;

function resolverOf(tree: Tree): Resolve {
  const host: ts.ModuleResolutionHost = {
    fileExists: (path) => tree.files.has(inTree(path)),
    readFile: (path) => tree.read(inTree(path)),
  };
  return (name, from) => {
    // A package is recognized by its name and need not be installed.
    if (!ts.isExternalModuleNameRelative(name)) return { package: packageOf(name) };
    const { resolvedModule } = ts.resolveModuleName(name, posix.join('/', from), OPTIONS, host);
    // A file that only the build creates has a path, too.
    const path = resolvedModule?.resolvedFileName ?? posix.join('/', posix.dirname(from), name);
    return { file: sourceOf(inTree(path), tree) };
  };
}

const inTree = (path: string): string => posix.relative('/', path);

/** A declaration file stands for the program beside it. */
function sourceOf(file: string, tree: Tree): string {
  const program = file.replace(/\.d\.([mc]?)ts$/, '.$1js');
  return tree.files.has(program) ? program : file;
}

function packageOf(name: string): string {
  const [first = '', second = ''] = name.split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}

interface Name {
  readonly name: string | undefined;
  readonly line: number;
  readonly typeOnly: boolean;
}

function namesIn(file: string, text: string): Name[] {
  const source = ts.createSourceFile(file, importingPart(text), ts.ScriptTarget.Latest);
  const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1;
  const names: Name[] = [
    ...source.referencedFiles.map(({ fileName, pos }) => ({ name: `./${fileName}`, line: lineAt(pos) })),
    ...source.typeReferenceDirectives.map(({ fileName, pos }) => ({ name: fileName, line: lineAt(pos) })),
  ].map((reference) => ({ ...reference, typeOnly: true }));
  const visit = (node: ts.Node): void => {
    const found = nameIn(node);
    if (found) {
      const { expression, typeOnly } = found;
      const name = ts.isStringLiteralLike(expression) ? expression.text : undefined;
      names.push({ name, line: lineAt(node.getStart(source)), typeOnly });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

const IMPORTING = /\b(?:import|require|jest|reference)\b|\bfrom\s*['"]/g;
const LINES_TO_ITS_END = 5;

/** The text up to the end of its last import. The rest, which is most of it, need not be parsed. */
function importingPart(text: string): string {
  const last = [...text.matchAll(IMPORTING)].at(-1);
  if (last === undefined) return '';
  let end = last.index;
  for (let line = 0; line < LINES_TO_ITS_END && end !== -1; line++) end = text.indexOf('\n', end + 1);
  return end === -1 ? text : text.slice(0, end);
}

interface Found {
  readonly expression: ts.Node;
  readonly typeOnly: boolean;
}

function nameIn(node: ts.Node): Found | undefined {
  if (ts.isImportDeclaration(node)) {
    return { expression: node.moduleSpecifier, typeOnly: importsTypes(node.importClause) };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
    return { expression: node.moduleSpecifier, typeOnly: exportsTypes(node) };
  }
  if (ts.isExternalModuleReference(node)) return { expression: node.expression, typeOnly: false };
  if (ts.isImportTypeNode(node)) {
    const { argument } = node;
    return { expression: ts.isLiteralTypeNode(argument) ? argument.literal : argument, typeOnly: true };
  }
  const [argument] = ts.isCallExpression(node) && loads(node.expression) ? node.arguments : [];
  return argument && { expression: argument, typeOnly: false };
}

function importsTypes(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const { name, namedBindings } = clause;
  if (name || !namedBindings || !ts.isNamedImports(namedBindings)) return false;
  return namedBindings.elements.length > 0 && namedBindings.elements.every(({ isTypeOnly }) => isTypeOnly);
}

function exportsTypes({ isTypeOnly, exportClause }: ts.ExportDeclaration): boolean {
  if (isTypeOnly || !exportClause || !ts.isNamedExports(exportClause)) return isTypeOnly;
  return exportClause.elements.length > 0 && exportClause.elements.every((element) => element.isTypeOnly);
}

const JEST_LOADERS = new Set([
  'mock',
  'unmock',
  'doMock',
  'dontMock',
  'setMock',
  'requireActual',
  'requireMock',
  'createMockFromModule',
  'unstable_mockModule',
]);

/**
 * Whether a call is `import()`, `require()`, `require.resolve()`, `import.meta.resolve()` or one of jest's functions
 * with a path.
 */
function loads(called: ts.Expression): boolean {
  if (called.kind === ts.SyntaxKind.ImportKeyword) return true;
  if (ts.isIdentifier(called)) return called.text === 'require';
  if (!ts.isPropertyAccessExpression(called)) return false;
  const { expression: object, name } = called;
  if (ts.isMetaProperty(object)) return name.text === 'resolve';
  if (!ts.isIdentifier(object)) return false;
  if (object.text === 'require') return name.text === 'resolve';
  return object.text === 'jest' && JEST_LOADERS.has(name.text);
}
