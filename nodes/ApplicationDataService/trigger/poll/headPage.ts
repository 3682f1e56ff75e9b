import { compareIds, idNumber } from '../state/idOrder';
import type { Stretch } from '../state/stretch';
import type { Head } from './recordSource';

/** A part of the list, in order of IDs, that begins where the previous one ended. */
export interface HeadPage {
  readonly heads: readonly Head[];
  /** Offset of the first head in the list; `null` if the list does not show the positions. */
  readonly offset: number | null;
  /** The ID up to which everything is known after this page; `null` at the end of the list. */
  readonly end: string | null;
  /** Records within its stretch that it does not show, because the service cannot list them. */
  readonly gap: Stretch | null;
}

/** Whether heads come in the order of their ids, each once. Each id is read as a number once: there are many. */
export function isAscending(heads: readonly Head[]): boolean {
  let before = -1;
  return heads.every(({ id }, index) => {
    const number = idNumber(id);
    const areNumbers = number >= 0 && (index === 0 || before >= 0);
    const isNext = areNumbers ? number > before : index === 0 || compareIds(heads[index - 1]!.id, id) < 0;
    before = number;
    return isNext;
  });
}

/** What of a page in order comes after an id. */
export function behind(after: string | null, page: readonly Head[]): readonly Head[] {
  const first = after === null ? 0 : page.findIndex(({ id }) => compareIds(id, after) > 0);
  return first < 0 ? [] : page.slice(first);
}

/** Whether a page begins after the known part: records before it were deleted, and others moved past it. */
export function isBeyond(first: Head | undefined, after: string | null): boolean {
  return first === undefined || after === null || compareIds(first.id, after) > 0;
}
