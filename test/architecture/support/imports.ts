import { posix } from 'node:path';
import ts from 'typescript';

/** A file that names another file or a package, types included. */
export interface Import {
  readonly from: string;
  readonly line: number;
  /** The file of the repository, or the package. */
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

const TYPES = /(?:import|export)\s+(?:type\s[^;]*|\{(?:\s*type\s[^,}]*,?)+\s*\}\s*)from\s*['"]?$/;
const OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowImportingTsExtensions: true,
  allowJs: true,
  resolveJsonModule: true,
};

/** Everything that the sources of a tree import, in any way that TypeScript knows: `import()` and `require()`, too. */
export function importsOf(tree: Tree): Import[] {
  const host: ts.ModuleResolutionHost = {
    fileExists: (path) => tree.files.has(inTree(path)),
    readFile: (path) => tree.read(inTree(path)),
  };
  const resolved = (name: string, from: string): Pick<Import, 'file' | 'package'> => {
    // A package is recognized by its name and need not be installed.
    if (!ts.isExternalModuleNameRelative(name)) return { package: packageOf(name) };
    const { resolvedModule } = ts.resolveModuleName(name, posix.join('/', from), OPTIONS, host);
    // A file that only the build creates has a path, too.
    const file = inTree(resolvedModule?.resolvedFileName ?? posix.join('/', posix.dirname(from), name));
    // A declaration file stands for the program beside it.
    const program = file.replace(/\.d\.([mc]?)ts$/, '.$1js');
    return { file: tree.files.has(program) ? program : file };
  };
  return tree.sources.flatMap((from) => {
    const text = tree.read(from);
    return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName, pos }) => {
      const before = text.slice(0, pos);
      const line = before.split('\n').length;
      const statement = before.slice(Math.max(before.lastIndexOf(';'), before.lastIndexOf('\n\n')) + 1);
      return { from, line, typeOnly: TYPES.test(statement), ...resolved(fileName, from) };
    });
  });
}

const inTree = (path: string): string => posix.relative('/', path);

function packageOf(name: string): string {
  const [first = '', second = ''] = name.split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}
