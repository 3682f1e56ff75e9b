import { compareIds, idNumber } from '../state/idOrder';
import type { Stretch } from '../state/stretch';
import type { Head } from './recordSource';

/** A part of the list, in order of ids, that begins where the one before ended. */
export interface HeadPage {
  readonly heads: readonly Head[];
  /** Offset of the first head in the list; `null` where it does not tell where they stand. */
  readonly offset: number | null;
  /** The id up to which all is known with it; `null` at the end of the list. */
  readonly end: string | null;
  /** What it does not show within its stretch, because the service cannot list it. */
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
