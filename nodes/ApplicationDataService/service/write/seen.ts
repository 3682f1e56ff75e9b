import { holds, holdsAll, storedText } from '../../parts/compare';
import type { EncodedPart } from '../../parts/encode';
import type { RowWrite, WriteContext, WriteValue } from '../../parts/model/codec';
import type { Part } from '../../parts/model/part';
import { placeRows, storedRows, type StoredRow } from '../../parts/placeRows';
import { readText, type SimplifiedValue } from '../../parts/values/shapes';
import { type CurrentRecord, valueOf } from '../read/records';
import { countEqualFiles, filesOf, hasSentFiles } from './files';
import type { Contents } from './form';
import type { Seen } from './verdict';

/** What a record shows of one part of a write. */
interface PartSeen {
  readonly held: boolean | null;
  readonly isAsBefore: boolean;
  /** How many rows and files were to be added, how many are new, and how many of the added ones these equal. */
  readonly added: number;
  readonly fresh: number;
  readonly equal: number;
}

/** A simplified record, or what is known of it. */
type Holder = Readonly<Record<string, unknown>>;

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
  const seen = values.map(({ part, value }) =>
    lookAt(
      part,
      value,
      valueOf(before, part, context),
      valueOf(after.record, part, context),
      context,
      contents,
    ),
  );
  const sum = (count: (each: PartSeen) => number): number =>
    seen.reduce((total, each) => total + count(each), 0);
  const [added, fresh, equal] = [
    sum((each) => each.added),
    sum((each) => each.fresh),
    sum((each) => each.equal),
  ];
  const held = holdsAll(seen.map((each) => each.held));
  return {
    moved: after.revision - revision,
    held,
    adds: added > 0,
    isAll: held === true && (added === 0 || (fresh === added && equal === added)),
    isAsBefore: added > 0 ? fresh === 0 && held !== null : seen.every((each) => each.isAsBefore),
  };
}

const NONE_ADDED = { added: 0, fresh: 0, equal: 0 };

function lookAt(
  part: Part,
  value: WriteValue,
  was: SimplifiedValue | undefined,
  is: SimplifiedValue | undefined,
  context: WriteContext,
  contents: Contents,
): PartSeen {
  switch (value.kind) {
    case 'keep':
      return { held: true, isAsBefore: true, ...NONE_ADDED };
    case 'text':
      return {
        held: holds(part, value, is, context),
        isAsBefore: isSame(part, was, is, context),
        ...NONE_ADDED,
      };
    case 'files': {
      const files = filesOf(is);
      const known = new Set(filesOf(was)?.map(({ id }) => id));
      const fresh = files?.filter(({ id }) => !known.has(id)) ?? [];
      const left = value.remove.filter((id) => files?.some((file) => file.id === id));
      return {
        held: files === undefined ? null : left.length === 0,
        isAsBefore: files !== undefined && left.length === value.remove.length,
        added: value.add.length,
        fresh: fresh.length,
        equal: countEqualFiles(value.add, fresh, contents),
      };
    }
    case 'rows':
      return lookAtRows(value.rows, storedRows(was), storedRows(is), context, contents);
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
  context: WriteContext,
  contents: Contents,
): PartSeen {
  if (was === undefined || is === undefined) return { held: null, isAsBefore: false, ...NONE_ADDED };
  const hasFiles = (row: RowWrite, stored: StoredRow): boolean =>
    hasSentFiles(row, stored, context, contents);
  const isKnown = [...was, ...is].every(({ id }) => readText(id) !== '');
  if (!isKnown) {
    const placed = placeRows(sent, is, context, hasFiles);
    return {
      held: placed.length === is.length && !placed.includes(null),
      isAsBefore: JSON.stringify(was) === JSON.stringify(is),
      ...NONE_ADDED,
    };
  }
  const before = new Map(was.map((row) => [readText(row.id), row]));
  const now = new Map(is.map((row) => [readText(row.id), row]));
  const kept = sent.filter(({ id }) => id !== undefined);
  const keptIds = new Set(kept.map(({ id }) => id));
  const changes = kept.flatMap(({ id = '', values }) =>
    values.map(({ part, value }) => {
      const [then, at] = [before, now].map((rows) => valueOf(rows.get(id) ?? {}, part, context));
      const wasHeld = value.kind === 'text' && holds(part, value, then, context) === true;
      return wasHeld ? null : lookAt(part, value, then, at, context, contents);
    }),
  );
  const changed = changes.filter((each) => each !== null);
  const gone = [...before.keys()].filter((id) => !keptIds.has(id));
  const added = sent.filter(({ id }) => id === undefined);
  const fresh = is.filter(({ id }) => !before.has(readText(id)));
  const placed = placeRows(added, fresh, context, hasFiles).filter((row) => row !== null);
  const sum = (count: (each: PartSeen) => number): number =>
    changed.reduce((total, each) => total + count(each), 0);
  return {
    held: holdsAll([...changed.map((each) => each.held), gone.every((id) => !now.has(id))]),
    isAsBefore: changed.every((each) => each.isAsBefore) && gone.every((id) => now.has(id)),
    added: added.length + sum((each) => each.added),
    fresh: fresh.length + sum((each) => each.fresh),
    equal: placed.length + sum((each) => each.equal),
  };
}
