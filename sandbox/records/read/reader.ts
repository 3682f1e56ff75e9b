import type { Dialect } from '../../settings/switches.ts';
import { calculatedOf } from '../../parts/calculated.ts';
import { container, countOf, flag, idOf } from '../../parts/shapes.ts';
import type { PartKind, ReadContext } from '../../parts/kind.ts';
import { kindOf } from '../../parts/kinds.ts';
import { isComputed, type Part, type StoredFile, type StoredRow } from '../../parts/part.ts';
import type { Application } from '../../storage/applications.ts';
import type { DataRecord } from '../../storage/dataRecord.ts';
import type { Storage } from '../../storage/storage.ts';
import { plainValue, type Holder } from './holder.ts';
import { findPart, keyOf } from './keys.ts';
import type { Resolver } from './resolver.ts';
import type { Access } from './rights.ts';

/** A part-value object (interface.md, "Data record"). */
export interface PartValue {
  val?: unknown;
  deny_write?: 'on';
  type?: string;
  hint?: string;
  error?: string;
}

/** What a reader shows of each record. */
export interface Reading {
  readonly parts: readonly Part[];
  readonly revision: boolean;
  readonly permissions: boolean;
  /** `load_rel_list`: without it, the values of reference lists are empty. */
  readonly relatedLists: boolean;
}

interface ReaderParts {
  readonly storage: Storage;
  readonly dialect: Dialect;
  readonly resolver: Resolver;
  readonly application: Application;
  readonly fileUrl: (application: Application, part: Part, file: StoredFile) => string;
}

const permissionKeys = { one: '\\permissions', two: '\\\\permissions', plain: 'permissions' } as const;

/** Writes the records of one application as answers show them. */
export class RecordReader {
  readonly #parts: ReaderParts;
  readonly #access: Access;
  readonly #byIdentifier: boolean;
  readonly #columns: readonly Column[];
  readonly #permissionsKey: string;
  readonly #reading: Reading;
  readonly #context: ReadContext;

