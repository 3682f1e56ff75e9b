import { holds } from '../../parts/compare';
import type { WriteValue } from '../../parts/model/codec';
import type { Part } from '../../parts/model/part';
import { valueOf, type CurrentRecord } from '../read/current';
import { lackingFiles } from './lackingFiles';
import type { Contents } from './fileSteps';
import { emptiedPart, notReadable } from './plan';
import { rowsInPlace } from './rowsInPlace';
import type { WriteTarget } from './send';
import type { EncodedPart } from '../../parts/encode';

/** What a record is to hold. */
export interface Wish extends WriteTarget {
  readonly values: readonly EncodedPart[];
  /** Table parts and attachment parts to empty; `values` holds the others. */
  readonly emptied: readonly Part[];
  /** Whether rows that are not given stay. */
  readonly rowMode: 'merge' | 'replace';
  /** What is said of the files that `values` name. */
  readonly contents: Contents;
}

/** What has to be written so that a record holds what is wished. */
export interface Difference {
  readonly values: readonly EncodedPart[];
  /** Files that stay as they are although the record holds another one of the same name, told by its size. */
  readonly otherFiles: number;
}

/**
 * Compares a record with what it is to hold. Rows without an id are there where a stored row holds all that they give, files
 * if there is one of the same name.
 * @throws UserError if rows cannot be changed safely; ServiceError if the record does not show rows or files.
 */
export function difference(wish: Wish, current: CurrentRecord): Difference {
  const { context, options, emptied } = wish;
  const counted = { otherFiles: 0 };
  const wanted = wish.values.filter(({ value }) => value.kind !== 'keep');
  const changed = new Map<Part, WriteValue>();
  for (const { part, value } of wanted) {
    const lacking = lackingValue(part, value, current, wish, counted);
    if (lacking.kind !== 'keep') changed.set(part, lacking);
  }
  for (const part of emptied) {
    const { value } = emptiedPart(part, current, context);
    const isEmpty = holds(part, value, valueOf(current.record, part, context), context) === true;
    if (value.kind !== 'keep' && !isEmpty) changed.set(part, value);
  }
  if (changed.size === 0) return { values: [], ...counted };
  // A key part by which the service looks up values must be sent along, changed or not.
  const keys = wanted.filter(({ part }) => options.relookupKeyParts.includes(part.id) && !changed.has(part));
  return { values: [...keys, ...[...changed].map(([part, value]) => ({ part, value }))], ...counted };
}

function lackingValue(
  part: Part,
  value: WriteValue,
  current: CurrentRecord,
  { rowMode, context, contents }: Wish,
  counted: { otherFiles: number },
): WriteValue {
  const stored = valueOf(current.record, part, context);
  switch (value.kind) {
    case 'text':
      return holds(part, value, stored, context) === true ? KEEP : value;
    case 'files': {
      const lacking = lackingFiles(value, stored, contents);
      if (lacking === null) throw notReadable(part, 'files');
      counted.otherFiles += lacking.otherSize;
      return lacking.value;
    }
    case 'rows': {
      if (rowMode === 'merge' && value.rows.length === 0) return KEEP;
      if (!Array.isArray(stored)) throw notReadable(part, 'rows');
      const rows = rowsInPlace(part, value.rows, stored, { rowMode, context, contents });
      return rows === null ? KEEP : { kind: 'rows', rows };
    }
    case 'keep':
      return KEEP;
  }
}

const KEEP: WriteValue = { kind: 'keep' };
