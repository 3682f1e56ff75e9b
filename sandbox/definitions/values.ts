import type { Changes } from '../records/write/readChanges.ts';
import type { RowChange } from '../records/write/rows.ts';
import { kindOf } from '../parts/kinds.ts';
import { InvalidValue } from '../parts/kind.ts';
import type { Part, Stored, StoredFile } from '../parts/part.ts';
import type { Application } from '../storage/applications.ts';
import type { Storage } from '../storage/storage.ts';
import { DefinitionError, type FileDefinition, type RecordDefinition } from './definition.ts';
import { named } from './link.ts';

/**
 * Reads a record's values from plain JSON: a text, a number, an array for several values, rows as objects, files as
 * `{name, mimeType, text}`.
 * @throws {@link DefinitionError}
 */
export async function readRecord(
  definition: RecordDefinition,
  application: Application,
  storage: Storage,
): Promise<Changes> {
  const values = new Map<Part, Stored | undefined>();
  const tables = new Map<Part, readonly RowChange[]>();
  for (const [name, value] of Object.entries(definition)) {
    const part = named(application, name);
    if (part.type === 'input_list') tables.set(part, await readRows(part, value, storage));
    else values.set(part, await readValue(part, value, storage));
  }
  return { values, tables, files: new Map(), rowFiles: [], lookups: [], automatic: false };
}

async function readRows(table: Part, value: unknown, storage: Storage): Promise<RowChange[]> {
  if (!Array.isArray(value))
    throw new DefinitionError(`The table part "${table.name}" takes an array of rows`);
  const rows: RowChange[] = [];
  for (const { id, ...row } of value as Record<string, unknown>[]) {
    const values = new Map<Part, Stored | undefined>();
    for (const [name, child] of Object.entries(row)) {
      const part = table.children.find((one) => one.name === name);
      if (!part) throw new DefinitionError(`There is no part "${name}" in "${table.name}"`);
      values.set(part, await readValue(part, child, storage));
    }
    rows.push({ id: id === undefined ? undefined : Number(id), values });
  }
  return rows;
}

async function readValue(part: Part, value: unknown, storage: Storage): Promise<Stored | undefined> {
  if (part.type === 'files') return readFiles(part, value, storage);
  const kind = kindOf(part);
  if (!kind.parse || part.system)
    throw new DefinitionError(`The part "${part.name}" cannot have a value in a definition`);
  const text = Array.isArray(value) ? value.join('\t') : textOf(part, value);
  try {
    return kind.parse(text, part, storage.people);
  } catch (error) {
    if (error instanceof InvalidValue) throw new DefinitionError(`The part "${part.name}" ${error.message}`);
    throw error;
  }
}

async function readFiles(part: Part, value: unknown, storage: Storage): Promise<StoredFile[]> {
  if (!Array.isArray(value)) throw new DefinitionError(`The part "${part.name}" takes an array of files`);
  const files: StoredFile[] = [];
  for (const { name, mimeType = 'text/plain', text = '' } of value as FileDefinition[]) {
    files.push(await storage.files.receive(name, mimeType, [Buffer.from(text)]));
  }
  return files;
}

function textOf(part: Part, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new DefinitionError(`The part "${part.name}" takes a text, a number or an array`);
}
