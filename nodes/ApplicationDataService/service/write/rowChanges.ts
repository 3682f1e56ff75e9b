import { canonicalText, holds } from '../../parts/compare';
import { assertOffered, type EncodedPart } from '../../parts/encode';
import type { Part, RowWrite, WriteContext, WriteValue } from '../../parts/model/part';
import { storedRows } from '../../parts/placeRows';
import { valueOf } from '../../parts/types/entries';
import { mergeRows, rowsById } from './rows';

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

/** What a change comes to. */
export interface RowOutcome {
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'deleted' | 'notFound';
  /** IDs that a deletion names: those of rows that were there, and the others. */
  readonly ids?: readonly string[];
  readonly notFound?: readonly string[];
}

/**
 * Changes of single rows of one table part, in their order. A row that two changes name gets both; one that two
 * deletions name counts for both.
 * @param value the table part as it was read, simplified.
 * @returns all rows as they are to be sent, `null` if none changes; and what each change comes to.
 * @throws UserError if the service gives no row IDs.
 */
export function changeRows(
  table: Part,
  changes: readonly RowChange[],
  value: readonly unknown[],
  context: WriteContext,
): { readonly rows: readonly RowWrite[] | null; readonly outcomes: readonly RowOutcome[] } {
  const rows = storedRows(value)!;
  const stored = rowsById(table, rows);
  const changed = new Map<string, Map<Part, WriteValue>>();
  const removed = new Set<string>();
  const added: RowWrite[] = [];

  const update = ({ id, values, skipUnchanged }: RowChange & { kind: 'update' }): RowOutcome['outcome'] => {
    const row = stored.get(id);
    if (row === undefined) return 'notFound';
    assertOffered(values, row, context);
    const earlier = changed.get(id) ?? new Map<Part, WriteValue>();
    const isHeld = ({ part, value: wanted }: EncodedPart): boolean =>
      earlier.has(part)
        ? isSame(part, earlier.get(part)!, wanted)
        : holds(part, wanted, valueOf(row, part, context), context) === true;
    const sent = skipUnchanged ? values.filter((each) => !isHeld(each)) : values;
    if (sent.length === 0) return 'unchanged';
    for (const each of sent) earlier.set(each.part, joined(earlier.get(each.part), each.value));
    changed.set(id, earlier);
    return 'updated';
  };

  const outcomes = changes.map((change): RowOutcome => {
    if (change.kind === 'update') return { outcome: update(change) };
    if (change.kind === 'add') {
      added.push({ values: change.values });
      return { outcome: 'created' };
    }
    const ids = change.ids.filter((id) => stored.has(id));
    const notFound = change.ids.filter((id) => !stored.has(id));
    ids.forEach((id) => removed.add(id));
    return { outcome: ids.length > 0 ? 'deleted' : 'notFound', ids, notFound };
  });

  if (changed.size + added.length + removed.size === 0) return { rows: null, outcomes };
  const joinedById = [...changed].map(([id, values]) => ({
    id,
    values: [...values].map(([part, each]) => ({ part, value: each })),
  }));
  return { rows: mergeRows(table, joinedById, added, rows, { context }, removed), outcomes };
}

function isSame(part: Part, earlier: WriteValue, later: WriteValue): boolean {
  return earlier.kind === 'text' && later.kind === 'text'
    ? canonicalText(part, earlier.text) === canonicalText(part, later.text)
    : JSON.stringify(earlier) === JSON.stringify(later);
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
