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
