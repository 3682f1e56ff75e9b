import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { repository } from '../place/paths.ts';

/** The fields of the package's manifest that the demo needs. */
export interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly author: { readonly name: string; readonly email: string };
  /** Compiled files. */
  readonly n8n: { readonly nodes: readonly string[] };
}

/** The manifest in the repository. */
export function packageManifest(): PackageManifest {
  return JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as PackageManifest;
}
