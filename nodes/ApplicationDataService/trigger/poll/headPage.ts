import { compareIds } from '../state/idOrder';
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

/** Whether heads come in the order of their ids, each once. */
export function isAscending(heads: readonly Head[]): boolean {
  return heads.every(({ id }, index) => index === 0 || compareIds(heads[index - 1]!.id, id) < 0);
}
