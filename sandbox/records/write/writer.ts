import type { Dialect } from '../../settings/switches.ts';
import { wrongPart, type ServiceError } from '../../call/refusals.ts';
import { filesOf } from '../../parts/files.ts';
import type { Part, StoredFile, StoredRow, Values } from '../../parts/part.ts';
import type { Application } from '../../storage/applications.ts';
import type { User } from '../../storage/people.ts';
import type { DataRecord } from '../../storage/dataRecord.ts';
import type { Workbench } from '../workbench.ts';
import { calculateParts } from './calculation.ts';
import type { Changes, FileChange } from './readChanges.ts';
import { copyLookups } from './lookups.ts';
import type { RowChange } from './rows.ts';

/** Writes records: values, rows, files, lookups, automatic processes and calculations in one go. */
export class Writer {
  readonly #workbench: Workbench;
  readonly #application: Application;
  readonly #user: User;

  constructor(workbench: Workbench, application: Application, user: User) {
    this.#workbench = workbench;
    this.#application = application;
    this.#user = user;
  }

  /** Adds a record and returns its id. */
  insert(changes: Changes): number {
    const { storage, clock } = this.#workbench;
    const now = clock.minute();
    const record: DataRecord = {
      id: storage.applications.takeRecordIds(this.#application.id, 1),
      revision: 1,
      createdAt: now,
      createdBy: this.#user.id,
      updatedAt: now,
      updatedBy: this.#user.id,
      values: {},
    };
    record.values = this.#newValues(record, changes, 'insert');
    storage.records.insert(this.#application.id, record);
    this.#settleFiles(record.id, {}, record.values);
    return record.id;
  }

  /** Changes a record and increases its revision by one. */
  update(record: DataRecord, changes: Changes): void {
    const { storage, clock } = this.#workbench;
    const before = record.values;
    record.revision++;
    record.updatedAt = clock.minute();
    record.updatedBy = this.#user.id;
    record.values = this.#newValues(record, changes, 'update');
    storage.records.update(this.#application.id, record);
    this.#settleFiles(record.id, before, record.values);
  }

  #newValues(record: DataRecord, changes: Changes, on: 'insert' | 'update'): Values {
    const values: Values = { ...record.values };
    for (const [part, value] of changes.values) values[part.id] = value;
    for (const [table, rows] of changes.tables) values[table.id] = this.#changedRows(table, values, rows);
    for (const [part, change] of changes.files) {
      values[part.id] = this.#changedFiles(part, filesOf(values[part.id]), change);
    }
    for (const change of changes.rowFiles) this.#changeRowFiles(values, change);
    copyLookups(this.#workbench, this.#user, changes.lookups, values);
    if (changes.automatic) this.#runAutomatic(record, values, on);
    calculateParts(this.#workbench, this.#user, this.#application, { ...record, values });
    this.#checkRequired(values);
    return withoutEmpty(values);
  }

  /** The rows in the order in which they were sent. Rows that were not sent are removed. */
  #changedRows(table: Part, values: Values, rows: readonly RowChange[]): StoredRow[] {
    const existing = new Map(((values[table.id] ?? []) as StoredRow[]).map((row) => [row.id, row]));
    return rows.map(({ id, values: sent }) => {
      const row = id === undefined ? undefined : existing.get(id);
      if (id !== undefined && !row) {
        throw wrongPart(table.name, `has no row with the data_id ${id}`, 'unknownRow');
      }
      if (row) existing.delete(row.id);
      const changed = this.#keptChildren(table, row);
      for (const [part, value] of sent) changed[part.id] = value;
      return {
        id: row?.id ?? this.#workbench.storage.applications.takeRowId(this.#application.id),
        values: changed,
      };
    });
  }

  /** The values of a row that are kept when the sent values are added. */
  #keptChildren(table: Part, row: StoredRow | undefined): Values {
    if (!row || this.#workbench.dialect.omittedChild === 'kept') return { ...row?.values };
    const files = table.children.filter(({ type }) => type === 'files');
    return Object.fromEntries(files.map(({ id }) => [id, row.values[id]]));
  }

  #changeRowFiles(values: Values, change: FileChange & { table: Part; row: number; part: Part }): void {
    const rows = (values[change.table.id] ?? []) as StoredRow[];
    const row = rows[change.row];
    if (!row) {
      throw wrongPart(change.table.name, `has no row ${change.row}`, 'unknownRow');
    }
    const files = this.#changedFiles(change.part, filesOf(row.values[change.part.id]), change);
    const changed = { ...row, values: { ...row.values, [change.part.id]: files } };
    values[change.table.id] = rows.with(change.row, changed);
  }

  #changedFiles(part: Part, files: readonly StoredFile[], change: FileChange): StoredFile[] {
    const { dialect } = this.#workbench;
    for (const id of change.removed) {
      if (!files.some((file) => file.id === id)) {
        throw wrongPart(part.name, `has no file with the id ${id}`, 'unknownFile');
      }
    }
    const removed = new Set(change.removed);
    const added = pick(change.added, dialect.severalFiles);
    return [...files.filter(({ id }) => !removed.has(id)), ...added];
  }

  /** Runs automatic processes on data add and change, as far as a caller can see their effect. */
  #runAutomatic(record: DataRecord, values: Values, on: 'insert' | 'update'): void {
    const words: Record<string, string> = {
      action: on,
      user: this.#user.name,
      revision: String(record.revision),
      time: record.updatedAt,
    };
    for (const process of this.#application.automatic) {
      if (process.on !== on && process.on !== 'both') continue;
      values[process.part] = process.value.replace(/\{(\w+)\}/g, (all, word: string) => words[word] ?? all);
    }
  }

  #checkRequired(values: Values): void {
    for (const part of this.#application.parts) {
      if (part.required && isEmpty(values[part.id])) throw missing(part);
      if (part.type !== 'input_list') continue;
      for (const row of (values[part.id] ?? []) as StoredRow[]) {
        const child = part.children.find(({ required, id }) => required && isEmpty(row.values[id]));
        if (child) throw missing(child);
      }
    }
  }

  /** New files now belong to the record; files that it no longer contains are removed. */
  #settleFiles(record: number, before: Values, after: Values): void {
    const { files } = this.#workbench.storage;
    const [old, held] = [before, after].map((values) => filesIn(this.#application, values));
    for (const [id, part] of held ?? []) {
      if (!old?.has(id)) files.adopt(id, { application: this.#application.id, part, record });
    }
    files.remove([...(old?.keys() ?? [])].filter((id) => !held?.has(id)));
  }
}

function missing(part: Part): ServiceError {
  return wrongPart(part.name, 'must not be empty');
}

function isEmpty(value: Values[string]): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

function withoutEmpty(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmpty(value)));
}

function pick<T>(items: readonly T[], which: Dialect['severalFiles']): readonly T[] {
  if (which === 'all') return items;
  return which === 'first' ? items.slice(0, 1) : items.slice(-1);
}

/** All files of a record, including those in rows: part id by file id. */
function filesIn(application: Application, values: Values): Map<number, number> {
  const found = new Map<number, number>();
  const collect = (part: Part, held: Values) => {
    for (const { id } of filesOf(held[part.id])) found.set(id, part.id);
  };
  for (const part of application.parts) {
    if (part.type === 'files') collect(part, values);
    if (part.type !== 'input_list') continue;
    const children = part.children.filter(({ type }) => type === 'files');
    for (const row of (values[part.id] ?? []) as StoredRow[]) {
      for (const child of children) collect(child, row.values);
    }
  }
  return found;
}
