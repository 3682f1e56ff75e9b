import type { KeyMode, Part } from '../parts/model/part';

/** What a query is read against. */
export interface QueryContext {
  /** The application's parts. */
  readonly parts: readonly Part[];
  readonly keyMode: KeyMode;
  /** IANA zone in which the service's dates and times stand; values with an offset are converted to it. */
  readonly timezone: string;
}
