import { holds, storedText } from '../../parts/compare';
import { assertOffered, type EncodedPart, hasUnoffered } from '../../parts/encode';
import type { RowWrite, TextValue, WriteContext, WriteValue } from '../../parts/model/codec';
import { namePart } from '../../parts/model/errors';
import { outputKey, partKey } from '../../parts/model/keys';
import type { Part } from '../../parts/model/part';
import { describeExisting } from '../../parts/values/describe';
import type { SimplifiedValue } from '../../parts/values/shapes';
import { UserError } from '../../util/userError';
import { ServiceError } from '../http/errors';
import { type CurrentRecord, valueOf } from '../read/records';
import { changesFiles, type Contents, filesOf, lackingFiles } from './files';
import { mergeRows, readStoredRows, rowsToSend } from './rows';

/** What a record is to hold. */
export interface Desired {
  readonly values: readonly EncodedPart[];
  /** Table parts and attachment parts to empty, whatever the row mode; `values` holds the others. */
  readonly emptied: readonly Part[];
  /** Changes of single rows, in their order. */
  readonly rowChanges?: readonly RowChange[];
}

/** How what is wanted is held against what is there. */
export interface DiffTerms {
  readonly context: WriteContext;
  /** Whether rows of table parts are merged into those that are there, or replace them. */
  readonly rowMode: 'merge' | 'replace';
  /** IDs of parts that are sent along with any change: the service looks up values by them. */
  readonly relookupKeyParts: readonly string[];
  /** Leave out what the record holds already. */
  readonly onlyChanges: boolean;
  /** For Sync, where writing again must change nothing: the files that the values name. Files then count by name, rows by content. */
  readonly contents?: Contents;
  /** The record before this write first went out; `null` if it has not. */
  readonly before?: CurrentRecord | null;
}

/** What has to be sent so that a record holds what is wanted. */
export interface Difference {
  /** Empty if the record holds it all. */
  readonly values: readonly EncodedPart[];
  /** Files that stay as they are although the record holds another one of the same name, told by its size. */
  readonly otherFiles: number;
  /** What each row change comes to. */
  readonly rowOutcomes: readonly RowOutcome[];
}

/** A value to send, and whether the record holds it already. */
interface Candidate extends EncodedPart {
  readonly isHeld: boolean;
}

/**
 * What must be sent so that a record holds what is wanted, for all operations that change records.
 * @param current the record as it is; `null` if it was not read, where only plain values are written.
 * @throws UserError if rows cannot be changed safely; ServiceError if the record does not show rows or files.
 */
export function diff(desired: Desired, current: CurrentRecord | null, terms: DiffTerms): Difference {
  const counted = { otherFiles: 0 };
  if (current !== null) assertOffered(desired.values, current.record, terms.context);
  const rows = changeRows(desired.rowChanges ?? [], current, terms);
  const candidates = [
    ...desired.values.flatMap((value) => candidateOf(value, current, terms, counted)),
    ...desired.emptied.flatMap((part) => emptied(part, current, terms)),
    ...rows.values.map((value) => ({ ...value, isHeld: false })),
  ];
  const isWanted = ({ isHeld }: Candidate): boolean => !terms.onlyChanges || !isHeld;
  const values = candidates.some(isWanted)
    ? candidates.filter((each) => isWanted(each) || terms.relookupKeyParts.includes(each.part.id))
    : [];
  return {
    values: values.map(({ part, value }) => ({ part, value })),
    otherFiles: counted.otherFiles,
    rowOutcomes: rows.outcomes,
  };
}

function candidateOf(
  { part, value }: EncodedPart,
  current: CurrentRecord | null,
  terms: DiffTerms,
  counted: { otherFiles: number },
): Candidate[] {
  const { context, contents } = terms;
  const stored = current === null ? undefined : valueOf(current.record, part, context);
  switch (value.kind) {
    case 'keep':
      return [];
    case 'text':
      return plainText(part, value, current !== null && holds(part, value, stored, context) === true);
    case 'files': {
      if (contents === undefined) return presentFiles(part, value, stored);
      const lacking = lackingFiles(value, stored, contents);
      if (lacking === null) throw notReadable(part, 'files');
      counted.otherFiles += lacking.otherSize;
      return lacking.value.kind === 'keep' ? [] : [{ part, value: lacking.value, isHeld: false }];
    }
    case 'rows':
      return tableRows(part, value.rows, stored, terms);
  }
}

/** A choice that is no longer offered is not written back. */
function plainText(part: Part, value: TextValue, isHeld: boolean): Candidate[] {
  return isHeld && value.assertOffered !== undefined ? [] : [{ part, value, isHeld }];
}

