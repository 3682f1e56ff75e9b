/**
 * Whose revision a write is sent under: that of the item (`user`: Fail, Skip, Merge), one that the node read itself
 * (`node`: rows, files, Sync), or none (plain values that overwrite, revision 0).
 */
export type Guard = 'none' | 'user' | 'node';

/** How a write was answered that was not answered with `ok`; `refusedAfterLoss`: an earlier answer was lost. */
export type Failed = 'refused' | 'lost' | 'refusedAfterLoss';

/** What follows. `conflict`: planned again, which is for the item's policy to decide. */
export type Verdict = 'done' | 'refused' | 'conflict' | 'unknown' | 'sendAgain' | 'planAgain';

/** What a record, read afterwards, shows of a write. */
export interface Seen {
  /** How far its revision is from the one sent. */
  readonly moved: number;
  /** It shows all plain values, changed rows and removals that were sent; `null` if it does not show one of them. */
  readonly held: boolean | null;
  /** Rows and files were to be added. */
  readonly adds: boolean;
  /** Held, and exactly as many new rows and files as were added, each equal to one of them. */
  readonly isAll: boolean;
  /** Nothing new is there if something was to be added; else what was sent is what it was before. */
  readonly isAsBefore: boolean;
}

/** Asks what a record shows; `null` if it cannot be read. */
type Asks = (seen: Seen | null) => boolean;

const any: readonly Guard[] = ['none', 'user', 'node'];
const always: Asks = () => true;
const isByOne = (seen: Seen | null): seen is Seen => seen?.moved === 1;

/**
 * What became of a write that was not answered with `ok`: row by row the table of docs/dev/guarantees.md, "What becomes
 * of a write". Of the rows for an answer and a guard, the first one that fits counts.
 */
const TABLE: readonly (readonly [row: number, Failed, readonly Guard[], fits: Asks, follows: Verdict])[] = [
  [1, 'refused', ['none'], always, 'refused'],
  [2, 'refused', ['user', 'node'], (seen) => seen === null || seen.moved === 0, 'refused'],
  [3, 'refused', ['user'], always, 'conflict'],
  [4, 'refused', ['node'], (seen) => isByOne(seen) && seen.adds && seen.isAll, 'unknown'],
  [5, 'refused', ['node'], always, 'planAgain'],
  [6, 'lost', ['none'], (seen) => seen?.held === true, 'done'],
  [7, 'lost', ['none'], (seen) => seen?.held === false, 'sendAgain'],
  [8, 'lost', ['user', 'node'], (seen) => seen?.moved === 0, 'sendAgain'],
  [9, 'lost', ['user'], (seen) => isByOne(seen) && seen.isAsBefore && seen.isAll, 'unknown'],
  [9, 'lost', ['user'], (seen) => isByOne(seen) && seen.isAsBefore, 'conflict'],
  [9, 'lost', ['node'], (seen) => isByOne(seen) && seen.isAsBefore, 'planAgain'],
  [10, 'lost', ['user'], (seen) => isByOne(seen) && seen.isAll, 'done'],
  [11, 'lost', ['node'], (seen) => seen?.isAll === true, 'done'],
  [12, 'lost', ['node'], (seen) => isByOne(seen) && !seen.adds, 'planAgain'],
  [13, 'lost', any, always, 'unknown'],
];

/** Whether a row asks what was there before the write, which a further try of the node does not know. */
const needsBefore = (row: number, seen: Seen | null): boolean =>
  [9, 10, 12].includes(row) || (row === 11 && seen?.adds === true);

/**
 * What follows a write that was not answered with `ok`.
 * @param knowsBefore whether `seen` compares the record with what was there before the write.
 */
export function verdict(guard: Guard, failed: Failed, seen: Seen | null, knowsBefore = true): Verdict {
  const answered = failed === 'refused' ? 'refused' : 'lost';
  const [, , , , follows] = TABLE.find(
    ([row, answer, guards, fits]) =>
      answer === answered && guards.includes(guard) && (knowsBefore || !needsBefore(row, seen)) && fits(seen),
  )!;
  // What was refused now does not say what became of the answer that was lost.
  return failed === 'refusedAfterLoss' && follows === 'sendAgain' ? 'unknown' : follows;
}
