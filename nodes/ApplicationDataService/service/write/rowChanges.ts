import type { RowWrite, WriteContext, WriteValue } from '../../parts/model/codec';
import { holds } from '../../parts/compare';
import { namePart } from '../../parts/model/errors';
import { outputKey, partKey } from '../../parts/model/keys';
import { mergeRows, readStoredRows } from '../../parts/mergeRows';
import type { Part } from '../../parts/model/part';
import { valueOf, type CurrentRecord } from '../read/current';
import { ServiceError } from '../http/errors';
import type { EncodedPart } from '../../parts/encode';

/** One change of the rows of a table part. */
export type RowChange = { readonly table: Part } & (
  | { readonly kind: 'add'; readonly values: RowWrite['values'] }
  | {
      readonly kind: 'update';
      readonly id: string;
      readonly values: RowWrite['values'];
      /** Send only what the row does not hold yet. */
      readonly skipUnchanged: boolean;
    }
  | { readonly kind: 'delete'; readonly ids: readonly string[] }
);

/** What a change came to. */
export interface RowOutcome {
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'deleted' | 'notFound';
  /** Ids that a deletion names: those of rows that were there, and the others. */
  readonly ids: readonly string[];
  readonly notFound: readonly string[];
}

/** What to write so that all changes are made, in their order. */
export interface RowsPlan {
  /** One value for each table part that changes: all its rows. */
  readonly values: readonly EncodedPart[];
  /** By change. */
  readonly outcomes: readonly RowOutcome[];
}

/**
 * Plans changes of a record's rows, given the record as it is. A row that two changes name gets both, in order; one
 * that two deletions name counts for both.
 * @throws UserError if the service gives no row ids, ServiceError if the record does not show the rows.
 */
export function planRows(
  changes: readonly RowChange[],
  current: CurrentRecord,
  context: WriteContext,
): RowsPlan {
  const tables = new Map<Part, TableChanges>();
  const outcomes = changes.map((change) => {
    let changed = tables.get(change.table);
    if (changed === undefined) {
      changed = new TableChanges(change.table, storedRows(change.table, current, context), context);
      tables.set(change.table, changed);
    }
    return changed.make(change);
  });
  return { values: [...tables.values()].flatMap((changed) => changed.values()), outcomes };
}

function storedRows(table: Part, { record }: CurrentRecord, context: WriteContext): readonly unknown[] {
  const stored = valueOf(record, table, context);
  if (Array.isArray(stored)) return stored as unknown[];
  throw new ServiceError(
    'refused',
    `The rows of ${namePart(table)} cannot be changed: the record does not show them`,
    'Ask for the right to read this table part.',
  );
}

/** The changes of one table part, one after the other. */
class TableChanges {
  private readonly stored: ReturnType<typeof readStoredRows>;

  private readonly changed = new Map<string, Map<Part, WriteValue>>();

  private readonly removed = new Set<string>();

  private readonly added: RowWrite[] = [];

  constructor(
    private readonly table: Part,
    private readonly rows: readonly unknown[],
    private readonly context: WriteContext,
  ) {
    this.stored = readStoredRows(table, rows);
  }

  make(change: RowChange): RowOutcome {
    if (change.kind === 'delete') return this.delete(change.ids);
    if (change.kind === 'update') return outcome(this.update(change));
    this.added.push({ values: change.values });
    return outcome('created');
  }

  /** All rows, as they are to be sent; nothing if none changes. */
  values(): EncodedPart[] {
    const changed = [...this.changed].map(([id, values]) => ({
      id,
      values: [...values].map(([part, value]) => ({ part, value })),
    }));
    if (changed.length + this.added.length + this.removed.size === 0) return [];
    const given = [...changed.filter(({ id }) => !this.removed.has(id)), ...this.added];
    const rows = mergeRows(this.table, given, this.rows, this.context, this.removed);
    return [{ part: this.table, value: { kind: 'rows', rows } }];
  }

  private delete(wanted: readonly string[]): RowOutcome {
    const ids = wanted.filter((id) => this.stored.has(id));
    const notFound = wanted.filter((id) => !this.stored.has(id));
    ids.forEach((id) => this.removed.add(id));
    return { outcome: ids.length > 0 ? 'deleted' : 'notFound', ids, notFound };
  }

  private update({ id, values, skipUnchanged }: RowChange & { kind: 'update' }): RowOutcome['outcome'] {
    if (!this.stored.has(id)) return 'notFound';
    const sent = skipUnchanged ? values.filter((value) => !this.holds(id, value)) : values;
    if (sent.length === 0) return 'unchanged';
    const row = this.changed.get(id) ?? new Map<Part, WriteValue>();
    this.changed.set(id, row);
    for (const { part, value } of sent) row.set(part, joined(row.get(part), value));
    return 'updated';
  }

  /** Whether a row holds a value already, or will by an earlier change. */
  private holds(id: string, { part, value }: EncodedPart): boolean {
    const earlier = this.changed.get(id)?.get(part);
    if (earlier !== undefined) return JSON.stringify(earlier) === JSON.stringify(value);
    const stored = this.stored.get(id)?.[outputKey(partKey(part, this.context.keyMode))];
    return holds(part, value, stored, this.context) === true;
  }
}

function outcome(of: RowOutcome['outcome']): RowOutcome {
  return { outcome: of, ids: [], notFound: [] };
}

/** The later of two values; of files, what both add and remove. */
function joined(earlier: WriteValue | undefined, later: WriteValue): WriteValue {
  if (earlier === undefined || earlier.kind === 'keep') return later;
  if (later.kind === 'keep') return earlier;
  if (earlier.kind !== 'files' || later.kind !== 'files') return later;
  return {
    kind: 'files',
    add: [...new Set([...earlier.add, ...later.add])],
    remove: [...new Set([...earlier.remove, ...later.remove])],
  };
}
