import { isFault, type Happening, type Rival } from './world';

export const EQUAL: readonly string[] = ['sameName', 'sameRow', 'addEqual', 'addEqualFile'];
const LOST: readonly string[] = ['lostBefore', 'lostAfter', 'late', 'later', 'atEnd', 'failedAfter'];

/** Whether docs/guarantees.md declares a wrong outcome as one that cannot be helped. */
export function isDeclared(
  { guard, adds }: { readonly guard: string; readonly adds: boolean },
  history: readonly Happening[],
  { wrong }: { readonly wrong: 'not there' | 'twice' | 'done' | null },
  { processing, trims }: { readonly processing?: Rival; readonly trims?: boolean },
): boolean {
  const has = (kinds: readonly string[]): boolean => history.some(({ what }) => kinds.includes(what));
  const faults = history.filter(({ what }) => isFault(what)).length;
  const isMovedOn = processing !== undefined || trims === true || history.length > faults;
  switch (wrong) {
    case null:
      return true;
    case 'not there':
      // Who writes the same at that moment looks the same.
      return has(EQUAL) && has(LOST);
    case 'done':
      // Refused after it was done: what the service says, and with the user's guard a conflict; under the node's
      // revision only if the record cannot be read then, or it was the last plan.
      return has(['doneRefused']) && (guard !== 'node' || history.length > 1);
    case 'twice':
      // Refused after it was done, and changed at once by others, processing or the service: it looks like others' work.
      return has(['doneRefused']) && (guard === 'insert' || (adds && (isMovedOn || faults > 1)));
  }
}