  constructor(parts: ReaderParts, reading: Reading) {
    this.#parts = parts;
    this.#reading = reading;
    this.#access = parts.resolver.access(parts.application);
    this.#byIdentifier = parts.application.partIdentifierMode;
    // The record's revision hides a part of this name. Of parts with the same name, the last one is shown.
    const columns = new Map(
      columnsOf(reading.parts, this.#access, this.#byIdentifier).map((column) => [column.key, column]),
    );
    if (reading.revision) columns.delete('revision');
    this.#columns = [...columns.values()];
    this.#permissionsKey = `${JSON.stringify(permissionKeys[parts.dialect.permissionsKey])}:`;
    this.#context = this.#contextOf(parts.application);
  }

  /**
   * One record as JSON text, as `record` of `get_data` and an item of `list_data`. It writes text directly, because a
   * page has a hundred thousand values and objects would take twice the time.
   */
  write(record: DataRecord): string {
    const writable = this.#access.writes(record);
    const holder = { record };
    let text = '{';
    for (const column of this.#columns) text += this.#member(column, holder, writable);
    const { dialect } = this.#parts;
    if (this.#reading.revision) {
      text += `"revision":{"val":${JSON.stringify(countOf(record.revision, dialect))},"deny_write":"on"},`;
    }
    if (this.#reading.permissions) {
      const deletable = this.#access.deletes(record);
      text += `${this.#permissionsKey}{"allow_write":"${flag(writable)}","allow_delete":"${flag(deletable)}"},`;
    }
    return text.length === 1 ? '{}' : `${text.slice(0, -1)}}`;
  }

  /** One part of a record, with its key and a comma. */
  #member(column: Column, holder: Holder, writable: boolean): string {
    const { part, kind, denied, opening } = column;
    if (!kind) return `${column.name}${JSON.stringify(this.#value(column, holder, writable))},`;
    const val = jsonOf(kind.render(plainValue(part, holder), part, this.#context));
    return opening + val + (denied || !writable ? ',"deny_write":"on"},' : '},');
  }

  #contextOf(application: Application): ReadContext {
    const { dialect, storage, fileUrl } = this.#parts;
    return { dialect, people: storage.people, fileUrl: (part, file) => fileUrl(application, part, file) };
  }

  #value({ part, kind, denied }: Column, holder: Holder, writable: boolean): PartValue {
    const value = kind
      ? { val: kind.render(plainValue(part, holder), part, this.#context) }
      : this.#readable(part, holder, writable);
    if (value.error !== undefined && this.#parts.dialect.partErrors === 'alone')
      return { error: value.error };
    if (denied || !writable) value.deny_write = 'on';
    return value;
  }

  #readable(part: Part, holder: Holder, writable: boolean): PartValue {
    if (this.#access.part(part) === 'none') return { val: '', error: 'unauthorized' };
    if (part.type === 'input_list') return { val: this.#rows(part, holder, writable) };
    if (part.type === 'rel_list') return this.#related(part, holder);
    const { application, resolver } = this.#parts;
    const resolved = resolver.resolve(application, part, holder);
    if (resolved.error) return { val: '', error: resolved.error };
    const context = part.source ? this.#sourceContext(part) : this.#context;
    const value: PartValue = { val: resolved.kind.render(resolved.value, resolved.part, context) };
    if (resolved.part.type === 'expression') {
      const { hint } = calculatedOf(resolved.value);
      value.type = 'number';
      if (hint !== undefined) value.hint = hint;
    }
    return value;
  }

  #sourceContext(part: Part): ReadContext {
    const source = part.source && this.#parts.storage.applications.get(part.source.application);
    return source ? this.#contextOf(source) : this.#context;
  }

  #rows(table: Part, holder: Holder, writable: boolean): unknown {
    const rows = (holder.record.values[table.id] ?? []) as StoredRow[];
    const children = columnsOf(table.children, this.#access, this.#byIdentifier);
    const items = rows.map((row) => {
      const item: Record<string, unknown> = {};
      for (const child of children) {
        item[child.key] = this.#value(child, { record: holder.record, row }, writable);
      }
      return { ...item, ...this.#rowId(row) };
    });
    return container('child_records', items, this.#parts.dialect);
  }

  /** A row's id, if the dialect says that rows carry it. */
  #rowId(row: StoredRow): Record<string, unknown> {
    const { dialect } = this.#parts;
    const id = idOf(row.id, dialect);
    switch (dialect.rowIds) {
      case 'plain':
        return { data_id: id };
      case 'value':
        return { data_id: { val: id } };
      case 'part':
        return {
          [this.#byIdentifier ? rowIdPart.identifier : rowIdPart.name]: { val: id, deny_write: 'on' },
        };
      case 'none':
        return {};
    }
  }

  #related(list: Part, holder: Holder): PartValue {
    const { dialect, resolver, application } = this.#parts;
    const empty = container('child_records', [], dialect);
    if (!this.#reading.relatedLists || !list.relation) return { val: empty };
    const found = resolver.related(application, list.relation, holder);
    if ('error' in found) return { val: empty, error: found.error };
    const context = this.#contextOf(found.application);
    const children = columnsOf(list.children, this.#access, this.#byIdentifier);
    const items = found.records.map((record) => {
      const item: Record<string, PartValue> = {};
      for (const { key, part } of children) {
        const source = findPart(found.application, part.sourcePart ?? 0);
        if (!source) {
          item[key] = { val: '', deny_write: 'on', error: 'reference_error' };
          continue;
        }
        const shown = resolver.resolve(found.application, source, { record });
        item[key] = shown.error
          ? { val: '', deny_write: 'on', error: shown.error }
          : { val: shown.kind.render(shown.value, shown.part, context), deny_write: 'on' };
      }
      return item;
    });
    return { val: container('child_records', items, dialect) };
  }
}

/** The child part with the row id, if the dialect says that there is one. */
export const rowIdPart = { name: 'Row ID', identifier: 'row_id' } as const;

/** Whether JSON has to escape a character of a text, including lone surrogates. */
const escaped = /["\\\u0000-\u001f\ud800-\udfff]/;

/** JSON text. Most values are plain texts, for which this is twice as fast as JSON.stringify. */
function jsonOf(value: unknown): string {
  return typeof value === 'string' && !escaped.test(value) ? `"${value}"` : JSON.stringify(value);
}

/** A part with its key, and everything that is the same for every record. */
interface Column {
  readonly key: string;
  /** The key as JSON, with its colon; then with the beginning of a part-value object. */
  readonly name: string;
  readonly opening: string;
  readonly part: Part;
  /** The part cannot be written, whatever the record. */
  readonly denied: boolean;
  /** Set for a part whose value is in the record and is written unchanged. */
  readonly kind: PartKind | undefined;
}

/** The columns of those parts that have a key. */
function columnsOf(parts: readonly Part[], access: Access, byIdentifier: boolean): Column[] {
  return parts.flatMap((part) => {
    const key = keyOf(part, byIdentifier);
    if (key === undefined) return [];
    const right = access.part(part);
    const special = part.source !== undefined || ['input_list', 'rel_list', 'expression'].includes(part.type);
    const name = `${JSON.stringify(key)}:`;
    return {
      key,
      name,
      opening: `${name}{"val":`,
      part,
      denied: isComputed(part) || part.readonly || right !== 'write',
      kind: special || right === 'none' ? undefined : kindOf(part),
    };
  });
}