function tableRows(
  part: Part,
  given: readonly RowWrite[],
  stored: SimplifiedValue | undefined,
  { context, contents, rowMode, before }: DiffTerms,
): Candidate[] {
  if (rowMode === 'merge' && given.length === 0) return [];
  if (!Array.isArray(stored)) throw notReadable(part, 'rows');
  const then = before === null || before === undefined ? undefined : valueOf(before.record, part, context);
  const { rows, differ } = rowsToSend(part, given, stored, {
    context,
    rowMode,
    ...(contents !== undefined && { contents }),
    ...(Array.isArray(then) && { before: then }),
  });
  return differ || contents === undefined ? [{ part, value: { kind: 'rows', rows }, isHeld: !differ }] : [];
}

/** Files to remove that do not exist count as removed. */
function presentFiles(
  part: Part,
  { add, remove }: Extract<WriteValue, { kind: 'files' }>,
  stored: SimplifiedValue | undefined,
): Candidate[] {
  const files = filesOf(stored);
  if (files === undefined) throw notReadable(part, 'files');
  const there = remove.filter((id) => files.some((file) => file.id === id));
  if (add.length + there.length === 0) return [];
  return [{ part, value: { kind: 'files', add, remove: there }, isHeld: false }];
}

/** What empties a table part or an attachment part: no rows, or the removal of each file that is there. */
function emptied(part: Part, current: CurrentRecord | null, { context, contents }: DiffTerms): Candidate[] {
  const stored = current === null ? undefined : valueOf(current.record, part, context);
  const isEmpty = Array.isArray(stored) && stored.length === 0;
  if (part.type === 'input_list')
    return isEmpty && contents !== undefined
      ? []
      : [{ part, value: { kind: 'rows', rows: [] }, isHeld: isEmpty }];
  return presentFiles(
    part,
    { kind: 'files', add: [], remove: filesOf(stored)?.map(({ id }) => id) ?? [] },
    stored,
  );
}

/** The refusal of a change that needs to see what it changes. */
function notReadable(part: Part, what: 'rows' | 'files'): ServiceError {
  return new ServiceError(
    'refused',
    what === 'rows'
      ? `The rows of ${namePart(part)} cannot be merged: the record does not show them`
      : `The attachments of ${namePart(part)} cannot be changed: the record does not show them`,
    what === 'rows'
      ? 'Ask for the right to read this table part, or leave it out.'
      : 'Ask for the right to read this part, or leave it out.',
  );
}

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
  /** IDs that a deletion names: those of rows that were there, and the others. */
  readonly ids: readonly string[];
  readonly notFound: readonly string[];
  /** Where nothing was found: a sentence about the rows that are there. */
  readonly existing?: string;
}

/**
 * Changes of single rows. A row that two changes name gets both, in order; one that two deletions name counts for both.
 * @throws UserError if the service gives no row IDs, ServiceError if the record does not show the rows.
 */
