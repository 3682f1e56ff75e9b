import { holds, holdsAll, storedText } from '../../parts/compare';
import type { EncodedPart } from '../../parts/encode';
import type { Part, RowWrite, WriteContext } from '../../parts/model/part';
import { placeRows, storedRows, type StoredRow } from '../../parts/placeRows';
import { readText, type SimplifiedValue } from '../../parts/values/shapes';
import { valueOf } from '../../parts/types/entries';
import type { CurrentRecord } from '../read/records';
import { countEqualFiles, filesOf, hasSentFiles } from './files';
import type { Contents } from './form';
import type { Seen } from './verdict';

/** What a record shows of one part of a write, or of one in a row. */
interface PartSeen {
  readonly held: boolean | null;
  readonly isAsBefore: boolean;
  /** How many rows and files were to be added, how many are new, and how many of the added ones these equal. */
  readonly added?: number;
  readonly fresh?: number;
  readonly equal?: number;
}

/** A simplified record or row, or what is known of it. */
type Holder = Readonly<Record<string, unknown>>;

interface Terms {
  readonly context: WriteContext;
  readonly contents: Contents;
}

/**
 * What a record shows of a write.
 * @param values as they were sent under `revision`.
 * @param before what is known of the record before.
 */
export function look(
  values: readonly EncodedPart[],
  revision: number,
  before: Holder,
  after: CurrentRecord,
  context: WriteContext,
  contents: Contents,
): Seen {
  const seen = values.flatMap((each) => lookAt(each, before, after.record, { context, contents }));
  const count = (what: 'added' | 'fresh' | 'equal'): number =>
    seen.reduce((sum, each) => sum + (each[what] ?? 0), 0);
  const [added, fresh, equal] = [count('added'), count('fresh'), count('equal')];
  const held = holdsAll(seen.map((each) => each.held));
  return {
    moved: after.revision - revision,
    held,
    adds: added > 0,
    isAll: held === true && (added === 0 || (fresh === added && equal === added)),
    isAsBefore: added > 0 ? fresh === 0 && held !== null : seen.every((each) => each.isAsBefore),
  };
}

function lookAt({ part, value }: EncodedPart, before: Holder, after: Holder, terms: Terms): PartSeen[] {
  const was = valueOf(before, part, terms.context);
  const is = valueOf(after, part, terms.context);
  switch (value.kind) {
    case 'keep':
      return [];
    case 'text':
      return [
        {
          held: holds(part, value, is, terms.context),
          isAsBefore: isSame(part, was, is, terms.context),
        },
      ];
    case 'files': {
      const files = filesOf(is);
      const known = new Set(filesOf(was)?.map(({ id }) => id));
      const fresh = files?.filter(({ id }) => !known.has(id)) ?? [];
      const left = value.remove.filter((id) => files?.some((file) => file.id === id));
      return [
        {
          held: files === undefined ? null : left.length === 0,
          isAsBefore: files !== undefined && left.length === value.remove.length,
          added: value.add.length,
          fresh: fresh.length,
          equal: countEqualFiles(value.add, fresh, terms.contents),
        },
      ];
    }
    case 'rows':
      return lookAtRows(value.rows, storedRows(was), storedRows(is), terms);
  }
}

function isSame(
  part: Part,
  was: SimplifiedValue | undefined,
  is: SimplifiedValue | undefined,
  context: WriteContext,
): boolean {
  if (was === undefined || is === undefined) return false;
  return storedText(part, was, context) === storedText(part, is, context);
}

/** Rows without IDs are told by all of them together. */
function lookAtRows(
  sent: readonly RowWrite[],
  was: readonly StoredRow[] | undefined,
  is: readonly StoredRow[] | undefined,
  terms: Terms,
): PartSeen[] {
  if (was === undefined || is === undefined) return [{ held: null, isAsBefore: false }];
  const { context, contents } = terms;
  const hasFiles = (row: RowWrite, stored: StoredRow): boolean =>
    hasSentFiles(row, stored, context, contents);
  if ([...was, ...is].some(({ id }) => readText(id) === '')) {
    const placed = placeRows(sent, is, context, hasFiles);
    const held = placed.length === is.length && !placed.includes(null);
    return [{ held, isAsBefore: JSON.stringify(was) === JSON.stringify(is) }];
  }
  const before = new Map(was.map((row) => [readText(row.id), row]));
  const now = new Map(is.map((row) => [readText(row.id), row]));
  const kept = sent.filter(({ id }) => id !== undefined);
  const changed = kept.flatMap(({ id = '', values }) => {
    const then = before.get(id) ?? {};
    const wasHeld = ({ part, value }: EncodedPart): boolean =>
      value.kind === 'text' && holds(part, value, valueOf(then, part, context), context) === true;
    return values
      .filter((each) => !wasHeld(each))
      .flatMap((each) => lookAt(each, then, now.get(id) ?? {}, terms));
  });
  const keptIds = new Set(kept.map(({ id }) => id));
  const gone = [...before.keys()].filter((id) => !keptIds.has(id));
  const added = sent.filter(({ id }) => id === undefined);
  const fresh = is.filter(({ id }) => !before.has(readText(id)));
  const rows = {
    held: gone.every((id) => !now.has(id)),
    isAsBefore: gone.every((id) => now.has(id)),
    added: added.length,
    fresh: fresh.length,
    equal: placeRows(added, fresh, context, hasFiles).filter((row) => row !== null).length,
  };
  return [...changed, rows];
}
