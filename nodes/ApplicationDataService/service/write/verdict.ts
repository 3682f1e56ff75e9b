import { holds, holdsAll, placeRows, type StoredRow, storedRows, storedText } from '../../parts/compare';
import type { EncodedPart } from '../../parts/encode';
import type { Part, RowWrite } from '../../parts/model/part';
import { valueOf } from '../../parts/types/entries';
import { type Entry, readText } from '../../parts/values/shapes';
import type { CurrentRecord } from '../read/records';
import { countEqualFiles, filesOf, filesOfRows } from './files';
import { NO_CHECK, type WriteTarget } from './form';

/**
 * Whose revision a write is sent under: that of the item (`user`: Fail, Skip, Merge), one that the node read itself
 * (`node`: rows, files, Sync), or none (plain values that overwrite, revision 0).
 */
export type Guard = 'none' | 'user' | 'node';

/** How a write was answered that was not answered with `ok`; `refusedAfterLoss`: an earlier answer was lost. */
export type Failed = 'refused' | 'lost' | 'refusedAfterLoss';

/** What follows. `again`: planned anew on the record that was just read, where the item's policy decides. */
export type Verdict = 'done' | 'refused' | 'again' | 'unknown';

/** What a record, read afterwards, shows of a write. */
export interface Seen {
  /** How far its revision is from the one sent; never `byOne` where it is not known what was there before. */
  readonly moved: 'not' | 'byOne' | 'otherwise';
  /** It shows all plain values, changed rows and removals that were sent; `null` if it does not show one of them. */
  readonly held: boolean | null;
  readonly adds: boolean;
  /** Held, and exactly as many new rows and files as were added, each equal to one of them. */
  readonly isAll: boolean;
  /** Nothing new is there if something was to be added; else what was sent is what it was before. */
  readonly isAsBefore: boolean;
}

/** Asks what a record shows; `null` if it cannot be read. */
type Asks = (seen: Seen | null) => boolean;

const refused: readonly Failed[] = ['refused'];
const lost: readonly Failed[] = ['lost', 'refusedAfterLoss'];
/** What was refused now does not say what became of the answer that was lost: it is not sent again. */
const justLost: readonly Failed[] = ['lost'];
const anything: Asks = () => true;
const isHeld: Asks = (seen) => seen?.held === true;
const isNotHeld: Asks = (seen) => seen?.held === false;
const hasNotMoved: Asks = (seen) => seen?.moved === 'not';
const hasNotMovedOrIsUnread: Asks = (seen) => seen === null || seen.moved === 'not';
const isByOne: Asks = (seen) => seen?.moved === 'byOne';
const isByOneAsBefore: Asks = (seen) => isByOne(seen) && seen!.isAsBefore;
const isByOneAsBeforeAndAll: Asks = (seen) => isByOneAsBefore(seen) && seen!.isAll;
const isByOneAndAll: Asks = (seen) => isByOne(seen) && seen!.isAll;
const isByOneAndAllOfSome: Asks = (seen) => isByOneAndAll(seen) && seen!.adds;
const isByOneOfNone: Asks = (seen) => isByOne(seen) && !seen!.adds;
const hasMovedAndAll: Asks = (seen) => seen !== null && seen.moved !== 'not' && seen.isAll;

type Row = readonly [row: number, readonly Failed[], readonly Guard[], fits: Asks, follows: Verdict];

/** docs/dev/guarantees.md, "What becomes of a write", to which a test holds it: the first row that fits counts. */
export const TABLE: readonly Row[] = [
  [1, refused, ['none'], anything, 'refused'],
  [2, refused, ['user', 'node'], hasNotMovedOrIsUnread, 'refused'],
  [3, refused, ['user'], anything, 'again'],
  [4, refused, ['node'], isByOneAndAllOfSome, 'unknown'],
  [5, refused, ['node'], anything, 'again'],
  [6, lost, ['none'], isHeld, 'done'],
  [7, justLost, ['none'], isNotHeld, 'again'],
  [8, justLost, ['user', 'node'], hasNotMoved, 'again'],
  [9, lost, ['user'], isByOneAsBeforeAndAll, 'unknown'],
  [9, lost, ['user', 'node'], isByOneAsBefore, 'again'],
  [10, lost, ['user'], isByOneAndAll, 'done'],
  [11, lost, ['node'], hasMovedAndAll, 'done'],
  [12, lost, ['node'], isByOneOfNone, 'again'],
  [13, lost, ['none', 'user', 'node'], anything, 'unknown'],
];

const rowsOf = (guard: Guard, failed: Failed): readonly Row[] =>
  TABLE.filter(([, answers, guards]) => answers.includes(failed) && guards.includes(guard));

/** Whether what follows depends on the record: not where the first row of the table asks nothing of it. */
export function dependsOnRecord(guard: Guard, failed: Failed): boolean {
  return rowsOf(guard, failed)[0]![3] !== anything;
}