function changeRows(
  changes: readonly RowChange[],
  current: CurrentRecord | null,
  { context }: DiffTerms,
): { readonly values: readonly EncodedPart[]; readonly outcomes: readonly RowOutcome[] } {
  const tables = new Map<Part, TableChanges>();
  const outcomes = changes.map((change) => {
    let changed = tables.get(change.table);
    if (changed === undefined) {
      const rows = current === null ? undefined : valueOf(current.record, change.table, context);
      if (!Array.isArray(rows)) throw notReadable(change.table, 'rows');
      changed = new TableChanges(change.table, rows, context);
      tables.set(change.table, changed);
    }
    return changed.make(change);
  });
  return { values: [...tables.values()].flatMap((changed) => changed.values()), outcomes };
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
    if (change.kind === 'update') {
      const outcome = this.update(change);
      return { outcome, ids: [], notFound: [], ...(outcome === 'notFound' && this.existing()) };
    }
    this.added.push({ values: change.values });
    return { outcome: 'created', ids: [], notFound: [] };
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
    if (ids.length > 0) return { outcome: 'deleted', ids, notFound };
    return { outcome: 'notFound', ids, notFound, ...this.existing() };
  }

  private existing(): Pick<RowOutcome, 'existing'> {
    return { existing: describeExisting('rows', [...this.stored.keys()]) };
  }

  private update({ id, values, skipUnchanged }: RowChange & { kind: 'update' }): RowOutcome['outcome'] {
    const stored = this.stored.get(id);
    if (stored === undefined) return 'notFound';
    assertOffered(values, stored, this.context);
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

/**
 * What to do when the record has changed since the item's revision: write anyway, fail, pass the item on, or write where
 * nobody touched the same parts.
 */
export type ConflictPolicy = 'overwrite' | 'fail' | 'skip' | 'merge';

/** A record that has moved on since the item was read. */
export class ConflictError extends UserError {
  /** @param ids of the record */
  constructor(
    message: string,
    description: string,
    readonly ids: readonly string[],
  ) {
    super(message, description);
  }

  override reworded(message: string, description: string = this.description): ConflictError {
    return new ConflictError(message, description, this.ids);
  }
}

/** An item's change, held against a record that has moved on. */
export interface Conflict extends Desired {
  readonly policy: ConflictPolicy;
  /** Revision the item goes by. */
  readonly revision: number;
  /** All parts of the application. */
  readonly parts: readonly Part[];
  /** The item's json: where it carries a part under its key, that is the value the item goes by. */
  readonly known: Readonly<Record<string, unknown>>;
  readonly current: CurrentRecord;
  readonly context: WriteContext;
}

/**
 * Decides a conflict: `conflict` passes the item on, `write` writes on the current revision.
 * @throws ConflictError if the policy is to fail, or to merge and the same parts were changed. It names both revisions and
 * the parts that differ.
 */
export function resolveConflict(conflict: Conflict): 'conflict' | 'write' {
  const { policy, values, emptied: empty } = conflict;
  if (policy === 'overwrite') return 'write';
  if (policy === 'skip') return 'conflict';
  const written = [...values.filter(({ value }) => value.kind !== 'keep').map(({ part }) => part), ...empty];
  const touched = written.filter((part) => !isUntouched(conflict, part));
  if (policy === 'fail') throw changed(conflict, differentParts(conflict, written));
  // A revision that is newer than the record's is that of another record, or of another time.
  if (touched.length === 0 && conflict.revision <= conflict.current.revision) return 'write';
  throw changed(conflict, touched);
}

function changed({ policy, current, revision }: Conflict, parts: readonly Part[]): ConflictError {
  const names = parts.map(({ name }) => `"${name}"`).join(', ');
  if (current.revision < revision) {
    return new ConflictError(
      `The newest revision of the record ${current.id} is ${current.revision}, but the item has revision ${revision}. Different from the item: ${names || 'none of the parts to write'}`,
      'The revision may be that of another record: check where the item takes it from, or read the record again.',
      [current.id],
    );
  }
  return new ConflictError(
    `The record ${current.id} was changed in the meantime: the item has revision ${revision}, the service ${current.revision}. Different since then: ${names || 'none of the parts to write'}`,
    policy === 'merge'
      ? 'Only parts that were not changed are merged. Read the record again and decide which value is right.'
      : 'Read the record again, or select something else under "If the Record Was Changed".',
    [current.id],
  );
}

/**
 * Every part that differs from what the item knows of it, and of the others those that differ from what they are to be.
 * The service's own parts are left out: they tell of each change.
 */
function differentParts(conflict: Conflict, written: readonly Part[]): readonly Part[] {
  const { known, values, current, context } = conflict;
  return conflict.parts.filter((part) => {
    if (part.system) return false;
    const now = valueOf(current.record, part, context);
    if (valueOf(known, part, context) !== undefined) return now !== undefined && !isUntouched(conflict, part);
    if (!written.includes(part)) return false;
    const value = values.find((each) => each.part === part)?.value;
    return value === undefined || holds(part, value, now, context) !== true;
  });
}

/** Whether a part is known to be as the item last saw it. */
function isUntouched({ known, current, context }: Conflict, part: Part): boolean {
  const before = valueOf(known, part, context);
  const now = valueOf(current.record, part, context);
  return before !== undefined && now !== undefined && isSame(part, before, now, context);
}

function isSame(part: Part, before: SimplifiedValue, now: SimplifiedValue, context: WriteContext): boolean {
  if (JSON.stringify(withoutBinary(before)) === JSON.stringify(now)) return true;
  return (
    part.type !== 'files' &&
    part.type !== 'input_list' &&
    storedText(part, before, context) === storedText(part, now, context)
  );
}

/** A value without the names of binary fields, which a download adds to files (parameters.md, "Record > Get"). */
function withoutBinary(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBinary);
  if (typeof value !== 'object' || value === null) return value;
  const isFile = 'url' in value && 'mimeType' in value;
  const entries = Object.entries(value).filter(([key]) => !(isFile && key === 'binary'));
  return Object.fromEntries(entries.map(([key, each]) => [key, withoutBinary(each)]));
}

/** Whether a change can be made without reading the record first: plain values only, all of them offered. */
export function isPlain({ values, emptied: empty, rowChanges = [] }: Desired): boolean {
  if (empty.length + rowChanges.length > 0 || hasUnoffered(values)) return false;
  return values.every(({ value }) => value.kind === 'text' || value.kind === 'keep');
}

/** Whether a difference may be sent without a revision for the service to check: it removes and adds nothing. */
export function needsGuard(values: readonly EncodedPart[]): boolean {
  return changesFiles(values) || values.some(({ value }) => value.kind === 'rows');
}
