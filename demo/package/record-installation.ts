import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { packageManifest } from './manifest.ts';
import { repository } from '../place/paths.ts';

interface NodeDescription {
  readonly name: string;
  readonly displayName: string;
  readonly version: number;
}

/** n8n writes to the same file, so a write may have to wait. */
const BUSY_TIMEOUT = 10_000;

/**
 * Records the package in the database of a running n8n, as n8n does when it installs a package itself. Then n8n shows
 * it under Settings > Community nodes.
 */
export function recordInstallation(userFolder: string): void {
  const { name, version, author, n8n } = packageManifest();
  const file = join(userFolder, '.n8n', 'database.sqlite');
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT });
  try {
    const known = database
      .prepare('SELECT 1 FROM installed_packages WHERE packageName = ? AND installedVersion = ?')
      .get(name, version);
    if (known) return;
    database
      .prepare(
        `INSERT INTO installed_packages (packageName, installedVersion, authorName, authorEmail, createdAt, updatedAt)
         VALUES (?, ?, ?, ?, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP)
         ON CONFLICT (packageName) DO UPDATE SET installedVersion = excluded.installedVersion,
           updatedAt = CURRENT_TIMESTAMP`,
      )
      .run(name, version, author.name, author.email);
    const node = database.prepare(
      'INSERT OR REPLACE INTO installed_nodes (name, type, latestVersion, package) VALUES (?, ?, ?, ?)',
    );
    for (const each of n8n.nodes.map(describeNode))
      node.run(each.displayName, `${name}.${each.name}`, each.version, name);
  } finally {
    database.close();
  }
}

/** Loads a compiled node as n8n does: its class has the name of the file. */
function describeNode(file: string): NodeDescription {
  const module = createRequire(import.meta.url)(join(repository, file)) as Record<
    string,
    new () => { description: NodeDescription }
  >;
  const Node = module[basename(file, '.node.js')];
  if (Node === undefined) throw new Error(`${file} does not export a node`);
  return new Node().description;
}