/** @param seen what the record shows; `null` if it cannot be read, or nothing depends on it. */
export function verdict(guard: Guard, failed: Failed, seen: Seen | null): Verdict {
  return rowsOf(guard, failed).find(([, , , fits]) => fits(seen))![4];
}

type Looked = Pick<WriteTarget, 'context' | 'contents'>;

/** What a record shows of a request. @param before the record before it, or what the item holds of that */
export function look(
  {
    request: values,
    revision,
  }: { readonly request: readonly EncodedPart[]; readonly revision: number | null },
  before: Entry,
  after: CurrentRecord,
  target: Looked,
): Seen {
  const facts = values.flatMap((each) => factsOf(each, before, after.record, target));
  const held = holdsAll(facts.map((each) => each.held));
  const sum = (what: 'added' | 'fresh' | 'equal'): number =>
    facts.reduce((total, each) => total + (each[what] ?? 0), 0);
  const [added, fresh] = [sum('added'), sum('fresh')];
  return {
    moved: movedBy(after.revision - (revision ?? NO_CHECK)),
    held,
    adds: added > 0,
    isAll: held === true && (added === 0 || (fresh === added && sum('equal') === added)),
    isAsBefore: added > 0 ? fresh === 0 && held !== null : facts.every(({ isAsBefore }) => isAsBefore),
  };
}

function movedBy(revisions: number): Seen['moved'] {
  return revisions === 0 ? 'not' : revisions === 1 ? 'byOne' : 'otherwise';
}

/** What a record or row shows of one value. */
interface Fact {
  readonly held: boolean | null;
  readonly isAsBefore: boolean;
  /** How many rows or files were to be added, how many are new, and how many of the added ones these equal. */
  readonly added?: number;
  readonly fresh?: number;
  readonly equal?: number;
}

function factsOf({ part, value }: EncodedPart, then: Entry, now: Entry, target: Looked): Fact[] {
  const { context, contents } = target;
  const was = valueOf(then, part, context);
  const is = valueOf(now, part, context);
  if (value.kind === 'keep' || value.kind === 'empty') return [];
  if (value.kind === 'rows') return rowFacts(part, value.rows, storedRows(was), storedRows(is), target);
  if (value.kind === 'text') {
    const isKnown = was !== undefined && is !== undefined;
    const isAsBefore = isKnown && storedText(part, was, context) === storedText(part, is, context);
    return [{ held: holds(part, value, is, context), isAsBefore }];
  }
  const { add, remove } = value;
  const files = filesOf(is);
  const before = new Set(filesOf(was)?.map(({ id }) => id));
  const fresh = files?.filter(({ id }) => !before.has(id)) ?? [];
  const left = remove.filter((id) => files?.some((file) => file.id === id));
  return [
    {
      held: files === undefined ? null : left.length === 0,
      isAsBefore: files !== undefined && left.length === remove.length,
      added: add.length,
      fresh: fresh.length,
      equal: countEqualFiles(add, fresh, contents),
    },
  ];
}

function rowFacts(
  table: Part,
  sent: readonly RowWrite[],
  was: readonly StoredRow[] | undefined,
  is: readonly StoredRow[] | undefined,
  target: Looked,
): Fact[] {
  if (was === undefined || is === undefined) return [{ held: null, isAsBefore: false }];
  const { context, contents } = target;
  const files = filesOfRows(table, context, contents, false);
  const countPlaced = (rows: readonly RowWrite[], among: readonly StoredRow[]): number =>
    placeRows(rows, among, context, files).filter((row) => row !== null).length;
  const before = new Map(was.map((row) => [readText(row.id), row]));
  const now = new Map(is.map((row) => [readText(row.id), row]));
  // Rows without IDs are told by all of them together.
  if (before.has('') || now.has('')) {
    const held = sent.length === is.length && countPlaced(sent, is) === is.length;
    return [{ held, isAsBefore: JSON.stringify(was) === JSON.stringify(is) }];
  }
  const named = sent.filter(({ id }) => id !== undefined);
  const kept = new Set(named.map(({ id }) => id));
  const gone = [...before.keys()].filter((id) => !kept.has(id));
  const left = gone.filter((id) => now.has(id));
  const added = sent.filter(({ id }) => id === undefined);
  const fresh = is.filter(({ id }) => !before.has(readText(id)));
  const changed = named.flatMap(({ id, values }) => {
    const then = before.get(id!) ?? {};
    // A stored row is sent with all its values: those that it had say nothing.
    const wasHeld = ({ part, value }: EncodedPart): boolean =>
      value.kind === 'text' && holds(part, value, valueOf(then, part, context), context) === true;
    const written = values.filter((each) => !wasHeld(each));
    const row = now.get(id!);
    if (row === undefined && written.length > 0) return [{ held: false, isAsBefore: false }];
    return written.flatMap((each) => factsOf(each, then, row!, target));
  });
  const equal = countPlaced(added, fresh);
  const rows = { held: left.length === 0, isAsBefore: left.length === gone.length };
  return [...changed, { ...rows, added: added.length, fresh: fresh.length, equal }];
}
