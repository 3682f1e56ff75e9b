import type { IDataObject } from 'n8n-workflow';

import { holds } from '../../parts/compare';
import { assertOffered, type EncodedPart } from '../../parts/encode';
import type { Part, RowWrite, WriteValue } from '../../parts/model/part';
import { namePart } from '../../parts/model/errors';
import type { SimplifiedValue } from '../../parts/values/shapes';
import { groupBy } from '../../util/groupBy';
import { ServiceError } from '../http/errors';
import { valueOf } from '../../parts/types/entries';
import type { CurrentRecord } from '../read/records';
import { fileChanges, filesOf, lackingFiles } from './files';
import { changeRows, type RowChange, type RowOutcome } from './rowChanges';
import { rowsToSend, type RowTerms } from './rows';

/** What a record is to hold. */
export interface Desired {
  readonly values: readonly EncodedPart[];
  /** Table parts and attachment parts to empty, whatever the row mode; `values` holds the others. */
  readonly emptied: readonly Part[];
  /** Changes of single rows, in their order. */
  readonly rowChanges?: readonly RowChange[];
}

/** How what is wanted is held against what is there. */
export interface DiffTerms extends RowTerms {
  /** IDs of parts that are sent along with any change: the service looks up values by them. */
  readonly relookupKeyParts: readonly string[];
}

/** What has to be sent so that a record holds what is wanted. */
interface Difference {
  /** Empty if the record holds it all. */
  readonly values: readonly EncodedPart[];
  readonly found: Found;
}

/** What was found out besides, to be remembered with the write. */
export type Found = IDataObject & {
  /** IDs of the files to remove that are there. */
  removed: string[];
  /** What each row change comes to. */
  outcomes: RowOutcome[];
  /** Files that stay as they are although the record holds another one of the same name, told by its size. */
  otherFiles: number;
};

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
  if (current !== null) {
    const plain = desired.values.filter(({ value }) => value.kind === 'text');
    assertOffered(plain, current.record, terms.context);
  }
  const rows = changesOfRows(desired.rowChanges ?? [], current, terms);
  const candidates = [
    ...desired.values.flatMap((value) => candidateOf(value, current, terms, counted)),
    ...desired.emptied.flatMap((part) => emptied(part, current, terms)),
    ...rows.values.map((value) => ({ ...value, isHeld: false })),
  ];
  const isWanted = ({ isHeld }: Candidate): boolean => !terms.onlyChanges || !isHeld;
  const values = candidates.some(isWanted)
    ? candidates.filter((each) => isWanted(each) || terms.relookupKeyParts.includes(each.part.id))
    : [];
  const there = new Set(removalsIn(values));
  return {
    values: values.map(({ part, value }) => ({ part, value })),
    found: {
      removed: removalsIn(desired.values).filter((id) => there.has(id)),
      outcomes: rows.outcomes,
      otherFiles: counted.otherFiles,
    },
  };
}

function removalsIn(values: readonly EncodedPart[]): string[] {
  return fileChanges(values).flatMap(({ value }) => value.remove);
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
    case 'text': {
      const isHeld = holds(part, value, stored, context) === true;
      // A choice that is no longer offered is not written back.
      return isHeld && value.unoffered !== undefined ? [] : [{ part, value, isHeld }];
    }
    case 'files': {
      const lacking = lackingFiles(value, stored, contents);
      if (lacking === null) throw notReadable(part, 'attachments');
      counted.otherFiles += lacking.otherSize;
      return lacking.value.kind === 'keep' ? [] : [{ part, value: lacking.value, isHeld: false }];
    }
    case 'rows':
      return tableRows(part, value.rows, stored, terms, counted);
  }
}

function tableRows(
  part: Part,
  given: readonly RowWrite[],
  stored: SimplifiedValue | undefined,
  terms: DiffTerms,
  counted: { otherFiles: number },
): Candidate[] {
  if (terms.rowMode === 'merge' && given.length === 0) return [];
  if (!Array.isArray(stored)) throw notReadable(part, 'rows');
  const { rows, differ, otherFiles } = rowsToSend(part, given, stored, terms);
  counted.otherFiles += otherFiles;
  // Where nothing but files is to change and they are as they should be, the other rows need not be sent either.
  const isOnlyFiles = given.every(({ id, values }) => id !== undefined && values.every(isOfFiles));
  if (!differ && (terms.onlyChanges || (isOnlyFiles && terms.rowMode === 'merge'))) return [];
  return [{ part, value: { kind: 'rows', rows }, isHeld: !differ }];
}

function isOfFiles({ value }: { readonly value: WriteValue }): boolean {
  return value.kind === 'files' || value.kind === 'keep';
}

function emptied(part: Part, current: CurrentRecord | null, { context }: DiffTerms): Candidate[] {
  const stored = current === null ? undefined : valueOf(current.record, part, context);
  const isHeld = Array.isArray(stored) && stored.length === 0;
  if (part.codec.content === 'rows') return [{ part, value: { kind: 'rows', rows: [] }, isHeld }];
  const files = filesOf(stored);
  if (files === undefined) throw notReadable(part, 'attachments');
  const remove = files.map(({ id }) => id);
  return remove.length === 0 ? [] : [{ part, value: { kind: 'files', add: [], remove }, isHeld: false }];
}

/** The refusal of a change that needs to see what it changes. */
function notReadable(part: Part, what: 'rows' | 'attachments'): ServiceError {
  return new ServiceError(
    'refused',
    `The ${what} of ${namePart(part)} cannot be changed: the record does not show them`,
    'Ask for the right to read this part, or leave it out.',
  );
}

/** @throws UserError if the service gives no row IDs, ServiceError if the record does not show the rows. */
function changesOfRows(
  changes: readonly RowChange[],
  current: CurrentRecord | null,
  terms: DiffTerms,
): { readonly values: readonly EncodedPart[]; readonly outcomes: RowOutcome[] } {
  const values: EncodedPart[] = [];
  const outcomes = new Map<RowChange, RowOutcome>();
  for (const ofTable of groupBy(changes, ({ table }) => table.id)) {
    const [{ table }] = ofTable;
    const stored = current === null ? undefined : valueOf(current.record, table, terms.context);
    if (!Array.isArray(stored)) throw notReadable(table, 'rows');
    const changed = changeRows(table, ofTable, stored, terms.context);
    ofTable.forEach((change, index) => outcomes.set(change, changed.outcomes[index]!));
    if (changed.rows !== null) values.push({ part: table, value: { kind: 'rows', rows: changed.rows } });
  }
  return { values, outcomes: changes.map((change) => outcomes.get(change)!) };
}
